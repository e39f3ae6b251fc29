/*---
title = "Two tiles in turn: copy the next while this one is used"
idea = "A row is on its way while the row before is added up"
source = "CUDA C++ Programming Guide, section Asynchronous Data Copies"
kernel = "add_rows"
look_at = [
  "WAIT is how many groups of copies may still be on their way: 1 is right, 0 is safe and slow, 2 is too early",
  "AGAIN is the barrier before a tile is filled again",
]

[[parameter]]
name = "WAIT"
title = "groups that may still be on their way"
default = 1
min = 0
max = 2

[[parameter]]
name = "AGAIN"
title = "a barrier before a tile is filled again"
default = 1
min = 0
max = 1

[[argument]]
name = "in"
type = "float"
shape = ["rows", "64"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["64"]
fill = "poison"

[[argument]]
name = "rows"
title = "rows to add up"
value = 6
min = 1
max = 64

[launch]
block = ["64"]
grid = ["1"]

[reference]
kind = "none"
---*/
#include <cuda_pipeline.h>

#ifndef WAIT
#define WAIT 1
#endif
#ifndef AGAIN
#define AGAIN 1
#endif

__global__ void add_rows(const float* in, float* out, int rows) {
  __shared__ float tile[2][64];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(float));
  __pipeline_commit();
  for (int k = 0; k < rows; ++k) {
    if (k + 1 < rows) __pipeline_memcpy_async(&tile[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(float));
    __pipeline_commit();  // empty in the last round: the count of groups stays in step
    __pipeline_wait_prior(WAIT);
    __syncthreads();
    sum += tile[k % 2][63 - t];
    if (AGAIN) __syncthreads();
  }
  out[t] = sum;
}
