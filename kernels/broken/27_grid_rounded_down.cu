/*---
title = "The grid is rounded down"
idea = "nx / 32 blocks leave the last columns and rows out"
source = "A mistake often seen in first kernels"
kernel = "transpose"
look_at = ["What the diagnostics say, and where"]

[[argument]]
name = "in"
type = "float"
shape = ["ny", "nx"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["nx", "ny"]
fill = "poison"

[[argument]]
name = "nx"
title = "columns of in"
value = 100
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 70
min = 1
max = 32768

[launch]
block = ["32", "32"]
grid = ["nx / 32", "ny / 32"]
shared = "0"

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void transpose(const float* in, float* out, int nx, int ny) {
  int ix = blockIdx.x * 32 + threadIdx.x;
  int iy = blockIdx.y * 32 + threadIdx.y;
  if (ix < nx && iy < ny) out[ix * ny + iy] = in[iy * nx + ix];
}
