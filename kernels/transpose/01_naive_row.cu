/*---
title = "Naive, coalesced reads"
idea = "Read along rows, write down columns: every lane writes into another line"
source = "Cheng, Grossman, McKercher: Professional CUDA C Programming (2014), chapters 4 and 5"
kernel = "transpose_naive_row<ELEMENT>"
look_at = [
  "The load: 32 lanes side by side, four sectors",
  "The store: neighbouring lanes are ny elements apart, so 32 lanes touch 32 sectors and use 4 of the 32 bytes in each",
  "Block x of 8 stores eight columns of four neighbours: 8 sectors instead of 32",
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
max = 1024

[[parameter]]
name = "BDIMY"
title = "block y"
default = 8
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

template <class T>
__global__ void transpose_naive_row(const T* in, T* out, int nx, int ny) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x;  // column of in, row of out
  int iy = blockIdx.y * blockDim.y + threadIdx.y;  // row of in, column of out
  int ti = iy * nx + ix;  // lanes: neighbours
  int to = ix * ny + iy;  // lanes: ny elements apart
  if (ix < nx && iy < ny) out[to] = in[ti];
}
