/*---
title = "The next chunk on its way"
idea = "Two buffers, and only one of them in use"
kernel = "copy_ahead"
look_at = [
  "What arrives in the buffer while it is read",
  "How many groups of copies are on their way, and how many may be",
]

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
value = 4096
min = 1
max = 16777216

[[argument]]
name = "chunks"
title = "chunks a block"
value = 8
min = 1
max = 64

[launch]
block = ["128"]
grid = ["ceil_div(n, chunks * 128)"]

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
#include <cuda_pipeline.h>

#define CHUNK 128

// Each block goes through its part of the array chunk by chunk. While a chunk is worked on, the next
// one is on its way. Threads take elements that others have asked for, as real work would.
__global__ void copy_ahead(const float* in, float* out, int n, int chunks) {
  __shared__ float buffer[2][CHUNK];
  int first = blockIdx.x * chunks * CHUNK, t = threadIdx.x;

  for (int chunk = 0; chunk <= chunks; ++chunk) {
    if (chunk < chunks) {  // ask for this one, into the buffer that is free …
      int i = first + chunk * CHUNK + t;
      if (i < n) __pipeline_memcpy_async(&buffer[chunk % 2][t], &in[i], sizeof(float));
    }
    __pipeline_commit();  // empty behind the last chunk, so that the count stays the same
    if (chunk == 0) continue;
    __pipeline_wait_prior(1);  // … and, all but the newest group being here, work on the one before it
    __syncthreads();
    int i = first + (chunk - 1) * CHUNK + CHUNK - 1 - t;
    if (i < n) out[i] = buffer[(chunk - 1) % 2][CHUNK - 1 - t];
    __syncthreads();
  }
}
