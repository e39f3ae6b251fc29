/*---
title = "Global: a column"
idea = "Lanes a row apart: 32 sectors for 32 elements"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "global_column"
look_at = [
  "Four bytes of each 32-byte sector are used: an efficiency of 1/8",
  "A pitch below 8 elements puts neighbouring rows in one sector",
]

[[parameter]]
name = "PITCH"
title = "pitch (elements)"
default = 1024
min = 1
max = 4096

[[argument]]
name = "in"
type = "float"
shape = ["32 * PITCH"]
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
#ifndef PITCH
#define PITCH 1024
#endif

__global__ void global_column(const float* in, float* out) {
  out[threadIdx.x] = in[PITCH * threadIdx.x];
}
