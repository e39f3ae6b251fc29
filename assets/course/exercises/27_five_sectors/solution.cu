/*---
title = "Five sectors for a request"
idea = "A profiler says: 5 sectors per request, 4 would do"
kernel = "copy_with_head"
look_at = [
  "Sectors: where the first lane of each warp begins",
  "How many of five are used",
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
block = ["256"]
grid = ["ceil_div(n, 256)"]

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
__global__ void copy_with_head(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // a warp begins where a sector begins
  if (i < n) out[i] = in[i];
}
