/*---
title = "The inner loop of a GEMM"
idea = "Rows of A stand eight words apart, threads eight rows"
kernel = "gemm_registers"
look_at = [
  "The load from As: four rows of threads, one bank",
  "The store to As, which must not suffer",
]

[[argument]]
name = "M"
title = "rows of A and C"
value = 64
min = 1
max = 4096

[[argument]]
name = "N"
title = "columns of B and C"
value = 64
min = 1
max = 4096

[[argument]]
name = "K"
title = "columns of A, rows of B"
value = 32
min = 1
max = 4096

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
block = ["64"]
grid = ["ceil_div(N, 64)", "ceil_div(M, 64)"]

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
#define BM 64
#define BN 64
#define BK 8
#define TM 8
#define TN 8

// 64 threads; each keeps TM rows by TN columns of C in registers.
__global__ void gemm_registers(int M, int N, int K, const float* A, const float* B, float* C) {
  __shared__ float As[BK][BM + 4];  // turned; the rows of a column of A that a warp stores lie askew
  __shared__ float Bs[BK][BN];
  int ty = threadIdx.x / (BN / TN), tx = threadIdx.x % (BN / TN);
  float sum[TM][TN] = {};

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int e = threadIdx.x; e < BM * BK; e += 64) {
      int row = blockIdx.y * BM + e / BK, k = k0 + e % BK;
      As[e % BK][e / BK] = row < M && k < K ? A[row * K + k] : 0.0f;
    }
    for (int e = threadIdx.x; e < BK * BN; e += 64) {
      int k = k0 + e / BN, column = blockIdx.x * BN + e % BN;
      Bs[e / BN][e % BN] = k < K && column < N ? B[k * N + column] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
      for (int i = 0; i < TM; ++i) a[i] = As[k][ty * TM + i];
      for (int j = 0; j < TN; ++j) b[j] = Bs[k][j * (BN / TN) + tx];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      int row = blockIdx.y * BM + ty * TM + i, column = blockIdx.x * BN + j * (BN / TN) + tx;
      if (row < M && column < N) C[row * N + column] = sum[i][j];
    }
}
