/*---
title = "Shared tile"
idea = "Turn the tile round in shared memory: both global accesses become coalesced"
source = "Ruetsch, Micikevicius: Optimizing Matrix Transpose in CUDA (NVIDIA, 2009)"
kernel = "transpose_shared_tile<ELEMENT>"
look_at = [
  "Both global accesses now take four sectors a warp",
  "tile[threadIdx.x][threadIdx.y]: lanes are a whole row of 32 words apart, all in one bank, 32 wavefronts for one load",
  "Block x of 16: rows of 16 words start in banks 0 and 16 in turn, so the 32 words crowd into four banks: 8 wavefronts",
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
#define BDIMY BDIMX  // the tile is square

template <class T>
__global__ void transpose_shared_tile(const T* in, T* out, int nx, int ny) {
  __shared__ T tile[BDIMY][BDIMX];

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
