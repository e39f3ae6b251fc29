/*---
title = "Coarsened tile"
idea = "Fewer threads than elements: 32 x 8 threads carry a 32 x 32 tile, four elements each"
source = "Ruetsch, Micikevicius: Optimizing Matrix Transpose in CUDA (NVIDIA, 2009)"
kernel = "transpose_coarsened<ELEMENT>"
look_at = [
  "The same wavefronts and sectors as one thread an element, from a quarter of the threads",
  "A thread starts its four loads before it waits for any: more bytes in flight",
  "PAD 0 brings the 32-way conflict back; TILE / ROWS is the number of elements a thread",
]

[[parameter]]
name = "ELEMENT"
title = "element type"
choices = ["float", "double"]

[[parameter]]
name = "TILE"
title = "tile (and block x)"
default = 32
min = 1
max = 64

[[parameter]]
name = "ROWS"
title = "block y (a divisor of the tile)"
default = 8
min = 1
max = 64

[[parameter]]
name = "PAD"
title = "padding (elements a row)"
default = 1
min = 0
max = 32

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
#ifndef PAD
#define PAD 1
#endif

template <class T>
__global__ void transpose_coarsened(const T* in, T* out, int nx, int ny) {
  static_assert(TILE % ROWS == 0, "TILE must be a multiple of ROWS");
  __shared__ T tile[TILE][TILE + PAD];

  int ix = blockIdx.x * TILE + threadIdx.x;
  int iy = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) {
    int row = threadIdx.y + j;
    if (ix < nx && iy + j < ny) tile[row][threadIdx.x] = in[(iy + j) * nx + ix];
  }

  __syncthreads();

  int jx = blockIdx.x * TILE + threadIdx.y;
  int jy = blockIdx.y * TILE + threadIdx.x;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) {
    int column = threadIdx.y + j;
    if (jx + j < nx && jy < ny) out[(jx + j) * ny + jy] = tile[threadIdx.x][column];
  }
}
