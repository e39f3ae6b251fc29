/*---
title = "Every second lane stores eight bytes"
idea = "Half of the lanes are off, yet both half-warps must be served"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "store_even"
look_at = ["Two wavefronts, no conflict, and an ideal of one"]

[[argument]]
name = "out"
type = "float2"
shape = ["32"]
fill = "zero"

[launch]
block = ["32"]
grid = ["1"]

[reference]
kind = "none"
---*/
__global__ void store_even(float2* out) {
  __shared__ float2 values[32];
  int t = threadIdx.x;
  if (t % 2 == 0) values[t] = make_float2(t, -t);
  __syncthreads();
  if (t % 2 == 0) out[t] = values[t];
}
