/*---
title = "One tile, two shapes"
idea = "A linear index read as three: group of rows, row of the group, depth"
kernel = "stage_tile"
look_at = [
  "The load from in: how far apart its lanes are",
  "Which digit of e runs fastest",
]

[[parameter]]
name = "BM"
title = "rows of the tile"
default = 32
min = 1
max = 128

[[parameter]]
name = "BK"
title = "depth of the tile"
default = 8
min = 1
max = 64

[[parameter]]
name = "TM"
title = "rows a thread"
default = 4
min = 1
max = 16

[[argument]]
name = "M"
title = "rows"
value = 64
min = 1
max = 8192

[[argument]]
name = "K"
title = "columns"
value = 64
min = 1
max = 8192

[[argument]]
name = "in"
type = "float"
shape = ["M", "K"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["M", "K"]
fill = "poison"

[[layout]]
array = "As"
shape = "BM/TM, TM, BK"

[launch]
block = ["128"]
grid = ["ceil_div(K, BK)", "ceil_div(M, BM)"]

[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
#ifndef BM
#define BM 32
#endif
#ifndef BK
#define BK 8
#endif
#ifndef TM
#define TM 4
#endif
#define THREADS 128

// Stages BM rows of BK elements as As[BM / TM][TM][BK], the shape in which a GEMM wants them, and
// puts them back. Element e of the tile is counted along its rows.
__global__ void stage_tile(int M, int K, const float* in, float* out) {
  __shared__ float As[BM / TM][TM][BK];

  for (int e = threadIdx.x; e < BM * BK; e += THREADS) {
    int k = e % BK;              // fastest
    int i = e / BK % TM;
    int group = e / BK / TM;     // slowest
    int row = blockIdx.y * BM + group * TM + i, column = blockIdx.x * BK + k;
    if (row < M && column < K) As[group][i][k] = in[row * K + column];
  }

  __syncthreads();

  for (int e = threadIdx.x; e < BM * BK; e += THREADS) {
    int k = e % BK, r = e / BK;
    int row = blockIdx.y * BM + r, column = blockIdx.x * BK + k;
    if (row < M && column < K) out[row * K + column] = (&As[0][0][0])[e];
  }
}
