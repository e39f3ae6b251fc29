/*---
title = "HGEMM, mma.sync, several tiles in flight"
idea = "While the tensor cores work on one tile, cp.async brings the next ones, a piece between any two steps"
kernel = "hgemm_multistage"
look_at = [
  "Fragments of the next step are loaded while this one is multiplied, across the border of tiles too",
  "A tile is overwritten one barrier after its last ldmatrix",
  "Grid x runs down the rows of C: blocks that run together share columns of B in the L2",
]

[[parameter]]
name = "BM"
title = "block tile, rows of C"
default = 128
choices = [64, 128, 256]

[[parameter]]
name = "BN"
title = "block tile, columns of C"
default = 256
choices = [64, 128, 256]

[[parameter]]
name = "BK"
title = "block tile, depth"
default = 64
choices = [32, 64]

[[parameter]]
name = "WM"
title = "warp tile, rows of C"
default = 64
choices = [32, 64]

[[parameter]]
name = "WN"
title = "warp tile, columns of C"
default = 64
choices = [32, 64]

[[parameter]]
name = "STAGES"
title = "tiles in flight"
default = 3
min = 2
max = 4

[[argument]]
name = "M"
title = "rows of A and C"
value = 256
min = 1
max = 8192

[[argument]]
name = "N"
title = "columns of B and C"
value = 512
min = 1
max = 8192

[[argument]]
name = "K"
title = "columns of A, rows of B"
value = 256
min = 1
max = 8192

[[argument]]
name = "A"
type = "half"
shape = ["M", "K"]
fill = "random"

[[argument]]
name = "B"
type = "half"
shape = ["K", "N"]
fill = "random"

[[argument]]
name = "C"
type = "half"
shape = ["M", "N"]
fill = "poison"

[launch]
block = ["(BM / WM) * (BN / WN) * 32"]
grid = ["ceil_div(M, BM)", "ceil_div(N, BN)"]
shared = "STAGES * BK * (BM + BN) * 2"

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#ifndef BM
#define BM 128
#endif
#ifndef BN
#define BN 256
#endif
#ifndef BK
#define BK 64
#endif
#ifndef WM
#define WM 64
#endif
#ifndef WN
#define WN 64
#endif
#ifndef STAGES
#define STAGES 3
#endif

constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int MT = WM / 16, NT = WN / 8;  // mma tiles of a warp

// Where chunk `c` (8 halves) of row `r` lies: its column's bits are exchanged by those of the row, so that
// the eight rows of a matrix meet eight different chunks. Rows of 32 halves fill half of the banks: two rows share.
template <int COLUMNS>
__device__ int swizzled(int r, int c) {
  constexpr int CHUNKS = COLUMNS / 8;
  int key = CHUNKS >= 8 ? r % 8 : r / (8 / CHUNKS) % CHUNKS;
  return r * COLUMNS + (c ^ key) * 8;
}

// Eight halves of a row of `from`, 16 bytes at a time; what lies outside the matrix is zero.
__device__ uint4 load8(const half* from, int row, int column, int rows, int pitch) {
  uint4 out = make_uint4(0, 0, 0, 0);
  if (row >= rows || column >= pitch) return out;
  from += row * pitch + column;
  if (pitch % 8 == 0) return *(const uint4*)from;
  // Rows that do not begin at 16 bytes
  half* each = (half*)&out;
  for (int i = 0; i < 8 && column + i < pitch; ++i) each[i] = from[i];
  return out;
}

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

// Four 8 x 8 matrices; lanes 8m to 8m + 7 give the addresses of matrix m's rows.
__device__ void load_matrices(unsigned (&to)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}
__device__ void load_turned(unsigned (&to)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}

// d += a * b, 16 x 8 x 16
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// The two words change places between this lane and lane ^ mask: a goes to the lower lane, b to the upper.
__device__ void exchange(unsigned& a, unsigned& b, int mask) {
  bool upper = threadIdx.x & mask;
  unsigned got = __shfl_xor_sync(~0u, upper ? a : b, mask);
  (upper ? a : b) = got;
}

// Four lanes have two columns each of four tiles of 8 columns; each stores the eight of one, 16 bytes.
__device__ void store_row(half* C, int y, int x, int M, int N, const float (&left)[4], const float (&right)[4]) {
  int lane = threadIdx.x % 4;
  if (N % 8 == 0) {
    unsigned word[4];
    for (int i = 0; i < 4; ++i) {
      half2 pair = __floats2half2_rn(left[i], right[i]);
      word[i] = *(unsigned*)&pair;
    }
    exchange(word[0], word[1], 1);
    exchange(word[2], word[3], 1);
    exchange(word[0], word[2], 2);
    exchange(word[1], word[3], 2);
    x += 8 * lane;
    if (y < M && x < N) *(uint4*)&C[y * N + x] = make_uint4(word[0], word[1], word[2], word[3]);
    return;
  }
  for (int i = 0; i < 4; ++i) {
    int at = x + 8 * i + 2 * lane;
    if (y < M && at < N) C[y * N + at] = __float2half_rn(left[i]);
    if (y < M && at + 1 < N) C[y * N + at + 1] = __float2half_rn(right[i]);
  }
}

// One tile after the other, in a ring of STAGES.
struct Tiles {
  half A[BM * BK];
  half B[BK * BN];
};

// Blocks at the edge look at every chunk and do not copy asynchronously.
__device__ void copy_guarded(Tiles& to, int k0, int by, int bx, int M, int N, int K, const half* A, const half* B) {
  for (int e = threadIdx.x; e < BM * BK / 8; e += THREADS) {
    int r = e / (BK / 8), c = e % (BK / 8);
    *(uint4*)&to.A[swizzled<BK>(r, c)] = load8(A, by * BM + r, k0 + 8 * c, M, K);
  }
  for (int e = threadIdx.x; e < BK * BN / 8; e += THREADS) {
    int r = e / (BN / 8), c = e % (BN / 8);
    *(uint4*)&to.B[swizzled<BN>(r, c)] = load8(B, k0 + r, bx * BN + 8 * c, K, N);
  }
}

// One of four parts of the thread's share of ROWS x COLUMNS; `from` goes on to the next.
template <int ROWS, int COLUMNS>
__device__ void copy_part(half* to, const half*& from, int pitch, int part) {
  constexpr int CHUNKS = COLUMNS / 8, STEP = THREADS / CHUNKS, COUNT = ROWS / STEP / 4;
  static_assert(STEP % 8 == 0 && COUNT * STEP * 4 == ROWS, "threads must share a tile evenly");
  to += swizzled<COLUMNS>(threadIdx.x / CHUNKS, threadIdx.x % CHUNKS) + part * COUNT * STEP * COLUMNS;
#pragma unroll
  for (int i = 0; i < COUNT; ++i) {
    __pipeline_memcpy_async(to + i * STEP * COLUMNS, from, 16);
    from += STEP * pitch;
  }
}

template <bool WHOLE>
__device__ void multiply_tiles(Tiles* tiles, int by, int bx, int warp_row, int warp_column,
                               float (&sum)[MT][NT][4], int M, int N, int K, const half* A, const half* B) {
  const int lane = threadIdx.x % 32, count = (K + BK - 1) / BK;
  const half* a_from = &A[(by * BM + threadIdx.x / (BK / 8)) * K + threadIdx.x % (BK / 8) * 8];
  const half* b_from = &B[threadIdx.x / (BN / 8) * N + bx * BN + threadIdx.x % (BN / 8) * 8];
  auto fetch = [&](int t, int part) {
    if (t >= count) return;
    Tiles& to = tiles[t % STAGES];
    if (!WHOLE) {
      if (part == 0) copy_guarded(to, t * BK, by, bx, M, N, K, A, B);
      return;
    }
    copy_part<BM, BK>(to.A, a_from, K, part);
    copy_part<BK, BN>(to.B, b_from, N, part);
    if (part == 3) a_from += BK - BM * K;
  };

  unsigned a[2][MT][4], b[2][NT / 2][4];
  auto load = [&](int t, int k, int slot) {
    const Tiles& tile = tiles[t % STAGES];
    // Tiles begin at multiples of eight rows: the XOR is that of the lane alone.
#pragma unroll
    for (int i = 0; i < MT; ++i)
      load_matrices(a[slot][i], &tile.A[(warp_row + 16 * i) * BK + swizzled<BK>(lane % 16, k / 8 + lane / 16)]);
#pragma unroll
    for (int j = 0; j < NT / 2; ++j)
      load_turned(b[slot][j], &tile.B[k * BN + swizzled<BN>(lane % 16, (warp_column + 16 * j) / 8 + lane / 16)]);
  };

#pragma unroll
  for (int t = 0; t < STAGES - 1; ++t) {
#pragma unroll
    for (int part = 0; part < 4; ++part) fetch(t, part);
    __pipeline_commit();
  }
  __pipeline_wait_prior(STAGES - 2);
  __syncthreads();  // the first tile is there
  load(0, 0, 0);

  constexpr int STEPS = BK / 16;
#pragma unroll 6  // of the usual three stages, and of two slots: each copy of the loop knows its own
  for (int t = 0; t < count; ++t) {
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      int now = step % 2;
#pragma unroll
      for (int part = step * 4 / STEPS; part < (step + 1) * 4 / STEPS; ++part) fetch(t + STAGES - 1, part);
      if (step + 1 < STEPS) {
        load(t, 16 * (step + 1), 1 - now);
      } else {
        __pipeline_commit();  // a group for every tile, so that the wait can count them
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();  // the next tile is there, and nobody reads this one any more
        load(t + 1 < count ? t + 1 : t, 0, 1 - now);  // the last one twice: no branch between products
      }
#pragma unroll
      for (int i = 0; i < MT; ++i)
#pragma unroll
        for (int n = 0; n < NT; ++n) {
          int j = i % 2 ? NT - 1 - n : n;  // there and back: the next product has one operand in common
          multiply(sum[i][j], a[now][i], b[now][j / 2][j % 2 * 2], b[now][j / 2][j % 2 * 2 + 1]);
        }
    }
  }
}

__global__ void __launch_bounds__(THREADS)
    hgemm_multistage(int M, int N, int K, const half* A, const half* B, half* C) {
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles must fill the block tile");
  extern __shared__ __align__(128) Tiles tiles[];

  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int warp_row = warp / (BN / WN) * WM, warp_column = warp % (BN / WN) * WN;
  int by = blockIdx.x, bx = blockIdx.y;  // neighbouring blocks share columns of B
  float sum[MT][NT][4] = {};

  bool whole = K % BK == 0 && N % 8 == 0 && (by + 1) * BM <= M && (bx + 1) * BN <= N;
  if (whole)
    multiply_tiles<true>(tiles, by, bx, warp_row, warp_column, sum, M, N, K, A, B);
  else
    multiply_tiles<false>(tiles, by, bx, warp_row, warp_column, sum, M, N, K, A, B);

#pragma unroll
  for (int i = 0; i < MT; ++i)
#pragma unroll
    for (int h = 0; h < 2; ++h)
#pragma unroll
      for (int j = 0; j < NT; j += 4) {
        float left[4], right[4];
#pragma unroll
        for (int n = 0; n < 4; ++n) left[n] = sum[i][j + n][2 * h], right[n] = sum[i][j + n][2 * h + 1];
        int y = by * BM + warp_row + 16 * i + 8 * h + lane / 4;
        store_row(C, y, bx * BN + warp_column + 8 * j, M, N, left, right);
      }
}
