// Groups smaller than a block: tiles of 8 lanes that add among themselves, and a reduction of the library's.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sums_of_tiles(const int* in, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int value = in[block.thread_rank()];
  for (int offset = tile.size() / 2; offset > 0; offset /= 2)
    value += tile.shfl_down(value, offset);
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = value;
}

__global__ void largest_of_block(const int* in, int* out) {
  __shared__ int largest[4];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int found = cg::reduce(warp, in[block.thread_rank()], cg::greater<int>());
  if (warp.thread_rank() == 0) largest[warp.meta_group_rank()] = found;
  block.sync();
  if (block.thread_rank() == 0) {
    for (int i = 1; i < 4; ++i) largest[0] = max(largest[0], largest[i]);
    *out = largest[0];
  }
}

int main() {
  int host[128], sums[16], *in, *out;
  for (int i = 0; i < 128; ++i) host[i] = (i * 37) % 101;
  cudaMalloc(&in, sizeof host), cudaMalloc(&out, sizeof sums);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sums_of_tiles<<<1, 128>>>(in, out);
  cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int tile = 0; tile < 16; ++tile) {
    int expected = 0;
    for (int i = 0; i < 8; ++i) expected += host[8 * tile + i];
    wrong += sums[tile] != expected;
  }
  largest_of_block<<<1, 128>>>(in, out);
  cudaMemcpy(sums, out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d tiles are wrong; the largest is %d\n", wrong, sums[0]);
  cudaFree(in), cudaFree(out);
  return cudaGetLastError();
}
