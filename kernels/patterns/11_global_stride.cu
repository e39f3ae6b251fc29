/*---
title = "Global: stride"
idea = "Lane i on element STRIDE * i: sectors grow with the stride until every lane has its own"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "global_stride"
look_at = [
  "Stride 2: 8 sectors, half of each used; stride 8 and more: 32 sectors",
  "Stride 0: one sector for all",
]

[[parameter]]
name = "STRIDE"
title = "stride (elements)"
default = 2
min = 0
max = 64

[[argument]]
name = "in"
type = "float"
shape = ["31 * STRIDE + 1"]
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
#ifndef STRIDE
#define STRIDE 2
#endif

__global__ void global_stride(const float* in, float* out) {
  out[threadIdx.x] = in[STRIDE * threadIdx.x];
}
