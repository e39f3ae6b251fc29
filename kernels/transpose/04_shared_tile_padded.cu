/*---
title = "Shared tile, padded"
idea = "One unused element at the end of each row moves every row on by one bank"
source = "Ruetsch, Micikevicius: Optimizing Matrix Transpose in CUDA (NVIDIA, 2009)"
kernel = "transpose_shared_tile_padded<ELEMENT>"
look_at = [
  "Pitch 33: lane stride 33 words, gcd(33, 32) = 1, one wavefront",
  "Padding 2 makes the stride 34: gcd 2, two lanes a bank; any odd padding will do",
  "Block x of 16, padding 1: each warp holds two rows, and pitch 17 makes them overlap: a 2-way conflict stays in the load and a new one appears in the store",
]

[[parameter]]
name = "ELEMENT"
title = "element type"
choices = ["float", "double"]

[[parameter]]
name = "BDIMX"
title = "block x"
default = 32
min = 1
max = 32

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
block = ["BDIMX", "BDIMX"]
grid = ["ceil_div(nx, BDIMX)", "ceil_div(ny, BDIMX)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef BDIMX
#define BDIMX 32
#endif
#ifndef PAD
#define PAD 1
#endif
#define BDIMY BDIMX  // the tile is square

template <class T>
__global__ void transpose_shared_tile_padded(const T* in, T* out, int nx, int ny) {
  __shared__ T tile[BDIMY][BDIMX + PAD];

  int ix = blockIdx.x * BDIMX + threadIdx.x;
  int iy = blockIdx.y * BDIMY + threadIdx.y;
  int ti = iy * nx + ix;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[ti];

  __syncthreads();  // outside every guard: all threads of the block must come here

  // x and y threads change roles inside the tile, so that lanes are neighbours in out again.
  int jx = blockIdx.x * BDIMX + threadIdx.y;
  int jy = blockIdx.y * BDIMY + threadIdx.x;
  int to = jx * ny + jy;
  if (jx < nx && jy < ny) out[to] = tile[threadIdx.x][threadIdx.y];
}
