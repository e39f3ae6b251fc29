/*---
title = "The halo of a stencil is not loaded, corrected"
idea = "The first and the last thread load the halo"
source = "A mistake often seen in first kernels"
kernel = "smooth"
look_at = ["Compare with the broken twin"]

[[argument]]
name = "in"
type = "float"
shape = ["n"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["n"]
fill = "poison"

[[argument]]
name = "n"
title = "elements"
value = 256
min = 1
max = 32768

[launch]
block = ["64"]
grid = ["ceil_div(n, 64)"]
shared = "0"

[reference]
kind = "none"
---*/
__global__ void smooth(const float* in, float* out, int n) {
  __shared__ float words[66];
  int i = blockIdx.x * 64 + threadIdx.x;
  words[threadIdx.x + 1] = i < n ? in[i] : 0.0f;
  if (threadIdx.x == 0) words[0] = i > 0 ? in[i - 1] : 0.0f;
  if (threadIdx.x == 63) words[65] = i + 1 < n ? in[i + 1] : 0.0f;
  __syncthreads();
  float left = words[threadIdx.x];
  float right = words[threadIdx.x + 2];
  if (i < n) out[i] = (left + words[threadIdx.x + 1] + right) / 3;
}
