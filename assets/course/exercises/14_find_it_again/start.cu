/*---
title = "Rotated rows"
idea = "Every row of the tile is rotated by its own number"
kernel = "transpose_rotated"
look_at = [
  "Where one element is put, and where it is looked for",
  "No conflict either way: fast and wrong",
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
block = ["32", "8"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__device__ int placed(int row, int column) { return (column + row) % 32; }

__global__ void transpose_rotated(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[32][32];

  int ix = blockIdx.x * 32 + threadIdx.x;
  int iy = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    int row = threadIdx.y + j;
    if (ix < nx && iy + j < ny) tile[row][placed(row, threadIdx.x)] = in[(iy + j) * nx + ix];
  }

  __syncthreads();

  int jx = blockIdx.x * 32 + threadIdx.y;
  int jy = blockIdx.y * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    int column = threadIdx.y + j;
    if (jx + j < nx && jy < ny) out[(jx + j) * ny + jy] = tile[threadIdx.x][placed(column, threadIdx.x - column)];
  }
}
