/*---
title = "Copy by tensor copies"
idea = "One thread asks for whole tiles: the copy engine moves them, an mbarrier counts their bytes"
source = "CUDA C++ Programming Guide, Tensor Memory Access"
kernel = "tensor_copy"
look_at = [
  "No thread touches an element: the tile goes to shared memory and out again past all registers",
  "What of a tile lies beyond the matrix is filled with zeros, and not written back",
]

[[parameter]]
name = "BOX_X"
title = "tile, columns"
default = 32
choices = [4, 8, 16, 32, 64, 128]

[[parameter]]
name = "BOX_Y"
title = "tile, rows"
default = 32
choices = [8, 16, 32, 64]

[[argument]]
name = "in"
type = "float"
shape = ["ny", "nx"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["ny", "nx"]
fill = "poison"

[[argument]]
name = "nx"
title = "columns of in, a multiple of 4"
value = 1024
min = 4
max = 32768

[[argument]]
name = "ny"
title = "rows of in"
value = 1024
min = 1
max = 32768

[[argument]]
name = "map_in"
type = "CUtensorMap"
of = "in"
box = ["BOX_X", "BOX_Y"]

[[argument]]
name = "map_out"
type = "CUtensorMap"
of = "out"
box = ["BOX_X", "BOX_Y"]

[launch]
block = ["32"]
grid = ["ceil_div(nx, BOX_X)", "ceil_div(ny, BOX_Y)"]

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
#include <cuda.h>

#ifndef BOX_X
#define BOX_X 32
#endif
#ifndef BOX_Y
#define BOX_Y 32
#endif

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ bool is_over(unsigned barrier, unsigned parity) {
  unsigned over;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(over) : "r"(barrier), "r"(parity) : "memory");
  return over;
}

__global__ void tensor_copy(const __grid_constant__ CUtensorMap map_in, const __grid_constant__ CUtensorMap map_out, int nx, int ny) {
  __shared__ __align__(128) float tile[BOX_Y][BOX_X];
  __shared__ unsigned long long full;
  const unsigned tile_at = shared_address(tile), full_at = shared_address(&full);
  const int x = blockIdx.x * BOX_X, y = blockIdx.y * BOX_Y;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(full_at) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full_at), "r"((unsigned)sizeof tile) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(tile_at), "l"(&map_in), "r"(x), "r"(y), "r"(full_at) : "memory");
    while (!is_over(full_at, 0)) {}
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                 ::"l"(&map_out), "r"(x), "r"(y), "r"(tile_at) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}
