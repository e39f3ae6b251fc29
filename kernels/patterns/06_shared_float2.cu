/*---
title = "Shared: 8 bytes a lane"
idea = "Two words a lane: the warp is served as two half-warps"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "shared_float2"
look_at = [
  "Stride 1: 64 words, two wavefronts, no conflict: 256 bytes cannot go in less",
  "Stride 2: 16 lanes on 16 different word pairs of eight pairs of banks: a 2-way conflict in each half",
]

[[parameter]]
name = "STRIDE"
title = "stride (float2)"
default = 1
min = 0
max = 32

[[argument]]
name = "out"
type = "float2"
shape = ["32"]
fill = "poison"

[launch]
block = ["32"]
grid = ["1"]

[reference]
kind = "none"
---*/
#ifndef STRIDE
#define STRIDE 1
#endif

__global__ void shared_float2(float2* out) {
  __shared__ float2 values[31 * STRIDE + 1];
  for (int i = threadIdx.x; i < 31 * STRIDE + 1; i += 32) values[i] = make_float2(i, -i);
  __syncthreads();
  out[threadIdx.x] = values[STRIDE * threadIdx.x];
}
