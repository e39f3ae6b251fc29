/*---
title = "A tile without rows"
idea = "Dynamic shared memory is one row of words"
kernel = "transpose_dynamic"
look_at = [
  "What the compiler says about the two brackets",
  "How large the tile is, and who says so",
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
shared = "16 * 17 * 4"

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
constexpr int PITCH = 17;  // words from one row of the tile to the next

__global__ void transpose_dynamic(const float* in, float* out, int nx, int ny) {
  extern __shared__ float tile[];  // as large as the launch says: 16 rows of 17

  int ix = blockIdx.x * 16 + threadIdx.x;
  int iy = blockIdx.y * 16 + threadIdx.y;
  if (ix < nx && iy < ny) tile[threadIdx.y * PITCH + threadIdx.x] = in[iy * nx + ix];

  __syncthreads();

  int jx = blockIdx.x * 16 + threadIdx.y;
  int jy = blockIdx.y * 16 + threadIdx.x;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[threadIdx.x * PITCH + threadIdx.y];
}
