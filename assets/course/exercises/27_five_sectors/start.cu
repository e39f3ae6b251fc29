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
// The first HEAD elements are handled apart, so that the rest is "easier".
#define HEAD 3

__global__ void copy_with_head(const float* in, float* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < HEAD && t < n) out[t] = in[t];
  int i = HEAD + t;
  if (i < n) out[i] = in[i];
}
