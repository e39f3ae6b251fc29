/*---
title = "One-dimensional block along a row"
idea = "Lanes walk along a row of in and scatter it down a column of out"
source = "Cheng, Grossman, McKercher: Professional CUDA C Programming (2014), chapters 4 and 5"
kernel = "transpose_block_row<ELEMENT>"
look_at = [
  "The store: 32 sectors for 32 elements, each only an eighth written",
  "Sectors written in part must be put together in the cache; with a block of one row the other parts come late",
  "Compare with a naive block of 8 x 32, whose warps fill half a sector at a time",
]

[[parameter]]
name = "ELEMENT"
title = "element type"
choices = ["float", "double"]

[[parameter]]
name = "BDIMX"
title = "block x (threads along a row)"
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
grid = ["ceil_div(nx, BDIMX)", "ny"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef BDIMX
#define BDIMX 256
#endif

template <class T>
__global__ void transpose_block_row(const T* in, T* out, int nx, int ny) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x;  // column of in
  int iy = blockIdx.y;                             // the block's row of in
  int ti = iy * nx + ix;  // lanes: neighbours
  int to = ix * ny + iy;  // lanes: ny elements apart
  if (ix < nx) out[to] = in[ti];
}
