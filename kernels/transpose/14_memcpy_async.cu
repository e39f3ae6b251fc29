/*---
title = "Asynchronous copies into the tile"
idea = "cg::memcpy_async moves rows straight into shared memory, with no register in between"
source = "CUDA C++ Programming Guide, section Asynchronous Data Copies"
kernel = "transpose_memcpy_async"
look_at = [
  "Each warp copies four rows; global reads and shared writes are one operation",
  "On hardware this is LDGSTS: a profiler counts its shared writes elsewhere than under shared stores",
  "cg::wait and a barrier before the tile is read: the copies of the other warps must have landed too",
]

[[parameter]]
name = "PAD"
title = "padding (elements a row)"
default = 1
min = 0
max = 32

[[argument]]
name = "in"
type = "float"
shape = ["ny", "nx"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["nx", "ny"]
fill = "poison"

[[argument]]
name = "nx"
title = "columns of in"
value = 1024
min = 1
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 1024
min = 1
max = 32768

[launch]
block = ["32", "8"]
grid = ["ceil_div(nx, 32)", "ceil_div(ny, 32)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#ifndef PAD
#define PAD 1
#endif

namespace cg = cooperative_groups;

__global__ void transpose_memcpy_async(const float* in, float* out, int nx, int ny) {
  __shared__ float tile[32][32 + PAD];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);

  int ix = blockIdx.x * 32;
  int iy = blockIdx.y * 32 + warp.meta_group_rank();
  int width = min(32, nx - ix);  // the same for all threads of the block
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    if (iy + i < ny)
      cg::memcpy_async(warp, tile[warp.meta_group_rank() + i], &in[(iy + i) * nx + ix], sizeof(float) * width);
  cg::wait(block);
  __syncthreads();

  int jx = blockIdx.x * 32 + threadIdx.y;
  int jy = blockIdx.y * 32 + threadIdx.x;
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    if (jx + i < nx && jy < ny) out[(jx + i) * ny + jy] = tile[threadIdx.x][threadIdx.y + i];
}
