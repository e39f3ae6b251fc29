/*---
title = "Threads that leave early"
idea = "Who has nothing to load goes home"
kernel = "transpose_guarded"
look_at = [
  "Which threads are missing behind the barrier",
  "An element of out that belongs to one of them",
]

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
value = 100
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 70
min = 1
max = 32768

[launch]
block = ["16", "16"]
grid = ["ceil_div(nx, 16)", "ceil_div(ny, 16)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__global__ void transpose_guarded(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[16][17];

  int ix = blockIdx.x * 16 + threadIdx.x;
  int iy = blockIdx.y * 16 + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];

  __syncthreads();

  int jx = blockIdx.x * 16 + threadIdx.y;
  int jy = blockIdx.y * 16 + threadIdx.x;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[threadIdx.x][threadIdx.y];
}
