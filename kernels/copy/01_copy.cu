/*---
title = "Copy"
idea = "Each thread moves one element to the same place: no transpose can be faster"
source = "Ruetsch, Micikevicius: Optimizing Matrix Transpose in CUDA (NVIDIA, 2009)"
kernel = "copy<ELEMENT>"
look_at = [
  "A warp asks for 32 neighbours: one 128-byte line, four sectors, nothing moved in vain",
  "Block x of 8 makes a warp four short rows: each is one whole sector, still nothing in vain; block x of 4 wastes half",
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
shape = ["ny", "nx"]
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
kind = "copy"
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
__global__ void copy(const T* in, T* out, int nx, int ny) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x;  // column
  int iy = blockIdx.y * blockDim.y + threadIdx.y;  // row
  int ti = iy * nx + ix;
  if (ix < nx && iy < ny) out[ti] = in[ti];
}
