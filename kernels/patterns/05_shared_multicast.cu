/*---
title = "Shared: multicast"
idea = "Groups of lanes share a word: what counts is the number of different words in a bank"
source = "Rules read from the counters of an NVIDIA H200"
kernel = "shared_multicast"
look_at = [
  "Groups of 4: eight words, each for four lanes, one wavefront",
  "STRIDE 32 puts the words of all groups in one bank: 32 / GROUP wavefronts",
]

[[parameter]]
name = "GROUP"
title = "lanes on one word"
default = 4
min = 1
max = 32

[[parameter]]
name = "STRIDE"
title = "words between groups"
default = 1
min = 0
max = 32

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
#ifndef GROUP
#define GROUP 4
#endif
#ifndef STRIDE
#define STRIDE 1
#endif

__global__ void shared_multicast(float* out) {
  __shared__ float words[31 * STRIDE + 1];
  for (int i = threadIdx.x; i < 31 * STRIDE + 1; i += 32) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x / GROUP * STRIDE];
}
