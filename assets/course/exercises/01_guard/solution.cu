/*---
title = "Copy without a guard"
idea = "One thread for each element, and some that have none"
kernel = "copy_matrix"
look_at = [
  "The blocks at the right and at the lower edge",
  "Which threads have no element",
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
value = 100
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows"
value = 70
min = 1
max = 32768

[launch]
block = ["32", "8"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 8)"]

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
__global__ void copy_matrix(const float* in, float* out, int nx, int ny) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x;  // column
  int iy = blockIdx.y * blockDim.y + threadIdx.y;  // row
  int i = iy * nx + ix;
  if (ix < nx && iy < ny) out[i] = in[i];
}
