/*---
title = "A stack for each thread"
idea = "Eight words of shared memory that belong to one thread alone"
kernel = "private_scratch"
look_at = [
  "One push: the banks of its lanes",
  "Which lanes share a bank, and why",
]

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
value = 8192
min = 1
max = 16777216

[launch]
block = ["256"]
grid = ["ceil_div(n, 256 * 8)"]

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
#define SLOTS 8

__global__ void private_scratch(const float* in, float* out, int n) {
  __shared__ float scratch[SLOTS * 256];  // eight words for each thread of the block

  int first = blockIdx.x * 256 * SLOTS + threadIdx.x;
  for (int k = 0; k < SLOTS; ++k) {
    int i = first + k * 256;
    if (i < n) scratch[threadIdx.x * SLOTS + k] = in[i];
  }
  for (int k = SLOTS - 1; k >= 0; --k) {  // and taken off again, the last one first
    int i = first + k * 256;
    if (i < n) out[i] = scratch[threadIdx.x * SLOTS + k];
  }
}
