/*---
title = "Global: 16 bytes a lane"
idea = "One request for 512 bytes: 16 sectors, every byte used"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "global_float4"
look_at = [
  "A quarter of the requests of four scalar loads, the same sectors",
  "Stride 2: every second 16 bytes, half of each sector in vain",
]

[[parameter]]
name = "STRIDE"
title = "stride (float4)"
default = 1
min = 0
max = 16

[[argument]]
name = "in"
type = "float4"
shape = ["31 * STRIDE + 1"]
fill = "index"

[[argument]]
name = "out"
type = "float4"
shape = ["32"]
fill = "poison"

[launch]
block = ["32"]
grid = ["1"]

[reference]
kind = "none"
---*/
#ifndef STRIDE
#define STRIDE 1
#endif

__global__ void global_float4(const float4* in, float4* out) {
  out[threadIdx.x] = in[STRIDE * threadIdx.x];
}
