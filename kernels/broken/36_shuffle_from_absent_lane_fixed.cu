/*---
title = "Every lane takes part"
idea = "Threads beyond the end take part with a zero"
source = "A mistake often seen in reductions with a tail"
kernel = "warp_sum"
look_at = ["Compare with the broken twin"]

[[argument]]
name = "in"
type = "int"
shape = ["20"]
fill = "index"

[[argument]]
name = "out"
type = "int"
shape = ["1"]
fill = "poison"

[[argument]]
name = "n"
type = "int"
value = "20"


[launch]
block = ["32"]
grid = ["1"]
shared = "0"

[reference]
kind = "none"
---*/
__global__ void warp_sum(const int* in, int* out, int n) {
  int t = threadIdx.x;
  int v = t < n ? in[t] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t == 0) *out = v;
}
