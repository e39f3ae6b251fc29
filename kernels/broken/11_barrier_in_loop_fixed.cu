/*---
title = "A barrier in a loop of uneven length, corrected"
idea = "The loop runs as often for every thread; only the access is guarded"
source = "A mistake often seen in first kernels"
kernel = "copy_by_rounds"
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
  for (int i = 0; i < n; i += 64) {
    int mine = i + threadIdx.x;
    if (mine < n) words[threadIdx.x] = in[mine];
    __syncthreads();
    if (mine < n) out[mine] = words[threadIdx.x];
  }
}
