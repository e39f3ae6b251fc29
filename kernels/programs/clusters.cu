// Blocks of a cluster share one histogram: each holds a part of its bins in shared memory, and all count into all
// parts. How many blocks a cluster has is said by the launch.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kBins = 64, kCount = 1 << 14, kThreads = 128;

__global__ void spread_histogram(const unsigned* values, int count, unsigned* bins, int bins_of_block) {
  extern __shared__ unsigned own[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int bin = threadIdx.x; bin < bins_of_block; bin += blockDim.x) own[bin] = 0;
  cluster.sync();  // nobody counts into bins that are not yet zero
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const int bin = values[i] % kBins;
    unsigned* part = cluster.map_shared_rank(own, bin / bins_of_block);
    atomicAdd(part + bin % bins_of_block, 1u);
  }
  cluster.sync();  // nobody leaves while others count into its part
  for (int bin = threadIdx.x; bin < bins_of_block; bin += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * bins_of_block + bin], own[bin]);
}

int main() {
  std::vector<unsigned> values(kCount), wanted(kBins), got(kBins);
  for (int i = 0; i < kCount; ++i) ++wanted[(values[i] = i * 2654435761u >> 7) % kBins];
  unsigned *in, *out;
  cudaMalloc(&in, kCount * sizeof *in);
  cudaMalloc(&out, kBins * sizeof *out);
  cudaMemcpy(in, values.data(), kCount * sizeof *in, cudaMemcpyHostToDevice);
  for (const unsigned blocks : {1u, 2u, 8u}) {
    cudaMemset(out, 0, kBins * sizeof *out);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = blocks;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 16;
    config.blockDim = kThreads;
    config.dynamicSmemBytes = kBins / blocks * sizeof(unsigned);
    config.attrs = &attribute;
    config.numAttrs = 1;
    const cudaError_t error = cudaLaunchKernelEx(&config, spread_histogram, static_cast<const unsigned*>(in), kCount,
                                                 out, static_cast<int>(kBins / blocks));
    cudaMemcpy(got.data(), out, kBins * sizeof *out, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int bin = 0; bin < kBins; ++bin) wrong += got[bin] != wanted[bin];
    std::printf("clusters of %u: %s, %d bins are wrong\n", blocks, cudaGetErrorName(error), wrong);
  }
  cudaLaunchAttribute uneven{};
  uneven.id = cudaLaunchAttributeClusterDimension;
  uneven.val.clusterDim.x = 3;
  uneven.val.clusterDim.y = uneven.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 16, config.blockDim = kThreads;
  config.attrs = &uneven, config.numAttrs = 1;
  std::printf("clusters of 3 in a grid of 16: %s\n",
              cudaGetErrorName(cudaLaunchKernelEx(&config, spread_histogram, static_cast<const unsigned*>(in), kCount,
                                                  out, kBins)));
  cudaFree(in);
  cudaFree(out);
}
