/*---
title = "64 x 64 in registers, no shared memory"
idea = "Each thread turns a 4 x 4 square round in its registers: float4 rows in, float4 columns out"
source = "Own design"
kernel = "transpose_registers64"
look_at = [
  "A warp is 8 x 4 squares, 32 x 16 elements: it reads 128-byte rows and writes 64-byte rows",
  "Both ways every sector is used whole, although no tile is kept: 64 bytes are two sectors",
  "No barrier, no bank: but 16 registers a thread, and half-lines on the way out",
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
block = ["256"]
grid = ["ceil_div(nx, 64)", "ceil_div(ny, 64)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
__device__ float4 load4(const float* in, int ix, int iy, int nx, int ny) {
  if (iy < ny && ix + 3 < nx && nx % 4 == 0) return *reinterpret_cast<const float4*>(&in[iy * nx + ix]);
  float4 v = {0, 0, 0, 0};
  if (iy < ny && ix < nx) v.x = in[iy * nx + ix];
  if (iy < ny && ix + 1 < nx) v.y = in[iy * nx + ix + 1];
  if (iy < ny && ix + 2 < nx) v.z = in[iy * nx + ix + 2];
  if (iy < ny && ix + 3 < nx) v.w = in[iy * nx + ix + 3];
  return v;
}

__device__ void store4(float* out, int ix, int iy, int nx, int ny, float4 v) {
  float* to = &out[ix * ny + iy];
  if (ix < nx && iy + 3 < ny && ny % 4 == 0) {
    *reinterpret_cast<float4*>(to) = v;
    return;
  }
  if (ix < nx && iy < ny) to[0] = v.x;
  if (ix < nx && iy + 1 < ny) to[1] = v.y;
  if (ix < nx && iy + 2 < ny) to[2] = v.z;
  if (ix < nx && iy + 3 < ny) to[3] = v.w;
}

__global__ void transpose_registers64(const float* in, float* out, int nx, int ny) {
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  // Two warps across, four down; in a warp eight squares across, four down.
  int ix = blockIdx.x * 64 + warp % 2 * 32 + lane % 8 * 4;
  int iy = blockIdx.y * 64 + warp / 2 * 16 + lane / 8 * 4;

  float4 a = load4(in, ix, iy, nx, ny);
  float4 b = load4(in, ix, iy + 1, nx, ny);
  float4 c = load4(in, ix, iy + 2, nx, ny);
  float4 d = load4(in, ix, iy + 3, nx, ny);

  store4(out, ix, iy, nx, ny, make_float4(a.x, b.x, c.x, d.x));
  store4(out, ix + 1, iy, nx, ny, make_float4(a.y, b.y, c.y, d.y));
  store4(out, ix + 2, iy, nx, ny, make_float4(a.z, b.z, c.z, d.z));
  store4(out, ix + 3, iy, nx, ny, make_float4(a.w, b.w, c.w, d.w));
}
