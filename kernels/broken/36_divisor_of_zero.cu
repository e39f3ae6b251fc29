/*---
title = "A remainder by zero"
idea = "The first thread divides by its own number"
source = "A mistake often seen in first kernels"
kernel = "wrap"
look_at = ["What the diagnostics say, and where"]

[[argument]]
name = "in"
type = "float"
shape = ["n"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["n"]
fill = "poison"

[[argument]]
name = "n"
title = "elements"
value = 64
min = 64
max = 64

[launch]
block = ["64"]
grid = ["1"]
shared = "0"

[reference]
kind = "none"
---*/
__global__ void wrap(const float* in, float* out, int n) {
  const int period = threadIdx.x;
  out[threadIdx.x] = in[(n - 1) % period % n];
}
