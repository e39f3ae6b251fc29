/*---
title = "Shared tile, any block shape"
idea = "Renumber the threads for the way out: row and column from the linear thread number"
source = "Cheng, Grossman, McKercher: Professional CUDA C Programming (2014), chapters 4 and 5"
kernel = "transpose_remapped<ELEMENT>"
look_at = [
  "bidx runs through the block in the order of lanes; irow and icol cut it in rows of blockDim.y for the way out",
  "Consecutive lanes write consecutive addresses, whatever the shape: hover lanes 0 to 8 in the index map",
  "Sweep block x and block y against padding: 32 x 8 is clean at padding 4, 32 x 16 at 2, 32 x 32 at 1: 32 / blockDim.y columns must fit side by side",
]
layout = [{ index = "bidx", shape = "BDIMX, BDIMY" }]
[[parameter]]
name = "ELEMENT"
title = "element type"
choices = ["float", "double"]

[[parameter]]
name = "BDIMX"
title = "block x"
default = 32
min = 1
max = 1024

[[parameter]]
name = "BDIMY"
title = "block y"
default = 8
min = 1
max = 1024

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
block = ["BDIMX", "BDIMY"]
grid = ["ceil_div(nx, BDIMX)", "ceil_div(ny, BDIMY)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef BDIMX
#define BDIMX 32
#endif
#ifndef BDIMY
#define BDIMY 8
#endif
#ifndef PAD
#define PAD 1
#endif

template <class T>
__global__ void transpose_remapped(const T* in, T* out, int nx, int ny) {
  __shared__ T tile[BDIMY][BDIMX + PAD];

  int ix = blockIdx.x * blockDim.x + threadIdx.x;
  int iy = blockIdx.y * blockDim.y + threadIdx.y;
  int ti = iy * nx + ix;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[ti];

  __syncthreads();  // outside every guard: all threads of the block must come here

  // The transposed tile has BDIMX rows of BDIMY: number the threads along its rows.
  int bidx = threadIdx.y * blockDim.x + threadIdx.x;
  int irow = bidx / blockDim.y;
  int icol = bidx % blockDim.y;

  int jx = blockIdx.x * blockDim.x + irow;
  int jy = blockIdx.y * blockDim.y + icol;
  int to = jx * ny + jy;  // lanes: neighbours, because icol runs fastest
  if (jx < nx && jy < ny) out[to] = tile[icol][irow];
}
