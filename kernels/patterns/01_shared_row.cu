/*---
title = "Shared: tile[ty][tx]"
idea = "Lanes along a row of the tile: 32 neighbouring words, 32 banks"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "shared_row"
look_at = [
  "Every bank serves one word: one wavefront",
  "Padding changes nothing here: it moves rows, and a warp stays in its row",
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

__global__ void shared_row(float* out) {
  __shared__ float tile[32][32 + PAD];
  int tx = threadIdx.x, ty = threadIdx.y;
  tile[ty][tx] = ty * 32 + tx;
  __syncthreads();
  out[ty * 32 + tx] = tile[ty][tx];
}
