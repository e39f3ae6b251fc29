/*---
title = "One word past a shared array, corrected"
idea = "An array shifted by one needs one word more"
source = "A mistake often seen in first kernels"
kernel = "shift"
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
value = 64
min = 1
max = 32768

[launch]
block = ["64"]
grid = ["1"]
shared = "0"

[reference]
kind = "none"
---*/
__global__ void shift(const float* in, float* out, int n) {
  __shared__ float words[65];
  words[threadIdx.x + 1] = in[threadIdx.x];
  if (threadIdx.x == 0) words[0] = 0;
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = words[threadIdx.x];
}
