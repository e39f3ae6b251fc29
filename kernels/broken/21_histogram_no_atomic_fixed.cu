/*---
title = "Counting without atomics, corrected"
idea = "atomicAdd is one indivisible step"
source = "A mistake often seen in first kernels"
kernel = "histogram"
look_at = ["Compare with the broken twin"]

[[argument]]
name = "in"
type = "int"
shape = ["n"]
fill = "index"

[[argument]]
name = "counts"
type = "int"
shape = ["4"]
fill = "zero"

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
__global__ void histogram(const int* in, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 32 == 0) atomicAdd(&counts[in[i] / 32 % 4], 1);
}
