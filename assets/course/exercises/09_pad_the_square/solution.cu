/*---
title = "A square tile, its columns in one bank"
idea = "The load goes down a column of the tile"
kernel = "transpose_square"
look_at = [
  "The load from the tile: every lane in one bank",
  "What the equation of the bank says with another pitch",
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
value = 128
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 96
min = 1
max = 32768

[launch]
block = ["32", "8"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#define PAD 1

__global__ void transpose_square(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[32][32 + PAD];

  int ix = blockIdx.x * 32 + threadIdx.x;
  int iy = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (ix < nx && iy + j < ny) tile[threadIdx.y + j][threadIdx.x] = in[(iy + j) * nx + ix];

  __syncthreads();

  int jx = blockIdx.x * 32 + threadIdx.y;
  int jy = blockIdx.y * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8)
    if (jx + j < nx && jy < ny) out[(jx + j) * ny + jy] = tile[threadIdx.x][threadIdx.y + j];
}
