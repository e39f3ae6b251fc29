/*---
title = "No guard at all"
idea = "The grid is rounded up, so the last blocks reach over the edge"
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
value = 64
min = 1
max = 32768

[launch]
block = ["32", "8"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 8)"]
shared = "0"

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void transpose(const float* in, float* out, int nx, int ny) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x;
  int iy = blockIdx.y * blockDim.y + threadIdx.y;
  out[ix * ny + iy] = in[iy * nx + ix];
}
