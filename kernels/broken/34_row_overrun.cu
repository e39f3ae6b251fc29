/*---
title = "One column past a row"
idea = "The last thread of a row reads the first word of the next"
source = "A mistake often seen in first kernels"
kernel = "sums"
look_at = ["What the diagnostics say, and where"]

[[argument]]
name = "in"
type = "float"
shape = ["n"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["n"]
fill = "poison"

[[argument]]
name = "n"
title = "elements"
value = 64
min = 64
max = 64

[launch]
block = ["64"]
grid = ["1"]
shared = "0"

[reference]
kind = "none"
---*/
__global__ void sums(const float* in, float* out, int n) {
  __shared__ float rows[4][16];
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  rows[y][x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = rows[y][x] + rows[y % 3][x + 1];
}
