/*---
title = "XOR swizzle instead of padding"
idea = "Store column c of row r at place c ^ r: no element wasted, no conflict left"
source = "CUTLASS documentation, shared-memory layouts"
kernel = "transpose_swizzle<ELEMENT>"
look_at = [
  "The store: each row is the same set of banks in another order",
  "The load of a column: row r finds its element in bank column ^ r, 32 rows in 32 banks",
  "Every place of the tile is used: 4096 bytes against the padded 4224; the tile must be a power of two",
]

[[parameter]]
name = "ELEMENT"
title = "element type"
choices = ["float", "double"]

[[parameter]]
name = "TILE"
title = "tile (and block x): a power of two"
default = 32
min = 1
max = 64

[[parameter]]
name = "ROWS"
title = "block y (a divisor of the tile)"
default = 8
min = 1
max = 64

[[argument]]
name = "in"
type = "ELEMENT"
shape = ["ny", "nx"]
fill = "index"

[[argument]]
name = "out"
type = "ELEMENT"
shape = ["nx", "ny"]
fill = "poison"

[[argument]]
name = "nx"
title = "columns of in"
value = 1024
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 1024
min = 1
max = 32768

[launch]
block = ["TILE", "ROWS"]
grid = ["ceil_div(nx, TILE)", "ceil_div(ny, TILE)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS 8
#endif

template <class T>
__global__ void transpose_swizzle(const T* in, T* out, int nx, int ny) {
  static_assert(TILE % ROWS == 0, "TILE must be a multiple of ROWS");
  static_assert((TILE & (TILE - 1)) == 0, "XOR stays inside the tile only for a power of two");
  __shared__ T tile[TILE][TILE];

  int ix = blockIdx.x * TILE + threadIdx.x;
  int iy = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) {
    int row = threadIdx.y + j;
    if (ix < nx && iy + j < ny) tile[row][threadIdx.x ^ row] = in[(iy + j) * nx + ix];
  }

  __syncthreads();

  int jx = blockIdx.x * TILE + threadIdx.y;
  int jy = blockIdx.y * TILE + threadIdx.x;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) {
    int column = threadIdx.y + j;
    if (jx + j < nx && jy < ny) out[(jx + j) * ny + jy] = tile[threadIdx.x][column ^ threadIdx.x];
  }
}
