/*---
title = "Vectors in a padded tile"
idea = "A padding of one, as for words"
kernel = "transpose_vectors"
look_at = [
  "What the diagnostics say of the second row",
  "A load of vectors: eight lanes are served at a time",
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
value = 128
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 96
min = 1
max = 32768

[launch]
block = ["256"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#define PAD 1

// Each thread loads one vector of a row, and stores its four elements in four rows of out.
__global__ void transpose_vectors(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[32][32 + PAD];

  int row = threadIdx.x / 8, group = threadIdx.x % 8;  // eight vectors fill a row
  int ix = blockIdx.x * 32 + 4 * group;
  int iy = blockIdx.y * 32 + row;
  if (ix < nx && iy < ny)
    *reinterpret_cast<float4*>(&tile[row][4 * group]) = *reinterpret_cast<const float4*>(in + iy * nx + ix);

  __syncthreads();

  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;  // a warp takes a column of vectors
  int jx = blockIdx.x * 32 + 4 * warp;
  int jy = blockIdx.y * 32 + lane;
  if (jx < nx && jy < ny) {  // nx is a multiple of four
    float4 v = *reinterpret_cast<const float4*>(&tile[lane][4 * warp]);
    out[(jx + 0) * ny + jy] = v.x;
    out[(jx + 1) * ny + jy] = v.y;
    out[(jx + 2) * ny + jy] = v.z;
    out[(jx + 3) * ny + jy] = v.w;
  }
}
