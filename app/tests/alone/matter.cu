/*---
title = "The same as flags"
[compile]
include = "headers"
define = ["THREADS=64"]
standard = "c++20"
[[argument]]
name = "p"
type = "Particle"
shape = "auto"
[[argument]]
name = "w"
shape = 64
file = "headers/ramp.bin"
[[argument]]
name = "unused"
value = "null"
---*/
#include "particle.cuh"

__global__ void weigh(Particle* p, const float* w, int* unused) {
  static_assert(__cplusplus >= 202002L);
  unsigned i = blockIdx.x * THREADS + threadIdx.x;
  if (i < 64) p[i].x = w[i];
  if (unused) *unused = 1;
}
