// Tiles of several warps: each meets at a barrier of its own, reduces and hands on values.
#include <cstdio>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

constexpr int kThreads = 256;

template <int Size>
__global__ void reduce_tiles(const int* in, int* out) {
  __shared__ cg::block_tile_memory<kThreads> scratch;
  const cg::thread_block block = cg::this_thread_block(scratch);
  const auto tile = cg::tiled_partition<Size>(block);
  const int value = in[block.thread_rank()];
  const int sum = cg::reduce(tile, value, cg::plus<int>());
  const int last = tile.shfl(value, Size - 1);
  const bool any = tile.any(value == 7), all = tile.all(value >= 0);
  if (tile.thread_rank() == 0) {
    int* mine = out + 4 * tile.meta_group_rank();
    mine[0] = sum, mine[1] = last, mine[2] = any + 2 * all, mine[3] = int(tile.meta_group_size());
  }
}

// The tiles do not wait for one another: each goes as many rounds as its rank says.
__global__ void rounds(int* out) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  __shared__ int turn[kThreads];
  const int base = 64 * int(tile.meta_group_rank()), rank = int(tile.thread_rank());
  turn[base + rank] = rank;
  for (unsigned i = 0; i <= tile.meta_group_rank(); ++i) {
    tile.sync();
    const int next = turn[base + (rank + 1) % 64];
    tile.sync();
    turn[base + rank] = next;
  }
  out[base + rank] = turn[base + rank];
}

template <int Size>
void show(const int* in, int* out) {
  reduce_tiles<Size><<<1, kThreads>>>(in, out);
  int host[16];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int tile = 0; tile < kThreads / Size; ++tile)
    std::printf("%d:%d,%d,%d,%d ", Size, host[4 * tile], host[4 * tile + 1], host[4 * tile + 2], host[4 * tile + 3]);
  std::printf("\n");
}

int main() {
  int host[kThreads], *in, *out;
  for (int i = 0; i < kThreads; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host), cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof host);
  show<64>(in, out);
  show<128>(in, out);
  show<256>(in, out);
  rounds<<<1, kThreads>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d\n", host[0], host[64 + 63], host[128], host[192 + 10]);
  cudaFree(in), cudaFree(out);
  return cudaGetLastError();
}
