/*---
title = "A reduction without a barrier in each step, corrected"
idea = "One barrier after every step"
source = "A mistake often seen in first kernels"
kernel = "sum"
look_at = ["Compare with the broken twin"]

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
shared = "0"

[reference]
kind = "none"
---*/
__global__ void sum(const float* in, float* out) {
  __shared__ float words[128];
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) words[threadIdx.x] += words[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = words[0];
}
