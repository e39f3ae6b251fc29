/*---
title = "Shared: tile[tx][ty]"
idea = "Lanes down a column of the tile: a row apart, all in one bank unless the pitch is odd"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "shared_column"
look_at = [
  "Padding 0: lane stride 32 words, gcd(32, 32) = 32, 32 wavefronts",
  "Padding 1: stride 33, gcd 1, one wavefront; padding 2: two; padding 4: four",
]

[[parameter]]
name = "PAD"
title = "padding (elements a row)"
default = 0
min = 0
max = 32

[[argument]]
name = "out"
type = "float"
shape = ["32", "32"]
fill = "poison"

[launch]
block = ["32", "32"]
grid = ["1"]

[reference]
kind = "none"
---*/
#ifndef PAD
#define PAD 0
#endif

__global__ void shared_column(float* out) {
  __shared__ float tile[32][32 + PAD];
  int tx = threadIdx.x, ty = threadIdx.y;
  tile[ty][tx] = ty * 32 + tx;
  __syncthreads();
  out[ty * 32 + tx] = tile[tx][ty];
}
