/*---
title = "Shared: 16 bytes a lane"
idea = "Four words a lane: the warp is served as four quarter-warps of eight lanes"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "shared_float4"
look_at = [
  "Stride 1: four wavefronts for 512 bytes, no conflict",
  "Stride 0: all lanes on one float4. A load merges and takes two wavefronts; the store of out goes to global memory",
]

[[parameter]]
name = "STRIDE"
title = "stride (float4)"
default = 1
min = 0
max = 32

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

__global__ void shared_float4(float4* out) {
  __shared__ float4 values[31 * STRIDE + 1];
  for (int i = threadIdx.x; i < 31 * STRIDE + 1; i += 32) values[i] = make_float4(i, -i, 2 * i, 3);
  __syncthreads();
  out[threadIdx.x] = values[STRIDE * threadIdx.x];
}
