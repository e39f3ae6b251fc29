/*---
title = "A strip of threads"
idea = "Right for squares, and for nothing else"
kernel = "transpose_strip"
look_at = [
  "The first error: block and thread",
  "At 16 by 16 everything is fine",
]

[[parameter]]
name = "WIDTH"
title = "columns of the tile"
default = 32
min = 1
max = 64

[[parameter]]
name = "HEIGHT"
title = "rows of the tile"
default = 8
min = 1
max = 64

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
value = 64
min = 1
max = 32768

[launch]
block = ["WIDTH * HEIGHT"]
grid = ["ceil_div(nx, WIDTH)", "ceil_div(ny, HEIGHT)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef WIDTH
#define WIDTH 32
#endif
#ifndef HEIGHT
#define HEIGHT 8
#endif

// A one-dimensional block of WIDTH * HEIGHT threads moves a tile of HEIGHT rows.
__global__ void transpose_strip(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[HEIGHT][WIDTH + 1];
  int t = threadIdx.x;

  int row = t / WIDTH, column = t % WIDTH;
  int ix = blockIdx.x * WIDTH + column;
  int iy = blockIdx.y * HEIGHT + row;
  if (ix < nx && iy < ny) tile[row][column] = in[iy * nx + ix];

  __syncthreads();

  int jx = blockIdx.x * WIDTH + t / WIDTH;
  int jy = blockIdx.y * HEIGHT + t % WIDTH;
  if (jx < nx && jy < ny) out[jx * ny + jy] = tile[t % WIDTH][t / WIDTH];
}
