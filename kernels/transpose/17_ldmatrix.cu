/*---
title = "ldmatrix.trans"
idea = "A matrix load that transposes: each lane gets two neighbours of a column, so that the tile is turned on its way into registers"
source = "PTX ISA, Warp-level Matrix Load Instruction: ldmatrix"
kernel = "transpose_ldmatrix"
look_at = [
  "One instruction reads four matrices of 8 x 8 halves; lanes name rows, and receive columns",
  "The swizzle frees both the stores of rows and the matrix loads of conflicts",
  "Four lanes exchange their words, so that each stores 16 bytes; 8 rows of 64 bytes are 16 whole sectors",
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

// Row i of matrix m is the one that lane 8 m + i names; each comes transposed: of its column l / 4 lane l gets the rows
// 2 (l % 4) and the next.
__device__ void load_transposed(unsigned (&word)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
               : "r"(shared_address(row)));
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

__global__ void transpose_ldmatrix(const half* in, half* out, int nx, int ny) {
  __shared__ __align__(128) half tile[TILE * TILE];
  const int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE;
  for (int e = threadIdx.x; e < TILE * 8; e += 128) {
    int r = e / 8, c = e % 8, x = x0 + 8 * c, y = y0 + r;
    *(uint4*)chunk_of(tile, r, c) = load_chunk(&in[y * nx + x], y < ny ? nx - x : 0, nx % 8 == 0);
  }
  __syncthreads();

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int c = 2 * warp; c < 2 * warp + 2; ++c)  // eight columns of the tile
    for (int r = 0; r < TILE; r += 32) {
      unsigned word[4];
      load_transposed(word, chunk_of(tile, r + lane, c));
      exchange_quads(word);
      int x = x0 + 8 * c + lane / 4, y = y0 + r + 8 * (lane % 4);
      store_chunk(&out[x * ny + y], make_uint4(word[0], word[1], word[2], word[3]), x < nx ? ny - y : 0, ny % 8 == 0);
    }
}
