/*---
title = "Global: offset"
idea = "32 neighbours that start in the middle of a sector: one sector more"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "global_offset"
look_at = [
  "Offset 1 to 7: five sectors instead of four; offset 8: four again, now in two lines",
  "Writing with an offset costs the same, and leaves two sectors half written",
]

[[parameter]]
name = "OFFSET"
title = "offset (elements)"
default = 1
min = 0
max = 64

[[argument]]
name = "in"
type = "float"
shape = ["32 + OFFSET"]
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
#ifndef OFFSET
#define OFFSET 1
#endif

__global__ void global_offset(const float* in, float* out) {
  out[threadIdx.x] = in[OFFSET + threadIdx.x];
}
