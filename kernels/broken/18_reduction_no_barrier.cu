/*---
title = "A reduction without a barrier in each step"
idea = "A step reads sums of the step before that other warps may not have stored yet"
source = "A mistake often seen in first kernels"
kernel = "sum"
look_at = ["What the diagnostics say, and where"]

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
  }
  if (threadIdx.x == 0) out[0] = words[0];
}
