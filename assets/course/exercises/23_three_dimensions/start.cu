/*---
title = "A volume turned"
idea = "Three indices make one number, twice"
kernel = "turn_volume"
look_at = [
  "Two threads that read the same element",
  "The stride of each index",
]

[[argument]]
name = "in"
type = "float"
shape = ["nz * ny", "nx"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["nx", "nz * ny"]
fill = "poison"

[[argument]]
name = "nx"
title = "elements a row"
value = 24
min = 1
max = 1024

[[argument]]
name = "ny"
title = "rows a layer"
value = 10
min = 1
max = 1024

[[argument]]
name = "nz"
title = "layers"
value = 6
min = 1
max = 1024

[launch]
block = ["8", "4", "4"]
grid = ["ceil_div(nx, 8)", "ceil_div(ny, 4)", "ceil_div(nz, 4)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
// in is a volume of nz layers of ny rows of nx elements. out has x slowest: out[x][z][y].
__global__ void turn_volume(const float* in, float* out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  int from = z * ny + y * nx + x;
  int to = x * nz + z * ny + y;
  out[to] = in[from];
}
