/*---
title = "Four words a thread, one by one"
idea = "Four requests, each of which touches every sector"
kernel = "copy_words"
look_at = [
  "Requests of the load",
  "The sectors of one request, and of the next",
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
value = 32768
min = 1
max = 16777216

[launch]
block = ["256"]
grid = ["ceil_div(n, 4 * 256)"]

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
__global__ void copy_words(const float* in, float* out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int k = 0; k < 4; ++k)
    if (first + k < n) out[first + k] = in[first + k];
}
