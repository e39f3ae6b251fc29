/*---
title = "64 x 64 tile, 32 x 8 threads"
idea = "Sixteen elements a thread: longer rows on both sides, more bytes in flight, fewer barriers"
source = "Ruetsch, Micikevicius: Optimizing Matrix Transpose in CUDA (NVIDIA, 2009)"
kernel = "transpose_tile64<ELEMENT>"
look_at = [
  "Each row of the tile is two warps wide: 256 bytes, two lines, one after the other",
  "Pitch 65: still odd, so a column still meets every bank once",
  "16640 bytes of shared memory a block: look at how many blocks fit a multiprocessor",
]

[[parameter]]
name = "ELEMENT"
title = "element type"
choices = ["float", "double"]

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
block = ["32", "8"]
grid = ["ceil_div(nx, 64)", "ceil_div(ny, 64)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef PAD
#define PAD 1
#endif

template <class T>
__global__ void transpose_tile64(const T* in, T* out, int nx, int ny) {
  __shared__ T tile[64][64 + PAD];

  int ix = blockIdx.x * 64 + threadIdx.x;
  int iy = blockIdx.y * 64 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 64; j += 8) {
    int ti = (iy + j) * nx + ix;
    if (ix < nx && iy + j < ny) tile[threadIdx.y + j][threadIdx.x] = in[ti];
    if (ix + 32 < nx && iy + j < ny) tile[threadIdx.y + j][threadIdx.x + 32] = in[ti + 32];
  }

  __syncthreads();

  int jx = blockIdx.x * 64 + threadIdx.y;
  int jy = blockIdx.y * 64 + threadIdx.x;
#pragma unroll
  for (int j = 0; j < 64; j += 8) {
    int to = (jx + j) * ny + jy;
    if (jx + j < nx && jy < ny) out[to] = tile[threadIdx.x][threadIdx.y + j];
    if (jx + j < nx && jy + 32 < ny) out[to + 32] = tile[threadIdx.x + 32][threadIdx.y + j];
  }
}
