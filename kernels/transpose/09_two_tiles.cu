/*---
title = "Two tiles a block"
idea = "Each thread moves two elements, BDIMX apart: more loads in flight, half the blocks"
source = "Cheng, Grossman, McKercher: Professional CUDA C Programming (2014), chapters 4 and 5"
kernel = "transpose_two_tiles<ELEMENT>"
look_at = [
  "Two loads before the barrier and two stores after it: independent, so their latencies overlap",
  "Both tiles share their rows: the pitch is 2 * BDIMX + PAD",
  "Each of the four accesses has its own guard: the second tile may lie outside although the first does not",
]
layout = [{ index = "bidx", shape = "BDIMX, BDIMY" }]
[[parameter]]
name = "ELEMENT"
title = "element type"
choices = ["float", "double"]

[[parameter]]
name = "BDIMX"
title = "block x"
default = 16
min = 1
max = 512

[[parameter]]
name = "BDIMY"
title = "block y"
default = 16
min = 1
max = 1024

[[parameter]]
name = "PAD"
title = "padding (elements a row)"
default = 2
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
grid = ["ceil_div(nx, 2 * BDIMX)", "ceil_div(ny, BDIMY)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef BDIMX
#define BDIMX 16
#endif
#ifndef BDIMY
#define BDIMY 16
#endif
#ifndef PAD
#define PAD 2
#endif

template <class T>
__global__ void transpose_two_tiles(const T* in, T* out, int nx, int ny) {
  __shared__ T tile[BDIMY][2 * BDIMX + PAD];

  int ix = 2 * blockIdx.x * BDIMX + threadIdx.x;
  int iy = blockIdx.y * BDIMY + threadIdx.y;
  int ti = iy * nx + ix;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[ti];
  if (ix + BDIMX < nx && iy < ny) tile[threadIdx.y][threadIdx.x + BDIMX] = in[ti + BDIMX];

  __syncthreads();

  int bidx = threadIdx.y * BDIMX + threadIdx.x;
  int irow = bidx / BDIMY;
  int icol = bidx % BDIMY;

  int jx = 2 * blockIdx.x * BDIMX + irow;
  int jy = blockIdx.y * BDIMY + icol;
  int to = jx * ny + jy;
  if (jx < nx && jy < ny) out[to] = tile[icol][irow];
  if (jx + BDIMX < nx && jy < ny) out[to + BDIMX * ny] = tile[icol][irow + BDIMX];
}
