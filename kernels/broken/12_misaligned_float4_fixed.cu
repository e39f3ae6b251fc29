/*---
title = "float4 at an odd row, corrected"
idea = "Wide accesses only where the address is a multiple of 16"
source = "A mistake often seen in first kernels"
kernel = "copy4"
look_at = ["Compare with the broken twin"]

[[argument]]
name = "in"
type = "float"
shape = ["ny", "nx"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["ny", "nx"]
fill = "poison"

[[argument]]
name = "nx"
title = "columns"
value = 30
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows"
value = 8
min = 1
max = 32768

[launch]
block = ["8", "8"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 8)"]
shared = "0"

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
__global__ void copy4(const float* in, float* out, int nx, int ny) {
  int ix = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  int iy = blockIdx.y * blockDim.y + threadIdx.y;
  if (iy >= ny) return;
  int ti = iy * nx + ix;
  if (ix + 3 < nx && ti % 4 == 0) {
    float4 v = *reinterpret_cast<const float4*>(&in[ti]);
    *reinterpret_cast<float4*>(&out[ti]) = v;
  } else {
    for (int i = 0; i < 4 && ix + i < nx; ++i) out[ti + i] = in[ti + i];
  }
}
