/*---
title = "The last block waits for all parts"
idea = "Before a block counts itself, a fence makes its part visible to all"
source = "The pattern of CUDA's threadFenceReduction sample, without its fence"
kernel = "add_parts"
look_at = ["Compare with the broken twin"]

[[argument]]
name = "in"
type = "int"
shape = ["8"]
fill = "index"

[[argument]]
name = "part"
type = "int"
shape = ["8"]
fill = "poison"

[[argument]]
name = "done"
type = "unsigned"
shape = ["1"]
fill = "zero"

[[argument]]
name = "out"
type = "int"
shape = ["1"]
fill = "poison"


[launch]
block = ["64"]
grid = ["8"]
shared = "0"

[reference]
kind = "none"
---*/
__global__ void add_parts(const int* in, int* part, unsigned* done, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = 2 * in[blockIdx.x];
    __threadfence();
    is_last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += part[i];
  *out = sum;
}
