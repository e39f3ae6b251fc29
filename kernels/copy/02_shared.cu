/*---
title = "Copy through shared memory"
idea = "The copy again, by way of a tile: what the detour and the barrier cost by themselves"
source = "Ruetsch, Micikevicius: Optimizing Matrix Transpose in CUDA (NVIDIA, 2009)"
kernel = "copy_shared<ELEMENT>"
look_at = [
  "Same sectors as the plain copy, two wavefronts a warp more",
  "The tile is read as it was written: no lane meets another in a bank",
  "A transpose through shared memory can at best be as fast as this",
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
__global__ void copy_shared(const T* in, T* out, int nx, int ny) {
  __shared__ T tile[BDIMY][BDIMX];

  int ix = blockIdx.x * blockDim.x + threadIdx.x;
  int iy = blockIdx.y * blockDim.y + threadIdx.y;
  int ti = iy * nx + ix;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[ti];

  __syncthreads();

  if (ix < nx && iy < ny) out[ti] = tile[threadIdx.y][threadIdx.x];
}
