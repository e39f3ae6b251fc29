/*---
title = "Shared: stride"
idea = "Lane i on word STRIDE * i: gcd(STRIDE, 32) lanes meet in each bank"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "shared_stride"
look_at = [
  "Odd strides are free; stride 2 is a 2-way conflict, 4 a 4-way, 32 a 32-way",
  "Stride 0 is free too: all lanes want the same word",
]

[[parameter]]
name = "STRIDE"
title = "stride (words)"
default = 2
min = 0
max = 64

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

__global__ void shared_stride(float* out) {
  __shared__ float words[31 * STRIDE + 1];
  for (int i = threadIdx.x; i < 31 * STRIDE + 1; i += 32) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[STRIDE * threadIdx.x];
}
