/*---
title = "Occupancy limited by shared memory"
idea = "A profiler says: no access to blame, and few warps at a time"
kernel = "transpose_hoarder"
look_at = [
  "Shared memory a block, in the status bar",
  "How long each tile is needed",
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
value = 64
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 512
min = 1
max = 32768

[launch]
block = ["32", "8"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32 * 8)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#define STEPS 8

// A block moves STEPS tiles that lie below each other, each through the same shared memory.
__global__ void transpose_hoarder(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[32][33];

  for (int step = 0; step < STEPS; ++step) {
    int first = (blockIdx.y * STEPS + step) * 32;
    for (int j = threadIdx.y; j < 32; j += 8) {
      int ix = blockIdx.x * 32 + threadIdx.x, iy = first + j;
      if (ix < nx && iy < ny) tile[j][threadIdx.x] = in[iy * nx + ix];
    }

    __syncthreads();  // filled

    for (int j = threadIdx.y; j < 32; j += 8) {
      int jx = blockIdx.x * 32 + j, jy = first + threadIdx.x;
      if (jx < nx && jy < ny) out[jx * ny + jy] = tile[threadIdx.x][j];
    }

    __syncthreads();  // empty again
  }
}
