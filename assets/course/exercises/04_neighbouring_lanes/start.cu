/*---
title = "Four elements a thread, in a row"
idea = "A run of its own for each thread, as one would write it for a CPU"
kernel = "copy_in_runs"
look_at = [
  "One execution of the load: the distance between lanes",
  "The same sectors come again in the next round",
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
value = 16384
min = 1
max = 16777216

[launch]
block = ["128"]
grid = ["ceil_div(n, 128 * 4)"]

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
#define WORK 4

__global__ void copy_in_runs(const float* in, float* out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * WORK;
  for (int k = 0; k < WORK; ++k) {
    int i = first + k;
    if (i < n) out[i] = in[i];
  }
}
