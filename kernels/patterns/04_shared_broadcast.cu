/*---
title = "Shared: broadcast"
idea = "All lanes want one word: it is read once and handed to all"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "shared_broadcast"
look_at = [
  "One word, one wavefront, 32 lanes joined",
  "Two lanes on one word are never a conflict; two words of one bank are",
]

[[parameter]]
name = "WORD"
title = "the word"
default = 5
min = 0
max = 63

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
#ifndef WORD
#define WORD 5
#endif

__global__ void shared_broadcast(float* out) {
  __shared__ float words[64];
  for (int i = threadIdx.x; i < 64; i += 32) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[WORD];
}
