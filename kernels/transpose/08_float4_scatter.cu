/*---
title = "float4 in, four rows out"
idea = "One wide load brings four columns; each goes out as a coalesced row, with no shared memory"
source = "Cheng, Grossman, McKercher: Professional CUDA C Programming (2014), chapters 4 and 5"
kernel = "transpose_float4_scatter"
look_at = [
  "Lanes run down a column of in: the load touches 32 sectors, but uses half of each, not an eighth",
  "Each of the four stores is coalesced: lanes are neighbours in out",
  "Rows of in are whole float4s only if nx is a multiple of 4; otherwise, and at the right edge, lanes load one float at a time",
]

[[parameter]]
name = "BDIMX"
title = "block x"
default = 16
min = 1
max = 1024

[[parameter]]
name = "BDIMY"
title = "block y"
default = 16
min = 1
max = 1024

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
block = ["BDIMX", "BDIMY"]
grid = ["ceil_div(ny, BDIMX)", "ceil_div(nx, 4 * BDIMY)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef BDIMX
#define BDIMX 16
#endif
#ifndef BDIMY
#define BDIMY 16
#endif

__global__ void transpose_float4_scatter(const float* in, float* out, int nx, int ny) {
  int ix = 4 * (blockIdx.y * blockDim.y + threadIdx.y);  // first of this thread's four columns
  int iy = blockIdx.x * blockDim.x + threadIdx.x;        // row of in
  if (ix >= nx || iy >= ny) return;

  int ti = iy * nx + ix;
  int to = ix * ny + iy;
  if (nx % 4 == 0) {
    float4 v = *reinterpret_cast<const float4*>(&in[ti]);
    out[to] = v.x;
    out[to + ny] = v.y;
    out[to + 2 * ny] = v.z;
    out[to + 3 * ny] = v.w;
  } else {
    for (int i = 0; i < 4 && ix + i < nx; ++i) out[to + i * ny] = in[ti + i];
  }
}
