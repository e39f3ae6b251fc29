/*---
title = "Numbers in a row, threads too"
idea = "A one-dimensional launch transposes a matrix"
kernel = "transpose_flat"
look_at = [
  "Where consecutive threads read",
  "Where they write",
]

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
value = 48
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 20
min = 1
max = 32768

[launch]
block = ["128"]
grid = ["ceil_div(nx * ny, 128)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void transpose_flat(const float* in, float* out, int nx, int ny) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;  // one number, row after row through in
  if (t >= nx * ny) return;
  int row = t / nx;     // whole rows before it
  int column = t % nx;  // what is left of its own row
  out[column * ny + row] = in[t];
}
