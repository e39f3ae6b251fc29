/*---
title = "Naive, coalesced writes"
idea = "The same with the roles swapped: write along rows, read down columns"
source = "Cheng, Grossman, McKercher: Professional CUDA C Programming (2014), chapters 4 and 5"
kernel = "transpose_naive_col<ELEMENT>"
look_at = [
  "Now the load touches 32 sectors and the store four: the sum is that of the other naive kernel",
  "On hardware it is usually the faster of the two: scattered reads may find their sectors in the cache again",
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
grid = ["ceil_div(ny, BDIMX)", "ceil_div(nx, BDIMY)"]

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
__global__ void transpose_naive_col(const T* in, T* out, int nx, int ny) {
  int ix = blockIdx.y * blockDim.y + threadIdx.y;  // column of in, row of out
  int iy = blockIdx.x * blockDim.x + threadIdx.x;  // row of in, column of out
  int ti = iy * nx + ix;  // lanes: nx elements apart
  int to = ix * ny + iy;  // lanes: neighbours
  if (ix < nx && iy < ny) out[to] = in[ti];
}
