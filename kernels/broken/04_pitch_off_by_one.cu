/*---
title = "Written with one pitch, read with another"
idea = "The tile is written at a pitch of 33 and read at 32: the reader meets the padding"
source = "A mistake often seen in first kernels"
kernel = "transpose"
look_at = ["What the diagnostics say, and where"]

[[argument]]
name = "in"
type = "float"
shape = ["ny", "nx"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["nx", "ny"]
fill = "poison"

[[argument]]
name = "nx"
title = "columns of in"
value = 32
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 32
min = 1
max = 32768

[launch]
block = ["32", "32"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32)"]
shared = "0"

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void transpose(const float* in, float* out, int nx, int ny) {
  constexpr int PITCH = 33;
  __shared__ float tile[32 * PITCH];
  int ix = blockIdx.x * 32 + threadIdx.x;
  int iy = blockIdx.y * 32 + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y * PITCH + threadIdx.x] = in[iy * nx + ix];

  __syncthreads();

  int jx = blockIdx.x * 32 + threadIdx.y;
  int jy = blockIdx.y * 32 + threadIdx.x;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[threadIdx.x * 32 + threadIdx.y];
}
