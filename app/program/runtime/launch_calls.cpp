// Launches, and what may be asked about kernels.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lanescope/clusters.h"
#include "lanescope/occupancy.h"
#include "program/runtime/submit.h"

using namespace lanescope::app;
using lanescope::Dim3;

namespace {

struct Configuration {
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  /// Where the launch stands
  const void* caller = nullptr;
};
/// What stands between <<< and >>>, until the kernel's stub fetches it.
thread_local std::vector<Configuration> configurations;
/// Of the launch that a stub is about to make: its own call has the kernel's line, not the launch's.
thread_local const void* launched_from = nullptr;

cudaError_t find_kernel(const Call& call, const void* stub, KernelFacts& facts) {
  Launcher* launcher = runtime().outer.launcher;
  if (launcher != nullptr && stub != nullptr) facts = launcher->facts(stub);
  if (!facts.name.empty()) return cudaSuccess;
  return call.fail(cudaErrorInvalidDeviceFunction, hex(stub) + " is no kernel");
}

std::uint32_t most_threads(const KernelFacts& facts) {
  const std::uint32_t device = runtime().outer.device.max_threads_per_block;
  return facts.most_threads == 0 ? device : std::min(facts.most_threads, device);
}

std::size_t dynamic_limit(const KernelFacts& facts, const void* stub) {
  const auto set = runtime().kernels.find(stub);
  if (set != runtime().kernels.end() && set->second.most_dynamic_shared >= 0)
    return static_cast<std::size_t>(set->second.most_dynamic_shared);
  const std::uint32_t usual = runtime().outer.device.static_shared_bytes;
  return usual - std::min(usual, facts.static_shared_bytes);
}

std::string shape(dim3 d) { return fmt::format("{} x {} x {}", d.x, d.y, d.z); }

bool within(dim3 d, Dim3 limit) { return d.x <= limit.x && d.y <= limit.y && d.z <= limit.z; }
bool is_empty(dim3 d) { return d.x == 0 || d.y == 0 || d.z == 0; }

/// What a launch of an impossible shape returns. Measured on an H200 with CUDA 13.0, for too many threads,
/// none, and a grid or block over its limits; CUDA 12 documents cudaErrorInvalidConfiguration.
constexpr cudaError_t kImpossibleShape = cudaErrorInvalidValue;

cudaError_t check_shape(const Call& call, const KernelFacts& facts, const KernelWork& kernel) {
  const lanescope::DevicePreset& device = runtime().outer.device;
  const auto refuse = [&](const std::string& why) {
    return call.fail(kImpossibleShape, facts.name + ": " + why);
  };
  if (is_empty(kernel.grid)) return refuse("a grid of " + shape(kernel.grid) + " blocks");
  if (is_empty(kernel.block)) return refuse("blocks of " + shape(kernel.block) + " threads");
  if (!within(kernel.grid, device.max_grid))
    return refuse("a grid of " + shape(kernel.grid) + " blocks is larger than " +
                  shape({device.max_grid.x, device.max_grid.y, device.max_grid.z}));
  const bool fits = within(kernel.block, device.max_block);
  const std::uint64_t threads =
      fits ? std::uint64_t{kernel.block.x} * kernel.block.y * kernel.block.z : 0;
  if (!fits || threads > device.max_threads_per_block)
    return refuse(fmt::format("blocks of {} threads; there may be {}, and {} along each axis",
                              shape(kernel.block), device.max_threads_per_block,
                              shape({device.max_block.x, device.max_block.y, device.max_block.z})));
  if (threads > most_threads(facts))
    return call.fail(cudaErrorLaunchOutOfResources,
                     fmt::format("{}: blocks of {} threads, and __launch_bounds__ promised at most "
                                 "{}",
                                 facts.name, threads, facts.most_threads));
  return cudaSuccess;
}

std::uint32_t resident_blocks(const KernelFacts& facts, dim3 block, std::size_t shared) {
  const lanescope::DevicePreset& device = runtime().outer.device;
  if (facts.static_shared_bytes + shared > device.optin_shared_bytes) return 0;
  return lanescope::occupancy(device, {block.x, block.y, block.z},
                              facts.static_shared_bytes + shared)
      .blocks;
}

cudaError_t check_kernel(const Call& call, const KernelFacts& facts, const KernelWork& kernel) {
  if (const cudaError_t error = check_shape(call, facts, kernel); error != cudaSuccess)
    return error;
  const std::size_t limit = dynamic_limit(facts, kernel.stub);
  if (kernel.shared > limit)
    return call.fail(cudaErrorInvalidValue,
                     fmt::format("{}: {} bytes of dynamic shared memory, and it may have {}; "
                                 "cudaFuncSetAttribute with "
                                 "cudaFuncAttributeMaxDynamicSharedMemorySize allows more",
                                 facts.name, kernel.shared, limit));
  if (!kernel.cooperative) return cudaSuccess;
  const std::uint64_t resident =
      std::uint64_t{resident_blocks(facts, kernel.block, kernel.shared)} *
      static_cast<std::uint64_t>(runtime().facts.multiprocessors);
  const std::uint64_t blocks = Dim3{kernel.grid.x, kernel.grid.y, kernel.grid.z}.count();
  if (blocks <= resident) return cudaSuccess;
  return call.fail(cudaErrorCooperativeLaunchTooLarge,
                   fmt::format("{}: {} blocks of a cooperative launch have to be resident at once, "
                               "and {} can be",
                               facts.name, blocks, resident));
}

cudaError_t launch(const Call& call, KernelWork kernel, cudaStream_t stream) {
  const cudaError_t error = check_launch(call, kernel);
  return error == cudaSuccess ? submit_kernel(call, stream, std::move(kernel)) : error;
}

KernelWork kernel_work(const void* stub, dim3 grid, dim3 block, void** arguments,
                       std::size_t shared, bool cooperative) {
  KernelWork work;
  work.stub = stub;
  work.grid = grid;
  work.block = block;
  work.arguments = arguments;
  work.shared = shared;
  work.cooperative = cooperative;
  return work;
}

cudaError_t set_attribute(const Call& call, const void* stub, cudaFuncAttribute attribute,
                          int value) {
  KernelFacts facts;
  const cudaError_t error = find_kernel(call, stub, facts);
  if (error != cudaSuccess) return error;
  KernelSettings& settings = runtime().kernels[stub];
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    if (value < -1 || value > 100)
      return call.fail(cudaErrorInvalidValue,
                       fmt::format("a carveout is -1 or 0 to 100, not {}", value));
    settings.carveout = value;
    return cudaSuccess;
  }
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  const lanescope::DevicePreset& device = runtime().outer.device;
  const int most =
      static_cast<int>(device.optin_shared_bytes) - static_cast<int>(facts.static_shared_bytes);
  if (value < 0 || value > most)
    return call.fail(cudaErrorInvalidValue,
                     fmt::format("{} bytes of dynamic shared memory; {} may have {} on {}", value,
                                 facts.name, most, device.name));
  settings.most_dynamic_shared = value;
  return cudaSuccess;
}

cudaError_t get_attributes(const Call& call, cudaFuncAttributes* to, const void* stub) {
  KernelFacts facts;
  if (to == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the answer");
  const cudaError_t error = find_kernel(call, stub, facts);
  if (error != cudaSuccess) return error;
  const lanescope::DevicePreset& device = runtime().outer.device;
  *to = {};
  to->sharedSizeBytes = facts.static_shared_bytes;
  to->constSizeBytes = facts.constant_bytes;
  to->localSizeBytes = facts.local_bytes;
  to->maxThreadsPerBlock = static_cast<int>(most_threads(facts));
  to->numRegs = static_cast<int>(facts.registers);
  to->ptxVersion = to->binaryVersion = device.compute_major * 10 + device.compute_minor;
  to->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_limit(facts, stub));
  to->preferredShmemCarveout = runtime().kernels[stub].carveout;
  return cudaSuccess;
}

cudaError_t count_resident(const Call& call, int* blocks, const void* stub, int block_size,
                           size_t shared) {
  KernelFacts facts;
  if (blocks == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the answer");
  const cudaError_t error = find_kernel(call, stub, facts);
  if (error != cudaSuccess) return error;
  if (block_size <= 0)
    return call.fail(cudaErrorInvalidValue, fmt::format("blocks of {} threads", block_size));
  const auto threads = static_cast<std::uint32_t>(block_size);
  *blocks = threads > most_threads(facts) || shared > dynamic_limit(facts, stub)
                ? 0
                : static_cast<int>(resident_blocks(facts, dim3(threads), shared));
  return cudaSuccess;
}

}  // namespace

cudaError_t lanescope::app::check_launch(const Call& call, const KernelWork& kernel) {
  KernelFacts facts;
  const cudaError_t error = find_kernel(call, kernel.stub, facts);
  return error == cudaSuccess ? check_kernel(call, facts, kernel) : error;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream, __builtin_return_address(0)});
  return 0;
}
unsigned __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  const Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  launched_from = last.caller;
  return 0;
}
int cudaConfigureCall(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  return static_cast<int>(__cudaPushCallConfiguration(grid, block, shared, stream));
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
  const void* own = __builtin_return_address(0);
  const void* from = std::exchange(launched_from, nullptr);
  return answer(__func__, from != nullptr ? from : own, [&](const Call& call) {
    return launch(call, kernel_work(kernel, grid, block, arguments, shared, false), stream);
  });
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared, cudaStream_t stream) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return launch(call, kernel_work(kernel, grid, block, arguments, shared, true), stream);
  });
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                void** arguments) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (config == nullptr) return call.fail(cudaErrorInvalidValue, "no configuration is given");
    KernelWork work = kernel_work(kernel, config->gridDim, config->blockDim, arguments,
                                  config->dynamicSmemBytes, false);
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const cudaLaunchAttribute& attribute = config->attrs[i];
      if (attribute.id == cudaLaunchAttributeCooperative)
        work.cooperative = attribute.val.cooperative != 0;
      if (attribute.id != cudaLaunchAttributeClusterDimension) continue;
      const auto& size = attribute.val.clusterDim;
      const lanescope::Dim3 cluster{size.x, size.y, size.z};
      if (cluster.count() == 0 || cluster.count() > lanescope::kMostClusterBlocks)
        return call.fail(cudaErrorInvalidClusterSize,
                         fmt::format("a cluster has 1 to {} blocks, not {}",
                                     lanescope::kMostClusterBlocks, cluster.count()));
      if (work.grid.x % cluster.x != 0 || work.grid.y % cluster.y != 0 ||
          work.grid.z % cluster.z != 0)
        return call.fail(cudaErrorInvalidClusterSize,
                         "the grid has to be a multiple of the cluster in each dimension");
      work.cluster = cluster;
    }
    return launch(call, std::move(work), config->stream);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return get_attributes(call, attributes, kernel); });
}
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return set_attribute(call, kernel, attribute, value); });
}
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    KernelFacts facts;
    return find_kernel(call, kernel, facts);
  });
}
cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    KernelFacts facts;
    return find_kernel(call, kernel, facts);
  });
}
cudaError_t cudaFuncGetName(const char** name, const void* kernel) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    // Kept for the program, by name: a handful of kernels.
    static std::map<std::string, bool> names;
    KernelFacts facts;
    const cudaError_t error = find_kernel(call, kernel, facts);
    if (error == cudaSuccess) *name = names.emplace(facts.name, true).first->first.c_str();
    return error;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel,
                                                          int block_size, size_t shared) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return count_resident(call, blocks, kernel, block_size, shared);
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int block_size, size_t shared,
                                                                   unsigned) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return count_resident(call, blocks, kernel, block_size, shared);
  });
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared, const void* kernel,
                                                      int blocks, int block_size) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    KernelFacts facts;
    const cudaError_t error = find_kernel(call, kernel, facts);
    if (error != cudaSuccess) return error;
    if (shared == nullptr || blocks <= 0 || block_size <= 0)
      return call.fail(cudaErrorInvalidValue, "blocks and threads have to be at least 1");
    // The largest of the units in which it is handed out that still leaves so many blocks.
    std::size_t most = dynamic_limit(facts, kernel) / 128 * 128;
    const auto threads = static_cast<std::uint32_t>(block_size);
    while (most > 0 && resident_blocks(facts, dim3(threads), most) < static_cast<unsigned>(blocks))
      most -= 128;
    *shared = most;
    return cudaSuccess;
  });
}
