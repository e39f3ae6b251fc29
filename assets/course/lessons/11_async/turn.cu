/*---
title = "A row turned round by way of an asynchronous copy"
idea = "The wait and the barrier can be left out one by one"
source = "CUDA C++ Programming Guide, section Asynchronous Data Copies"
kernel = "turn_row"
look_at = ["What the diagnostics say without the wait, and without the barrier"]

[[parameter]]
name = "WAIT"
title = "each thread waits for its copy"
default = 1
min = 0
max = 1

[[parameter]]
name = "MEET"
title = "a barrier before the tile is read"
default = 1
min = 0
max = 1

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

[reference]
kind = "none"
---*/
#include <cuda_pipeline.h>

#ifndef WAIT
#define WAIT 1
#endif
#ifndef MEET
#define MEET 1
#endif

__global__ void turn_row(const float* in, float* out) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(float));
  __pipeline_commit();
  if (WAIT) __pipeline_wait_prior(0);
  if (MEET) __syncthreads();
  out[t] = tile[63 - t];
}
