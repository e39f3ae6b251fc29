/*---
title = "float4 in, scalars out, remapped"
idea = "Wide loads from global memory, but scalar stores into a padded tile, where every bank is free"
source = "Cheng, Grossman, McKercher: Professional CUDA C Programming (2014), chapters 4 and 5"
kernel = "transpose_float4_remapped"
look_at = [
  "One request a warp for four rows of 128 bytes",
  "Each scalar store: lanes four words apart in four rows of pitch 33, all in different banks",
  "After the barrier the 8 x 32 threads are renumbered as 8 rows of 32, so that rows of out are whole lines",
]
layout = [{ index = "bidx", shape = "8, 32" }]
[[parameter]]
name = "PAD"
title = "padding (elements a row)"
default = 1
min = 0
max = 32

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
block = ["8", "32"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef PAD
#define PAD 1
#endif

__global__ void transpose_float4_remapped(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[32][32 + PAD];

  int tx = threadIdx.x, ty = threadIdx.y;
  int ix = blockIdx.x * 32 + 4 * tx;
  int iy = blockIdx.y * 32 + ty;
  if (ix < nx && iy < ny) {
    const float* from = &in[iy * nx + ix];
    if (nx % 4 == 0) {
      float4 v = *reinterpret_cast<const float4*>(from);
      tile[ty][4 * tx] = v.x;
      tile[ty][4 * tx + 1] = v.y;
      tile[ty][4 * tx + 2] = v.z;
      tile[ty][4 * tx + 3] = v.w;
    } else {
      for (int i = 0; i < 4 && ix + i < nx; ++i) tile[ty][4 * tx + i] = from[i];
    }
  }

  __syncthreads();

  // 8 x 32 threads become 32 x 8: a warp now is one row of out.
  int bidx = ty * 8 + tx;
  int irow = bidx / 32;
  int icol = bidx % 32;
  int jx = blockIdx.x * 32 + irow;
  int jy = blockIdx.y * 32 + icol;
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    if (jx + i < nx && jy < ny) out[(jx + i) * ny + jy] = tile[icol][irow + i];
}
