/*---
title = "float4 both ways through shared memory"
idea = "Four elements a thread in one instruction, global and shared, on both sides of the barrier"
source = "Ruetsch, Micikevicius: Optimizing Matrix Transpose in CUDA (NVIDIA, 2009)"
kernel = "transpose_float4_both"
look_at = [
  "A quarter of the requests of the scalar kernels, the same sectors",
  "The wide shared store is served eight lanes at a time: each quarter-warp writes one row",
  "The four scalar loads gather a column: lanes are four rows apart, and no padding that keeps float4 aligned spreads them",
]

[[parameter]]
name = "PAD"
title = "padding (elements a row), a multiple of 4"
choices = ["0", "4", "8", "12", "16"]

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
#define PAD 0
#endif

// Rows of whole float4s: both extents are multiples of 4. Other shapes go one float at a time.
__device__ float4 load4(const float* row, int first, int extent) {
  if (first + 3 < extent && extent % 4 == 0) return *reinterpret_cast<const float4*>(&row[first]);
  float4 v = {0, 0, 0, 0};
  if (first < extent) v.x = row[first];
  if (first + 1 < extent) v.y = row[first + 1];
  if (first + 2 < extent) v.z = row[first + 2];
  if (first + 3 < extent) v.w = row[first + 3];
  return v;
}

__device__ void store4(float* row, int first, int extent, float4 v) {
  if (first + 3 < extent && extent % 4 == 0) {
    *reinterpret_cast<float4*>(&row[first]) = v;
    return;
  }
  if (first < extent) row[first] = v.x;
  if (first + 1 < extent) row[first + 1] = v.y;
  if (first + 2 < extent) row[first + 2] = v.z;
  if (first + 3 < extent) row[first + 3] = v.w;
}

__global__ void transpose_float4_both(const float* in, float* out, int nx, int ny) {
  __shared__ __align__(16) float tile[32][32 + PAD];

  int tx = threadIdx.x, ty = threadIdx.y;
  int ix = blockIdx.x * 32 + 4 * tx;
  int iy = blockIdx.y * 32 + ty;
  // Outside the matrix zeros go into the tile, because the wide reads below take what nobody needs.
  float4 zero = {0, 0, 0, 0};
  *reinterpret_cast<float4*>(&tile[ty][4 * tx]) = iy < ny ? load4(&in[iy * nx], ix, nx) : zero;

  __syncthreads();

  int jx = blockIdx.x * 32 + ty;
  int jy = blockIdx.y * 32 + 4 * tx;
  if (jx < nx) {
    float4 v;
    v.x = tile[4 * tx][ty];
    v.y = tile[4 * tx + 1][ty];
    v.z = tile[4 * tx + 2][ty];
    v.w = tile[4 * tx + 3][ty];
    store4(&out[jx * ny], jy, ny, v);
  }
}
