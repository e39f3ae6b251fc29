/*---
title = "A barrier in a loop of uneven length"
idea = "Some threads go round once more often than others, and wait there alone"
source = "A mistake often seen in first kernels"
kernel = "copy_by_rounds"
look_at = ["What the diagnostics say, and where"]

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
value = 80
min = 1
max = 32768

[launch]
block = ["64"]
grid = ["1"]
shared = "0"

[reference]
kind = "none"
---*/
__global__ void copy_by_rounds(const float* in, float* out, int n) {
  __shared__ float words[64];
  for (int i = threadIdx.x; i < n; i += 64) {
    words[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = words[threadIdx.x];
  }
}
