/*---
title = "One tile, many times"
idea = "The next tile comes while the last one is still read"
kernel = "transpose_column"
look_at = [
  "The race: which two lines",
  "A warp that is quick, and one that is slow",
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
value = 256
min = 1
max = 32768

[launch]
block = ["32", "8"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32 * 4)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#define STEPS 4

// A block goes through STEPS tiles below each other, and uses one tile of shared memory for all.
__global__ void transpose_column(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[32][33];

  for (int step = 0; step < STEPS; ++step) {
    int first = (blockIdx.y * STEPS + step) * 32;  // row of in
    for (int j = threadIdx.y; j < 32; j += 8) {
      int ix = blockIdx.x * 32 + threadIdx.x, iy = first + j;
      if (ix < nx && iy < ny) tile[j][threadIdx.x] = in[iy * nx + ix];
    }

    __syncthreads();

    for (int j = threadIdx.y; j < 32; j += 8) {
      int jx = blockIdx.x * 32 + j, jy = first + threadIdx.x;
      if (jx < nx && jy < ny) out[jx * ny + jy] = tile[threadIdx.x][j];
    }

    __syncthreads();  // all have taken what they want: the tile may be overwritten
  }
}
