/*---
title = "A copy that walks down columns"
idea = "Every element is copied, at eight times the traffic"
kernel = "copy_columns"
look_at = [
  "One warp: where do its lanes read?",
  "Sectors: how much of each is used",
]

[[argument]]
name = "in"
type = "float"
shape = ["ny", "nx"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["ny", "nx"]
fill = "poison"

[[argument]]
name = "nx"
title = "columns"
value = 256
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows"
value = 96
min = 1
max = 32768

[launch]
block = ["32", "32"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32)"]

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
__global__ void copy_columns(const float* in, float* out, int nx, int ny) {
  int ix = blockIdx.x * 32 + threadIdx.y;
  int iy = blockIdx.y * 32 + threadIdx.x;
  if (ix < nx && iy < ny) out[iy * nx + ix] = in[iy * nx + ix];
}
