/*---
title = "A shuffle with a mask of lanes that are not there, corrected"
idea = "Every lane named in the mask executes the shuffle"
source = "A mistake often seen in first kernels"
kernel = "sum_half"
look_at = ["Compare with the broken twin"]

[[argument]]
name = "in"
type = "float"
shape = ["32"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["1"]
fill = "poison"

[launch]
block = ["32"]
grid = ["1"]
shared = "0"

[reference]
kind = "none"
---*/
__global__ void sum_half(const float* in, float* out) {
  float v = in[threadIdx.x];
  for (int s = 8; s > 0; s /= 2) v += __shfl_down_sync(0xffffffff, v, s);
  if (threadIdx.x == 0) out[0] = v;
}
