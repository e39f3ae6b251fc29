/*---
title = "Sixteen blocks, whatever there is to do"
idea = "A grid that fits the machine, not the data"
kernel = "copy_by_few"
look_at = [
  "How many threads there are, and how many elements",
  "The first element that is not copied",
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
value = 5000
min = 1
max = 16777216

[launch]
block = ["256"]
grid = ["16"]

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
__global__ void copy_by_few(const float* in, float* out, int n) {
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) out[i] = in[i];
}
