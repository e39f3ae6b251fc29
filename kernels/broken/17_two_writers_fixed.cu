/*---
title = "Two warps write one word, corrected"
idea = "A place for each warp"
source = "A mistake often seen in first kernels"
kernel = "count_leaders"
look_at = ["Compare with the broken twin"]

[[argument]]
name = "out"
type = "int"
shape = ["2"]
fill = "poison"

[launch]
block = ["64"]
grid = ["1"]
shared = "0"

[reference]
kind = "none"
---*/
__global__ void count_leaders(int* out) {
  __shared__ int leader[2];
  if (threadIdx.x < 2) leader[threadIdx.x] = -1;
  __syncthreads();
  int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) leader[warp] = warp;
  __syncthreads();
  if (threadIdx.x < 2) out[threadIdx.x] = leader[threadIdx.x];
}
