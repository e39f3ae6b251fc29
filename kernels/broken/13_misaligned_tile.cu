/*---
title = "float4 into a tile of pitch 33"
idea = "Padding by one takes the 16-byte alignment from every row but each fourth"
source = "A mistake often seen in first kernels"
kernel = "copy_tile"
look_at = ["What the diagnostics say, and where"]

[[argument]]
name = "in"
type = "float"
shape = ["32", "32"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["32", "32"]
fill = "poison"

[launch]
block = ["8", "32"]
grid = ["1"]
shared = "0"

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
__global__ void copy_tile(const float* in, float* out) {
  __shared__ __align__(16) float tile[32][33];
  int tx = threadIdx.x, ty = threadIdx.y;
  float4 v = *reinterpret_cast<const float4*>(&in[ty * 32 + 4 * tx]);
  *reinterpret_cast<float4*>(&tile[ty][4 * tx]) = v;
  __syncthreads();
  for (int i = 0; i < 4; ++i) out[ty * 32 + 4 * tx + i] = tile[ty][4 * tx + i];
}
