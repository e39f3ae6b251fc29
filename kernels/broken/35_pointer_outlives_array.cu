/*---
title = "A pointer outlives its array"
idea = "The array ends with its braces, the pointer does not"
source = "A mistake often seen in first kernels"
kernel = "near"
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
__global__ void near(const float* in, float* out, int n) {
  const float* best = nullptr;
  {
    float found[4];
    for (int i = 0; i < 4; ++i) found[i] = in[(threadIdx.x + i) % n];
    best = found;
  }
  out[threadIdx.x] = best[threadIdx.x % 4];
}
