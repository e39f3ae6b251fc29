/*---
title = "The copy is waited for"
idea = "Each thread waits for its copies, then all meet"
source = "A mistake often seen when plain loads become cp.async"
kernel = "turn_tile"
look_at = ["Compare with the broken twin"]

[[argument]]
name = "in"
type = "float"
shape = ["64"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["64"]
fill = "poison"


[launch]
block = ["64"]
grid = ["1"]
shared = "0"

[reference]
kind = "none"
---*/
#include <cuda_pipeline.h>

__global__ void turn_tile(const float* in, float* out) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[63 - t];
}
