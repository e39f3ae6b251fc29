/*---
title = "Fastest: square by square, in the order the memory likes"
idea = "16-byte accesses throughout, 4 x 4 squares turned in registers, a swizzled tile, and blocks ordered so that writes run along the rows of out"
source = "Own design, tuned on an NVIDIA H200"
kernel = "transpose_fastest"
look_at = [
  "Every access moves 16 bytes a lane, and every shared request takes its ideal four wavefronts: a square's column c goes to place r ^ (c & 7)",
  "Compare ORDER 0 and 1: the counts are the same to the last sector, the time is not. The counters see a warp, the memory sees the whole grid",
  "Rows of 32768 floats lie 128 KiB apart: ORDER 2 lets two streams of blocks run 4096 columns apart, and they meet other memory channels",
]
attempts = [
  "H200s, 32768 x 32768 floats. The device-to-device copy moves 4270 GB/s on one and 4296 on another, cuBLAS geam 3895 and 3925. Reading alone: 4690 along rows, 4480 down columns; writing alone: 4665 along rows, 4225 down columns. It is the writes that must run along rows",
  "64 x 64 tile, float4 both ways through a swizzled tile, blocks along the rows of in (ORDER 0): 3950",
  "The same, blocks along the rows of out (ORDER 1): 4098. The order alone gives 4 %",
  "Square patches of 4 to 64 tiles, to share memory pages between reads and writes: 3765 to 3930, the finer the mix the worse; diagonal: 3844",
  "Skewed columns, to spread the reads over the channels: 3850 to 4070, because every skew tears the writes apart",
  "Two streams of blocks (ORDER 2), where a row is a multiple of 128 KiB: 4140 to 4150 when they are 32 or 64 tiles apart, 4065 to 4090 when 2, 8, 16, 24 or 128: it takes another bit 13 or 14 of the address to reach other channels. Four streams: 4095. At 32000 columns one stream is better, 4137 against 4096: there is nothing to spread",
  "Down one column and up the next, so that each begins where the one before has ended: 4147 instead of 4143, four medians of a hundred in four. One stream half or a quarter of a column behind the other, against it, or 2, 4, 8, 16 tiles at a time: nothing, or a little less",
  "Half columns, 256 tiles, all the way across and then the other half back, the streams now 64 tiles apart: 4149. Quarter columns: 4085; five blocks a multiprocessor: 4140. Doubles want the same distance in bytes: 4077 instead of 3993",
  "The neighbouring column of in brought into L2 meanwhile, so that memory is read 512 bytes at a time: 3700. The next wave of blocks brought into L2: 4095",
  "Tiles of 32 x 64, 64 x 32, 128 x 32: 3890 to 3980, 128-byte rows are too short. 64 x 128, 128 x 64, 128 x 128, 64 x 256: 4060 to 4135, no better than 64 x 64",
  "No shared memory, squares turned in registers: 3550 to 3950. Half-lines from a warp cost more than a barrier",
  "Persistent blocks: 3600 to 3960, for they drift apart and the order is lost. The next tile prefetched into registers: 3945",
  "cp.async straight into shared memory, turned on the way out: 4143, the same as through registers",
  "Bytes in flight: 4 blocks of 16 KiB on a multiprocessor are best; 5 cost 0.3 %, 6 0.5 %, 8 or 3 4 %. A plain copy too is at its best with 32 KiB, 4285, and loses 4 % with more",
  "Cache hints: streaming on loads and stores alike gives 1 % at 4096 and nothing at 32768; on the loads alone it costs 2.6 %, on the stores alone 0.4 %; 256-byte prefetch costs 3 %",
  "What is left: the best order of reads and writes still costs about 3 % of a plain copy, the same 4140 to 4150 GB/s for every variant that gets that far, on every card. That is 0.971 of the copy and 1.065 of cuBLAS where the copy moves 4271 GB/s, 0.966 and 1.057 where it moves 4295; at 4096 x 4096 0.988 to 0.993 and 1.124 to 1.130",
]

[[parameter]]
name = "ELEMENT"
title = "element type"
choices = ["float", "double"]

[[parameter]]
name = "ORDER"
title = "blocks run: 0 along in, 1 along out, 2 two streams where it helps"
default = 2
min = 0
max = 2

[[parameter]]
name = "APART"
title = "tiles of floats between two streams"
choices = ["64", "16", "32", "128"]

[[argument]]
name = "in"
type = "ELEMENT"
shape = ["ny", "nx"]
fill = "index"

[[argument]]
name = "out"
type = "ELEMENT"
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
block = ["256"]
grid = ["ceil_div(ny, 64)", "ceil_div(nx, 64)"]

[reference]
kind = "transpose"
inputs = ["in"]
output = "out"
---*/
#ifndef ELEMENT
#define ELEMENT float
#endif
#ifndef ORDER
#define ORDER 2
#endif
#ifndef APART
#define APART 64
#endif

template <class Element> struct WideOf;
template <> struct WideOf<float> { typedef float4 type; };
template <> struct WideOf<double> { typedef double2 type; };
typedef WideOf<ELEMENT>::type Wide;  // 16 bytes

constexpr int kTile = 64;
constexpr int kApart = APART * 4 / sizeof(ELEMENT);  // tiles; it is the distance in bytes that counts
constexpr int kThreads = 256;
constexpr int kWide = 16 / sizeof(ELEMENT);           // elements in 16 bytes, and rows of a square
constexpr int kAcross = kTile / kWide;          // squares in a row of the tile
constexpr int kEach = kAcross * kAcross / kThreads;  // squares a thread turns

template <class V> __device__ void swap_values(V& a, V& b) {
  V c = a;
  a = b;
  b = c;
}
__device__ void turn(float4 (&v)[4]) {
  swap_values(v[0].y, v[1].x);
  swap_values(v[0].z, v[2].x);
  swap_values(v[0].w, v[3].x);
  swap_values(v[1].z, v[2].y);
  swap_values(v[1].w, v[3].y);
  swap_values(v[2].w, v[3].z);
}
__device__ void turn(double2 (&v)[2]) { swap_values(v[0].y, v[1].x); }

// Row of out, and place in that row, to where it is kept: columns of squares lie in eight bank groups.
__device__ int place(int row, int wide) { return row * kAcross + (wide ^ (row / kWide & 7)); }

struct Tile {
  int x, y;  // in tiles
};

// Which tile a block works on. Blocks start with x running fastest, and the grid is tiles down x tiles across.
__device__ Tile tile_of(int nx) {
  int down = gridDim.x, across = gridDim.y;
  Tile tile = {(int)blockIdx.y, (int)blockIdx.x};  // along the rows of out
  if (ORDER == 0) {
    int block = blockIdx.y * down + blockIdx.x;
    tile.x = block % across;
    tile.y = block / across;
  }
  // Rows that are a multiple of 128 KiB apart begin in the same memory channel: work in two places at once, kApart
  // tiles from each other. Down half a column, up the next, and so on to the end; then the other half, backwards.
  if (ORDER == 2 && nx % (131072 / (int)sizeof(ELEMENT)) == 0 && across % (2 * kApart) == 0 && down % 2 == 0) {
    int stream = blockIdx.x % 2, step = blockIdx.x / 2;
    int half = blockIdx.y / (across / 2), column = blockIdx.y % (across / 2);
    if (half == 1) column = across / 2 - 1 - column;
    tile.x = column / kApart * 2 * kApart + column % kApart + stream * kApart;
    tile.y = half * (down / 2) + (column % 2 ? down / 2 - 1 - step : step);
  }
  return tile;
}

// Edges, and rows that no float4 can be aligned in.
__device__ void scalar_tile(const ELEMENT* in, ELEMENT* out, int nx, int ny, Tile tile, ELEMENT* shared) {
  for (int i = threadIdx.x; i < kTile * kTile; i += kThreads) {
    int column = i % kTile, row = i / kTile;
    int ix = tile.x * kTile + column, iy = tile.y * kTile + row;
    if (ix < nx && iy < ny) shared[place(column, row / kWide) * kWide + row % kWide] = in[iy * nx + ix];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kTile * kTile; i += kThreads) {
    int column = i % kTile, row = i / kTile;
    int ox = tile.y * kTile + column, oy = tile.x * kTile + row;
    if (ox < ny && oy < nx) out[oy * ny + ox] = shared[place(row, column / kWide) * kWide + column % kWide];
  }
}

__global__ void __launch_bounds__(kThreads, sizeof(ELEMENT) == 4 ? 4 : 3)
    transpose_fastest(const ELEMENT* __restrict__ in, ELEMENT* __restrict__ out, int nx, int ny) {
  __shared__ Wide shared[kTile * kAcross];
  Tile tile = tile_of(nx);
  bool inside = (tile.x + 1) * kTile <= nx && (tile.y + 1) * kTile <= ny;
  if (!inside || nx % kWide != 0 || ny % kWide != 0) {
    scalar_tile(in, out, nx, ny, tile, reinterpret_cast<ELEMENT*>(shared));
    return;
  }

  const Wide* from = reinterpret_cast<const Wide*>(in + (size_t)tile.y * kTile * nx + tile.x * kTile);
  Wide v[kEach][kWide];
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    int square = threadIdx.x + e * kThreads;
    int c = square % kAcross, r = square / kAcross;
#pragma unroll
    for (int i = 0; i < kWide; ++i) v[e][i] = __ldcs(&from[(kWide * r + i) * (nx / kWide) + c]);
  }
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    int square = threadIdx.x + e * kThreads;
    int c = square % kAcross, r = square / kAcross;
    turn(v[e]);
#pragma unroll
    for (int i = 0; i < kWide; ++i) shared[place(kWide * c + i, r)] = v[e][i];
  }

  __syncthreads();

  Wide* to = reinterpret_cast<Wide*>(out + (size_t)tile.x * kTile * ny + tile.y * kTile);
#pragma unroll
  for (int e = 0; e < kEach * kWide; ++e) {
    int i = threadIdx.x + e * kThreads;
    int wide = i % kAcross, row = i / kAcross;
    __stcs(&to[row * (ny / kWide) + wide], shared[place(row, wide)]);
  }
}
