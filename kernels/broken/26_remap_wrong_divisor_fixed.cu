/*---
title = "The linear thread number cut at blockDim.x, corrected"
idea = "irow = bidx / blockDim.y, icol = bidx % blockDim.y"
source = "A mistake often seen in first kernels"
kernel = "transpose"
look_at = ["Compare with the broken twin"]

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
value = 64
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 64
min = 1
max = 32768

[launch]
block = ["32", "8"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 8)"]
shared = "0"

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void transpose(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[8][33];
  int ix = blockIdx.x * 32 + threadIdx.x;
  int iy = blockIdx.y * 8 + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];

  __syncthreads();

  int bidx = threadIdx.y * blockDim.x + threadIdx.x;
  int irow = bidx / blockDim.y;
  int icol = bidx % blockDim.y;
  int jx = blockIdx.x * 32 + irow;
  int jy = blockIdx.y * 8 + icol;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[icol][irow];
}
