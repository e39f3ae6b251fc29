/*---
title = "SGEMM, several tiles in flight"
idea = "cp.async brings the next tiles while the warps work on this one, and turns A on its way in"
source = "after CUTLASS's SIMT kernels"
kernel = "gemm_double_buffered"
look_at = [
  "A comes in 4 bytes at a time: an asynchronous copy may put each word where it likes, so As is turned for nothing but wavefronts",
  "One barrier a tile instead of two: the tile that is overwritten was used up before the last barrier",
  "The next step of k is loaded while this one is multiplied: registers are double buffered too",
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
default = 16
choices = [8, 16, 32]

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

[[parameter]]
name = "PAD"
title = "padding (elements a row of As)"
default = 4
choices = [0, 4, 8]

[[argument]]
name = "M"
title = "rows of A and C"
value = 512
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
type = "float"
shape = ["M", "K"]
fill = "random"

[[argument]]
name = "B"
type = "float"
shape = ["K", "N"]
fill = "random"

[[argument]]
name = "C"
type = "float"
shape = ["M", "N"]
fill = "poison"

[launch]
block = ["(BM / WM) * (BN / WN) * 32"]
grid = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
shared = "STAGES * BK * (BM + PAD + BN) * 4"

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
#include <cuda_pipeline.h>

#ifndef BM
#define BM 128
#endif
#ifndef BN
#define BN 256
#endif
#ifndef BK
#define BK 16
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
#ifndef PAD
#define PAD 4
#endif

constexpr int THREADS = (BM / WM) * (BN / WN) * 32;
constexpr int TM = WM / 4, TN = WN / 8;  // a thread's part of the warp tile

struct Tiles {
  float A[BK][BM + PAD];
  float B[BK][BN];
};

// A thread's words of both tiles at k0. Blocks at the edge look at every element.
__device__ void copy_guarded(Tiles& to, int k0, int M, int N, int K, const float* A, const float* B) {
  for (int e = threadIdx.x; e < BM * BK; e += THREADS) {
    int r = e / BK, k = e % BK;
    int iy = blockIdx.y * BM + r;
    if (iy < M && k0 + k < K)
      __pipeline_memcpy_async(&to.A[k][r], &A[iy * K + k0 + k], 4);
    else
      to.A[k][r] = 0.0f;
  }
  for (int e = threadIdx.x; e < BK * BN; e += THREADS) {
    int k = e / BN, c = e % BN;
    int ix = blockIdx.x * BN + c;
    if (k0 + k < K && ix < N)
      __pipeline_memcpy_async(&to.B[k][c], &B[(k0 + k) * N + ix], 4);
    else
      to.B[k][c] = 0.0f;
  }
}

// The same without looking; `a` and `b` are the thread's first words.
__device__ void copy_whole(Tiles& to, const float* a, const float* b, int N, int K) {
  constexpr int ROWS = THREADS / BK, QUADS = BN / 4;
  float* a_to = &to.A[threadIdx.x % BK][threadIdx.x / BK];
#pragma unroll
  for (int r = 0; r < BM; r += ROWS) {
    __pipeline_memcpy_async(a_to + r, a, 4);
    a += ROWS * K;
  }
  float* b_to = &to.B[threadIdx.x / QUADS][threadIdx.x % QUADS * 4];
#pragma unroll
  for (int k = 0; k < BK; k += THREADS / QUADS) {
    __pipeline_memcpy_async(b_to + k * BN, b, 16);
    b += THREADS / QUADS * N;
  }
}

template <bool WHOLE>
__device__ void multiply_tiles(Tiles* tiles, int row, int column, float (&sum)[TM][TN], int M, int N, int K,
                               const float* A, const float* B) {
  const float* a_from = &A[(blockIdx.y * BM + threadIdx.x / BK) * K + threadIdx.x % BK];
  const float* b_from = &B[threadIdx.x / (BN / 4) * N + blockIdx.x * BN + threadIdx.x % (BN / 4) * 4];
  int count = (K + BK - 1) / BK;
  auto fetch = [&](int t, int stage) {
    if (t < count) {
      if (WHOLE)
        copy_whole(tiles[stage], a_from, b_from, N, K);
      else
        copy_guarded(tiles[stage], t * BK, M, N, K, A, B);
      a_from += BK;
      b_from += BK * N;
    }
    __pipeline_commit();  // a group for every tile, so that the wait can count them
  };
  for (int t = 0; t < STAGES - 1; ++t) fetch(t, t);

  for (int t = 0; t < count; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();  // this tile is there, and nobody reads the one before it any more
    fetch(t + STAGES - 1, (t + STAGES - 1) % STAGES);

    const Tiles& tile = tiles[t % STAGES];
    float a[2][TM], b[2][TN];
    auto load = [&](int k) {
#pragma unroll
      for (int i = 0; i < TM; i += 4) *(float4*)&a[k % 2][i] = *(const float4*)&tile.A[k][row + 4 * i];
#pragma unroll
      for (int j = 0; j < TN; j += 4) *(float4*)&b[k % 2][j] = *(const float4*)&tile.B[k][column + 8 * j];
    };
    load(0);
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      if (k + 1 < BK) load(k + 1);
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += a[k % 2][i] * b[k % 2][j];
    }
  }
}

__global__ void __launch_bounds__(THREADS)
    gemm_double_buffered(int M, int N, int K, const float* A, const float* B, float* C) {
  static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles must fill the block tile");
  static_assert(BM * BK % THREADS == 0 && THREADS % BK == 0, "threads must share A evenly");
  static_assert(BK * BN / 4 % THREADS == 0, "threads must share B evenly");
  extern __shared__ __align__(16) Tiles tiles[];

  // 4 by 8 lanes: which lanes share words decides which loads merge.
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int row = warp / (BN / WN) * WM + (lane / 16 * 2 + lane / 2 % 2) * 4;
  int column = warp % (BN / WN) * WN + (lane / 4 % 4 * 2 + lane % 2) * 4;
  float sum[TM][TN] = {};

  bool whole = K % BK == 0 && N % 4 == 0 && (blockIdx.y + 1) * BM <= M && (blockIdx.x + 1) * BN <= N;
  if (whole)
    multiply_tiles<true>(tiles, row, column, sum, M, N, K, A, B);
  else
    multiply_tiles<false>(tiles, row, column, sum, M, N, K, A, B);

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      int iy = blockIdx.y * BM + row + 16 * (i / 4) + i % 4, ix = blockIdx.x * BN + column + 8 * j;
      if (iy >= M || ix >= N) continue;
      float* to = &C[iy * N + ix];
      if (N % 4 == 0) {
        *(float4*)to = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
      } else {
#pragma unroll
        for (int e = 0; e < 4; ++e)
          if (ix + e < N) to[e] = sum[i][j + e];
      }
    }
}
