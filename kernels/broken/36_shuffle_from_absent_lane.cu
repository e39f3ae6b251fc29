/*---
title = "A shuffle reads from a lane that has ended"
idea = "Threads beyond the end return at once, and the sum of the warp takes their lanes' values all the same"
source = "A mistake often seen in reductions with a tail"
kernel = "warp_sum"
look_at = ["What the diagnostics say, and where"]

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
  if (t >= n) return;
  int v = in[t];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t == 0) *out = v;
}
