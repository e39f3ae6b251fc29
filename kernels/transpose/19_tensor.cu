/*---
title = "Tensor copies and matrix moves"
idea = "The copy engine brings the tile and takes it away, swizzled; in between four warps turn it, matrix by matrix"
source = "PTX ISA, cp.async.bulk.tensor"
kernel = "transpose_tensor"
look_at = [
  "No lane computes an address in global memory, nor asks where the matrix ends",
  "The tile arrives swizzled: ldmatrix.trans and stmatrix meet no conflict",
  "Where rows do not begin at 16 bytes, threads do what the engine cannot",
]

[[argument]]
name = "in"
type = "half"
shape = ["ny", "nx"]
fill = "random"

[[argument]]
name = "out"
type = "half"
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

[[argument]]
name = "in_map"
type = "CUtensorMap"
of = "in"
box = [64, 64]
swizzle = 128
when = "nx % 8 == 0"

[[argument]]
name = "out_map"
type = "CUtensorMap"
of = "out"
box = [64, 64]
swizzle = 128
when = "ny % 8 == 0"

[launch]
block = ["128"]
grid = ["ceil_div(nx, 64)", "ceil_div(ny, 64)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#include <cuda.h>
#include <cuda_fp16.h>

constexpr int TILE = 64;  // halves: rows of 128 bytes, eight chunks of 16

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

// Chunk c of row r lies where chunk c ^ (r % 8) would: eight rows' chunks of one column are in different banks.
__device__ half* chunk_of(half* tile, int r, int c) { return &tile[r * TILE + 8 * (c ^ r % 8)]; }

// Eight neighbours of a row, of which some may lie beyond its end; whole where rows begin at 16 bytes.
__device__ uint4 load_chunk(const half* from, int left, bool whole) {
  if (whole && left > 0) return *(const uint4*)from;
  union {
    uint4 chunk;
    half one[8];
  } v = {};
  for (int i = 0; i < 8 && i < left; ++i) v.one[i] = from[i];
  return v.chunk;
}
__device__ void store_chunk(half* to, uint4 chunk, int left, bool whole) {
  if (whole) {
    if (left > 0) *(uint4*)to = chunk;
    return;
  }
  union {
    uint4 chunk;
    half one[8];
  } v = {chunk};
  for (int i = 0; i < 8 && i < left; ++i) to[i] = v.one[i];
}

// Row i of matrix m is the one that lane 8 m + i names; each comes transposed: of its column l / 4 lane l gets the rows
// 2 (l % 4) and the next.
__device__ void load_transposed(unsigned (&word)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
               : "r"(shared_address(row)));
}

__device__ void store_matrices(half* row, const unsigned (&word)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(row)),
               "r"(word[0]), "r"(word[1]), "r"(word[2]), "r"(word[3])
               : "memory");
}

// The copy engine brings a tile, and says so to a barrier that counts its bytes.
__device__ void fetch(half* to, const CUtensorMap& map, int x, int y, unsigned long long& full) {
  unsigned barrier = shared_address(&full);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(TILE * TILE * 2) : "memory");
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
                   "r"(shared_address(to)),
               "l"(&map), "r"(x), "r"(y), "r"(barrier)
               : "memory");
}
__device__ void wait(unsigned long long& full) {
  unsigned over;
  do {
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(shared_address(&full))
                 : "memory");
  } while (!over);
}
__device__ void send(const CUtensorMap& map, int x, int y, const half* from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x), "r"(y),
               "r"(shared_address(from))
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

__global__ void transpose_tensor(const half* in, half* out, int nx, int ny, const __grid_constant__ CUtensorMap in_map,
                                 const __grid_constant__ CUtensorMap out_map) {
  __shared__ __align__(1024) half tile[TILE * TILE];
  __shared__ __align__(1024) half turned[TILE * TILE];
  __shared__ unsigned long long full;
  const bool engine = nx % 8 == 0 && ny % 8 == 0;
  const int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (engine && threadIdx.x == 0) fetch(tile, in_map, x0, y0, full);
  if (!engine)
    for (int e = threadIdx.x; e < TILE * 8; e += 128) {
      int r = e / 8, c = e % 8, x = x0 + 8 * c, y = y0 + r;
      *(uint4*)chunk_of(tile, r, c) = load_chunk(&in[y * nx + x], y < ny ? nx - x : 0, false);
    }
  __syncthreads();
  if (engine) wait(full);

  for (int c = 2 * warp; c < 2 * warp + 2; ++c)
    for (int r = 0; r < TILE; r += 32) {
      unsigned word[4];
      load_transposed(word, chunk_of(tile, r + lane, c));
      store_matrices(chunk_of(turned, 8 * c + lane % 8, r / 8 + lane / 8), word);
    }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the engine is to see it
  __syncthreads();

  if (engine && threadIdx.x == 0) send(out_map, y0, x0, turned);
  if (!engine)
    for (int e = threadIdx.x; e < TILE * 8; e += 128) {
      int r = e / 8, c = e % 8, x = x0 + r, y = y0 + 8 * c;
      store_chunk(&out[x * ny + y], *(uint4*)chunk_of(turned, r, c), x < nx ? ny - y : 0, false);
    }
}
