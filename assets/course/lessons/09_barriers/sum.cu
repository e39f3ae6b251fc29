/*---
title = "A sum in halves, its barrier in four places"
idea = "Each round adds what other warps stored in the round before"
source = "Harris: Optimizing Parallel Reduction in CUDA (NVIDIA, 2007)"
kernel = "sum"
look_at = ["Who reads what another warp has written, and what stands between the two"]

[[parameter]]
name = "WHERE"
title = "barrier: 0 none, 1 behind the loop, 2 inside the if, 3 in every round"
default = 3
min = 0
max = 3

[[argument]]
name = "in"
type = "float"
shape = ["128"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["1"]
fill = "poison"

[launch]
block = ["128"]
grid = ["1"]

[reference]
kind = "none"
---*/
#ifndef WHERE
#define WHERE 3
#endif

__global__ void sum(const float* in, float* out) {
  __shared__ float words[128];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) {
      words[threadIdx.x] += words[threadIdx.x + s];
      if (WHERE == 2) __syncthreads();
    }
    if (WHERE == 3) __syncthreads();
  }
  if (WHERE == 1) __syncthreads();
  if (threadIdx.x == 0) out[0] = words[0];
}
