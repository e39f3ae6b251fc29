/*---
title = "One-dimensional block along a column"
idea = "Lanes walk down a column of in: every warp opens 32 lines and uses one element of each"
source = "Cheng, Grossman, McKercher: Professional CUDA C Programming (2014), chapters 4 and 5"
kernel = "transpose_block_column<ELEMENT>"
look_at = [
  "The load: 32 sectors for 32 elements, an efficiency of 1/8",
  "The rest of each sector is wanted by the block beside this one, much later: the cache has thrown it out by then",
  "The same counts as the naive kernel with coalesced writes, but slower on hardware: no second column is near in time",
]

[[parameter]]
name = "ELEMENT"
title = "element type"
choices = ["float", "double"]

[[parameter]]
name = "BDIMX"
title = "block x (threads down a column)"
default = 256
min = 1
max = 1024

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
block = ["BDIMX"]
grid = ["ceil_div(ny, BDIMX)", "nx"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef BDIMX
#define BDIMX 256
#endif

template <class T>
__global__ void transpose_block_column(const T* in, T* out, int nx, int ny) {
  int ix = blockIdx.y;                             // the block's column of in
  int iy = blockIdx.x * blockDim.x + threadIdx.x;  // row of in
  int ti = iy * nx + ix;  // lanes: nx elements apart
  int to = ix * ny + iy;  // lanes: neighbours
  if (iy < ny) out[to] = in[ti];
}
