/*---
title = "HGEMM, TMA and wgmma"
idea = "One warpgroup fetches: the copy engine brings whole tiles, barriers in shared memory count their bytes. The others only multiply, four warps at once, straight from shared memory"
kernel = "hgemm_wgmma"
look_at = [
  "One thread fetches a tile of 48 KiB; nobody computes the addresses of its elements",
  "full: the tile's bytes have come. empty: both warpgroups have read it. No barrier of the block in the loop",
  "A warpgroup multiplies 64 x 256 x 16 with one instruction; its operands never pass through registers",
  "At the end four lanes exchange their columns, so that each stores 16 bytes",
]

[[parameter]]
name = "BM"
title = "block tile, rows of C"
default = 128
choices = [64, 128]

[[parameter]]
name = "BN"
title = "block tile, columns of C"
default = 256
choices = [64, 128, 256]

[[parameter]]
name = "STAGES"
title = "tiles in flight"
default = 4
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
name = "A_map"
type = "CUtensorMap"
of = "A"
box = [64, "BM"]
swizzle = 128
when = "K % 8 == 0"

[[argument]]
name = "B_map"
type = "CUtensorMap"
of = "B"
box = [64, 64]
swizzle = 128
when = "N % 8 == 0"

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
block = ["(BM / 64 + 1) * 128"]
grid = ["ceil_div(M, BM)", "ceil_div(N, BN)"]
shared = "STAGES * (64 * (BM + BN) * 2 + 16)"

[reference]
kind = "gemm"
inputs = ["A", "B"]
output = "C"
---*/
#include <cuda.h>
#include <cuda_fp16.h>

#ifndef BM
#define BM 128
#endif
#ifndef BN
#define BN 256
#endif
#ifndef STAGES
#define STAGES 4
#endif

constexpr int BK = 64;                       // 128 bytes: the row that the swizzle is made for
constexpr int GROUPS = BM / 64;              // warpgroups that multiply, each 64 rows of the tile
constexpr int THREADS = (GROUPS + 1) * 128;  // and one that fetches

struct Tiles {
  half A[BM * BK];  // rows of 8 chunks; chunk c of row r lies where chunk c ^ (r % 8) would
  half B[BN * BK];  // BN / 64 panels, each 64 rows of 64 columns, likewise
};
using Barrier = unsigned long long;
struct Shared {
  Tiles tiles[STAGES];
  Barrier full[STAGES], empty[STAGES];
};

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void init(Barrier& barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(arrivals) : "memory");
}
__device__ void arrive(Barrier& barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&barrier)) : "memory");
}
__device__ void arrive_expecting(Barrier& barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes)
               : "memory");
}
// Until the phase of this parity is over
__device__ void wait(Barrier& barrier, int parity) {
  int over;
  do {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.s32 %0, 1, 0, p;\n"
        "}"
        : "=r"(over)
        : "r"(shared_address(&barrier)), "r"(parity)
        : "memory");
  } while (!over);
}

// What threads wrote into shared memory becomes visible to copy engine and tensor cores.
__device__ void publish() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ void fetch_box(half* to, const CUtensorMap& map, int column, int row, Barrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
          "r"(shared_address(to)),
      "l"(&map), "r"(column), "r"(row), "r"(shared_address(&barrier))
      : "memory");
}

// The same by threads, where rows do not begin at 16 bytes and the copy engine cannot read them.
__device__ void fetch_by_threads(half* to, const half* from, int column, int row, int count, int rows, int pitch) {
  for (int e = threadIdx.x % 128; e < count * 64; e += 128) {
    int r = e / 64, c = e % 64;
    bool inside = row + r < rows && column + c < pitch;
    to[r * 64 + (c ^ r % 8 * 8)] = inside ? from[(row + r) * pitch + column + c] : __float2half_rn(0.0f);
  }
}

// Where an operand lies: its address, the bytes from one panel or group of eight rows to the next (all in units
// of 16), and the swizzle of 128 bytes.
__device__ unsigned long long operand(const half* at, int panel) {
  return (unsigned long long)(shared_address(at) >> 4) | (unsigned long long)(panel >> 4) << 16 | 1024ull >> 4 << 32 |
         1ull << 62;
}

#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
#define PLACES_32 \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define PLACES_64 \
  PLACES_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define PLACES_128 \
  PLACES_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

// d += a * b, 64 x BN x 16: a with rows of k, b with rows of columns (the last 1: transposed)
__device__ void multiply(float (&d)[BN / 2], unsigned long long a, unsigned long long b) {
#if BN == 256
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" PLACES_128 "}, %128, %129, 1, 1, 1, 0, 1;"
               : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80), SIXTEEN(96), SIXTEEN(112)
               : "l"(a), "l"(b));
#elif BN == 128
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" PLACES_64 "}, %64, %65, 1, 1, 1, 0, 1;"
               : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48)
               : "l"(a), "l"(b));
#else
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" PLACES_32 "}, %32, %33, 1, 1, 1, 0, 1;"
               : SIXTEEN(0), SIXTEEN(16)
               : "l"(a), "l"(b));
#endif
}
__device__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Until no more than LEFT groups are under way
template <int LEFT>
__device__ void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory");
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

// Tile after tile, as soon as its place in the ring is empty
__device__ void fetch(Shared& shared, int by, int bx, int M, int N, int K, const CUtensorMap& A_map,
                      const CUtensorMap& B_map, const half* A, const half* B) {
  const bool engine = K % 8 == 0 && N % 8 == 0, first = threadIdx.x % 128 == 0;
  if (engine && !first) return;
  for (int t = 0; t * BK < K; ++t) {
    Tiles& to = shared.tiles[t % STAGES];
    Barrier& full = shared.full[t % STAGES];
    wait(shared.empty[t % STAGES], t / STAGES % 2 ^ 1);
    if (engine) {
      arrive_expecting(full, sizeof(Tiles));
      fetch_box(to.A, A_map, t * BK, by * BM, full);
      for (int j = 0; j < BN; j += 64) fetch_box(&to.B[j * BK], B_map, bx * BN + j, t * BK, full);
    } else {
      fetch_by_threads(to.A, A, t * BK, by * BM, BM, M, K);
      for (int j = 0; j < BN; j += 64) fetch_by_threads(&to.B[j * BK], B, bx * BN + j, t * BK, BK, K, N);
      publish();
      asm volatile("bar.sync 1, 128;" ::: "memory");  // all of this warpgroup
      if (first) arrive(full);
    }
  }
}

__device__ void multiply_tiles(Shared& shared, int group, int K, float (&sum)[BN / 2]) {
  const bool speaks = threadIdx.x % 32 == 0;  // for its warp
  for (int t = 0; t * BK < K; ++t) {
    const Tiles& tiles = shared.tiles[t % STAGES];
    wait(shared.full[t % STAGES], t / STAGES % 2);
    begin_products();
    unsigned long long a = operand(&tiles.A[group * 64 * BK], 16), b = operand(tiles.B, 64 * BK * 2);
#pragma unroll
    for (int k = 0; k < BK; k += 16) multiply(sum, a + k * 2 / 16, b + k * 128 / 16);
    end_products();
    wait_products<1>();  // these may go on; those before them are done with their tile
    if (t > 0 && speaks) arrive(shared.empty[(t - 1) % STAGES]);
  }
  wait_products<0>();
}

__global__ void __launch_bounds__(THREADS, 1)
    hgemm_wgmma(int M, int N, int K, const __grid_constant__ CUtensorMap A_map,
                const __grid_constant__ CUtensorMap B_map, const half* A, const half* B, half* C) {
  extern __shared__ __align__(1024) char bytes[];
  Shared& shared = *(Shared*)bytes;
  const int group = threadIdx.x / 128, by = blockIdx.x, bx = blockIdx.y;  // neighbours share columns of B
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      init(shared.full[s], 1);
      init(shared.empty[s], GROUPS * 4);
    }
    publish();
  }
  __syncthreads();

  if (group == GROUPS) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");  // registers for those who multiply
    fetch(shared, by, bx, M, N, K, A_map, B_map, A, B);
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  float sum[BN / 2] = {};
  multiply_tiles(shared, group, K, sum);
  int row = by * BM + group * 64 + threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4;
#pragma unroll
  for (int j = 0; j < BN / 8; j += 4)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const float* at = &sum[4 * j + 2 * h];  // of a tile of 8 columns: two in this row, two eight rows below
      store_row(C, row + 8 * h, bx * BN + 8 * j, M, N, {at[0], at[4], at[8], at[12]}, {at[1], at[5], at[9], at[13]});
    }
}
