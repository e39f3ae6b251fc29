/*---
title = "stmatrix.trans"
idea = "The other way round: a tile is turned on its way out of registers, and rows of it leave as whole lines"
source = "PTX ISA, Warp-level Matrix Store Instruction: stmatrix"
kernel = "transpose_stmatrix"
look_at = [
  "Four lanes exchange what they have loaded, so that a matrix of 8 x 8 halves lies in one register of all lanes",
  "stmatrix.trans writes its columns as rows of the tile; lanes name the rows",
  "Only the tile's rows are read: a warp stores four lines of 128 bytes",
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

[launch]
block = ["128"]
grid = ["ceil_div(nx, 64)", "ceil_div(ny, 64)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
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

// Four matrices from registers to the rows that lanes name, each transposed on its way.
__device__ void store_transposed(half* row, const unsigned (&word)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(row)),
               "r"(word[0]), "r"(word[1]), "r"(word[2]), "r"(word[3])
               : "memory");
}

// A 4 x 4 transpose among four lanes: word i of lane q changes places with word q of lane i.
__device__ void exchange(unsigned& a, unsigned& b, int mask) {
  bool upper = threadIdx.x & mask;
  unsigned got = __shfl_xor_sync(~0u, upper ? a : b, mask);
  (upper ? a : b) = got;
}
__device__ void exchange_quads(unsigned (&word)[4]) {
  exchange(word[0], word[1], 1);
  exchange(word[2], word[3], 1);
  exchange(word[0], word[2], 2);
  exchange(word[1], word[3], 2);
}

__global__ void transpose_stmatrix(const half* in, half* out, int nx, int ny) {
  __shared__ __align__(128) half tile[TILE * TILE];
  const int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int r = 2 * warp; r < 2 * warp + 2; ++r)  // eight rows of in
    for (int c = 0; c < TILE; c += 32) {
      int x = x0 + c + 8 * (lane % 4), y = y0 + 8 * r + lane / 4;
      uint4 chunk = load_chunk(&in[y * nx + x], y < ny ? nx - x : 0, nx % 8 == 0);
      unsigned word[4] = {chunk.x, chunk.y, chunk.z, chunk.w};
      exchange_quads(word);
      store_transposed(chunk_of(tile, c + lane, r), word);
    }
  __syncthreads();

  for (int e = threadIdx.x; e < TILE * 8; e += 128) {
    int r = e / 8, c = e % 8, x = x0 + r, y = y0 + 8 * c;
    store_chunk(&out[x * ny + y], *(uint4*)chunk_of(tile, r, c), x < nx ? ny - y : 0, ny % 8 == 0);
  }
}
