/*---
title = "Global: a row"
idea = "32 neighbours: one line of 128 bytes, four sectors, nothing moved in vain"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "global_row"
look_at = [
  "Every byte moved is a byte asked for",
]

[[argument]]
name = "in"
type = "float"
shape = ["32"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["32"]
fill = "poison"

[launch]
block = ["32"]
grid = ["1"]

[reference]
kind = "none"
---*/
__global__ void global_row(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
