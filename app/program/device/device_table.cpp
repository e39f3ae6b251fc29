// Numbers of products, and all attributes of a device.
#include "program/device/device_table.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

namespace lanescope::app {
namespace {

constexpr std::size_t gib(std::size_t n) { return n << 30; }
constexpr int mib(int n) { return n << 20; }

constexpr DeviceFacts kFacts[] = {
    {"H200", "NVIDIA H200", 132, 1980000, 3201000, 6016, 150109880320, mib(60),
     "cudaGetDeviceProperties on an H200, driver 580.159.04, CUDA 13.0"},
    {"H100", "NVIDIA H100 80GB HBM3", 132, 1980000, 2619000, 5120, gib(80), mib(50),
     "NVIDIA H100 Tensor Core GPU Architecture white paper, SXM5"},
    {"B200", "NVIDIA B200", 148, 1965000, 3996000, 8192, gib(180), mib(126),
     "NVIDIA DGX B200 data sheet; 8 TB/s over 8192 bits"},
    {"A100", "NVIDIA A100-SXM4-40GB", 108, 1410000, 1215000, 5120, gib(40), mib(40),
     "NVIDIA A100 Tensor Core GPU Architecture white paper, SXM4 40 GB"},
    {"RTX 4090", "NVIDIA GeForce RTX 4090", 128, 2520000, 10501000, 384, gib(24), mib(72),
     "NVIDIA Ada GPU Architecture white paper"},
    {"RTX 3090", "NVIDIA GeForce RTX 3090", 82, 1695000, 9751000, 384, gib(24), mib(6),
     "NVIDIA Ampere GA102 GPU Architecture white paper"},
    {"T4", "Tesla T4", 40, 1590000, 5001000, 256, gib(16), mib(4),
     "NVIDIA Turing GPU Architecture white paper; Tesla T4 data sheet"},
    {"V100", "Tesla V100-SXM2-16GB", 80, 1530000, 877000, 4096, gib(16), mib(6),
     "NVIDIA Tesla V100 GPU Architecture white paper, SXM2"},
};

/// What cudaDeviceGetAttribute answers on an H200 (driver 580.159.04, CUDA 13.0), by the attribute's
/// number, 0 where it has no answer. What differs between presets is set over it.
constexpr int kMeasured[] = {
    0,        1024,      1024,       1024,   64,        2147483647, 65535,     65535,  49152,
    65536,    32,        2147483647, 65536,  1980000,   512,        1,         132,    0,
    0,        1,         0,          131072, 131072,    65536,      16384,     16384,  16384,
    32768,    32768,     2048,       512,    1,         1,          0,         6,      0,
    3201000,  6016,      62914560,   2048,   3,         1,          32768,     2048,   1,
    32768,    32768,     8192,       8192,   32768,     0,          32,        32768,  32768,
    2046,     32768,     131072,     65536,  16384,     16384,      16384,     32768,  2048,
    32768,    32768,     2048,       32768,  32768,     2046,       268435456, 131072, 65000,
    2097120,  32768,     32768,      9,      0,         32768,      1,         1,      1,
    233472,   65536,     1,          0,      0,         0,          2,         0,      1,
    1,        1,         0,          0,      0,         1,          1,         232448, 0,
    1,        0,         0,          1,      1,         0,          0,         32,     1,
    39321600, 134217728, 1,          1024,   1,         1,          1,         1,      1,
    1,        100,       9,          1,      1,         1,          1,         1,      1,
    4,        1,         1,          1,      0,         -1,         0,         0,      0,
    0,        0,         0,          0,      590680286, 415174878,  1,         1,      0,
    1,        1,         0,          0,
};

/// An attribute that follows from the preset or the product.
bool own_attribute(const DevicePreset& device, const DeviceFacts& facts, int attribute,
                   int& value) {
  const auto set = [&](std::size_t v) {
    value = static_cast<int>(std::min<std::size_t>(v, 0x7fffffff));
    return true;
  };
  const bool consumer = facts.name.find("GeForce") != std::string_view::npos;
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
    return set(device.max_threads_per_block);
  case cudaDevAttrMaxBlockDimX:
    return set(device.max_block.x);
  case cudaDevAttrMaxBlockDimY:
    return set(device.max_block.y);
  case cudaDevAttrMaxBlockDimZ:
    return set(device.max_block.z);
  case cudaDevAttrMaxGridDimX:
    return set(device.max_grid.x);
  case cudaDevAttrMaxGridDimY:
    return set(device.max_grid.y);
  case cudaDevAttrMaxGridDimZ:
    return set(device.max_grid.z);
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return set(device.static_shared_bytes);
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return set(device.optin_shared_bytes);
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return set(device.shared_bytes_per_sm);
  case cudaDevAttrReservedSharedMemoryPerBlock:
    return set(device.compute_major >= 8 ? 1024 : 0);
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return set(device.max_threads_per_sm);
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return set(device.max_blocks_per_sm);
  case cudaDevAttrComputeCapabilityMajor:
    return set(static_cast<std::size_t>(device.compute_major));
  case cudaDevAttrComputeCapabilityMinor:
    return set(static_cast<std::size_t>(device.compute_minor));
  case cudaDevAttrMultiProcessorCount:
    return set(static_cast<std::size_t>(facts.multiprocessors));
  case cudaDevAttrClockRate:
    return set(static_cast<std::size_t>(facts.clock_khz));
  case cudaDevAttrMemoryClockRate:
    return set(static_cast<std::size_t>(facts.memory_clock_khz));
  case cudaDevAttrGlobalMemoryBusWidth:
    return set(static_cast<std::size_t>(facts.bus_bits));
  case cudaDevAttrL2CacheSize:
    return set(static_cast<std::size_t>(facts.l2_bytes));
  case cudaDevAttrMaxPersistingL2CacheSize:
    return set(device.compute_major >= 8 ? static_cast<std::size_t>(facts.l2_bytes) / 8 * 5 : 0);
  case cudaDevAttrMaxAccessPolicyWindowSize:
    return set(device.compute_major >= 8 ? std::size_t{1} << 27 : 0);
  case cudaDevAttrSingleToDoublePrecisionPerfRatio:
    return set(!consumer && device.compute_minor == 0 ? 2 : device.compute_major == 8 ? 64 : 32);
  case cudaDevAttrEccEnabled:
    return set(consumer ? 0 : 1);
  case cudaDevAttrClusterLaunch:
    return set(device.compute_major >= 9 ? 1 : 0);
  default:
    return false;
  }
}

void set_limits_of_textures(cudaDeviceProp& p, int (*of)(int)) {
  const auto fill = [of](int* to, int count, int first) {
    for (int i = 0; i < count; ++i) to[i] = of(first + i);
  };
  p.maxTexture1D = of(cudaDevAttrMaxTexture1DWidth);
  p.maxTexture1DMipmap = of(cudaDevAttrMaxTexture1DMipmappedWidth);
  p.maxTexture1DLinear = of(cudaDevAttrMaxTexture1DLinearWidth);
  fill(p.maxTexture2D, 2, cudaDevAttrMaxTexture2DWidth);
  fill(p.maxTexture2DMipmap, 2, cudaDevAttrMaxTexture2DMipmappedWidth);
  fill(p.maxTexture2DLinear, 3, cudaDevAttrMaxTexture2DLinearWidth);
  fill(p.maxTexture2DGather, 2, cudaDevAttrMaxTexture2DGatherWidth);
  fill(p.maxTexture3D, 3, cudaDevAttrMaxTexture3DWidth);
  fill(p.maxTexture3DAlt, 3, cudaDevAttrMaxTexture3DWidthAlt);
  p.maxTextureCubemap = of(cudaDevAttrMaxTextureCubemapWidth);
  fill(p.maxTexture1DLayered, 2, cudaDevAttrMaxTexture1DLayeredWidth);
  fill(p.maxTexture2DLayered, 3, cudaDevAttrMaxTexture2DLayeredWidth);
  fill(p.maxTextureCubemapLayered, 2, cudaDevAttrMaxTextureCubemapLayeredWidth);
  p.maxSurface1D = of(cudaDevAttrMaxSurface1DWidth);
  fill(p.maxSurface2D, 2, cudaDevAttrMaxSurface2DWidth);
  fill(p.maxSurface3D, 3, cudaDevAttrMaxSurface3DWidth);
  fill(p.maxSurface1DLayered, 2, cudaDevAttrMaxSurface1DLayeredWidth);
  fill(p.maxSurface2DLayered, 3, cudaDevAttrMaxSurface2DLayeredWidth);
  p.maxSurfaceCubemap = of(cudaDevAttrMaxSurfaceCubemapWidth);
  fill(p.maxSurfaceCubemapLayered, 2, cudaDevAttrMaxSurfaceCubemapLayeredWidth);
  p.textureAlignment = static_cast<std::size_t>(of(cudaDevAttrTextureAlignment));
  p.texturePitchAlignment = static_cast<std::size_t>(of(cudaDevAttrTexturePitchAlignment));
  p.surfaceAlignment = static_cast<std::size_t>(of(cudaDevAttrSurfaceAlignment));
}

/// Members that have an attribute of the same meaning.
struct Member {
  int cudaDeviceProp::*member;
  int attribute;
};
constexpr Member kMembers[] = {
    {&cudaDeviceProp::regsPerBlock, cudaDevAttrMaxRegistersPerBlock},
    {&cudaDeviceProp::warpSize, cudaDevAttrWarpSize},
    {&cudaDeviceProp::maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock},
    {&cudaDeviceProp::clockRate, cudaDevAttrClockRate},
    {&cudaDeviceProp::major, cudaDevAttrComputeCapabilityMajor},
    {&cudaDeviceProp::minor, cudaDevAttrComputeCapabilityMinor},
    {&cudaDeviceProp::deviceOverlap, cudaDevAttrGpuOverlap},
    {&cudaDeviceProp::multiProcessorCount, cudaDevAttrMultiProcessorCount},
    {&cudaDeviceProp::kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout},
    {&cudaDeviceProp::integrated, cudaDevAttrIntegrated},
    {&cudaDeviceProp::canMapHostMemory, cudaDevAttrCanMapHostMemory},
    {&cudaDeviceProp::computeMode, cudaDevAttrComputeMode},
    {&cudaDeviceProp::concurrentKernels, cudaDevAttrConcurrentKernels},
    {&cudaDeviceProp::ECCEnabled, cudaDevAttrEccEnabled},
    {&cudaDeviceProp::pciBusID, cudaDevAttrPciBusId},
    {&cudaDeviceProp::pciDeviceID, cudaDevAttrPciDeviceId},
    {&cudaDeviceProp::pciDomainID, cudaDevAttrPciDomainId},
    {&cudaDeviceProp::tccDriver, cudaDevAttrTccDriver},
    {&cudaDeviceProp::asyncEngineCount, cudaDevAttrAsyncEngineCount},
    {&cudaDeviceProp::unifiedAddressing, cudaDevAttrUnifiedAddressing},
    {&cudaDeviceProp::memoryClockRate, cudaDevAttrMemoryClockRate},
    {&cudaDeviceProp::memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth},
    {&cudaDeviceProp::l2CacheSize, cudaDevAttrL2CacheSize},
    {&cudaDeviceProp::persistingL2CacheMaxSize, cudaDevAttrMaxPersistingL2CacheSize},
    {&cudaDeviceProp::maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor},
    {&cudaDeviceProp::streamPrioritiesSupported, cudaDevAttrStreamPrioritiesSupported},
    {&cudaDeviceProp::globalL1CacheSupported, cudaDevAttrGlobalL1CacheSupported},
    {&cudaDeviceProp::localL1CacheSupported, cudaDevAttrLocalL1CacheSupported},
    {&cudaDeviceProp::regsPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor},
    {&cudaDeviceProp::managedMemory, cudaDevAttrManagedMemory},
    {&cudaDeviceProp::isMultiGpuBoard, cudaDevAttrIsMultiGpuBoard},
    {&cudaDeviceProp::multiGpuBoardGroupID, cudaDevAttrMultiGpuBoardGroupID},
    {&cudaDeviceProp::hostNativeAtomicSupported, cudaDevAttrHostNativeAtomicSupported},
    {&cudaDeviceProp::singleToDoublePrecisionPerfRatio,
     cudaDevAttrSingleToDoublePrecisionPerfRatio},
    {&cudaDeviceProp::pageableMemoryAccess, cudaDevAttrPageableMemoryAccess},
    {&cudaDeviceProp::concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess},
    {&cudaDeviceProp::computePreemptionSupported, cudaDevAttrComputePreemptionSupported},
    {&cudaDeviceProp::canUseHostPointerForRegisteredMem,
     cudaDevAttrCanUseHostPointerForRegisteredMem},
    {&cudaDeviceProp::cooperativeLaunch, cudaDevAttrCooperativeLaunch},
    {&cudaDeviceProp::cooperativeMultiDeviceLaunch, cudaDevAttrCooperativeMultiDeviceLaunch},
    {&cudaDeviceProp::maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor},
    {&cudaDeviceProp::accessPolicyMaxWindowSize, cudaDevAttrMaxAccessPolicyWindowSize},
    {&cudaDeviceProp::hostRegisterSupported, cudaDevAttrHostRegisterSupported},
    {&cudaDeviceProp::memoryPoolsSupported, cudaDevAttrMemoryPoolsSupported},
    {&cudaDeviceProp::clusterLaunch, cudaDevAttrClusterLaunch},
};

}  // namespace

const DeviceFacts& device_facts(const DevicePreset& device) {
  const auto* found = std::find_if(std::begin(kFacts), std::end(kFacts),
                                   [&](const DeviceFacts& f) { return f.preset == device.name; });
  return found == std::end(kFacts) ? kFacts[0] : *found;
}

bool device_attribute(const DevicePreset& device, const DeviceFacts& facts, int attribute,
                      int& value) {
  if (attribute <= 0 || attribute >= static_cast<int>(std::size(kMeasured))) return false;
  if (!own_attribute(device, facts, attribute, value)) value = kMeasured[attribute];
  return true;
}

cudaDeviceProp device_properties(const DevicePreset& device, const DeviceFacts& facts) {
  cudaDeviceProp p = {};
  const auto of = [&](int attribute) {
    int value = 0;
    device_attribute(device, facts, attribute, value);
    return value;
  };
  const auto bytes = [&](int attribute) { return static_cast<std::size_t>(of(attribute)); };
  std::string(facts.name).copy(p.name, sizeof p.name - 1);
  std::string(facts.name).copy(p.uuid.bytes, sizeof p.uuid.bytes);
  for (const Member& member : kMembers) p.*member.member = of(member.attribute);
  for (int axis = 0; axis < 3; ++axis) {
    p.maxThreadsDim[axis] = of(cudaDevAttrMaxBlockDimX + axis);
    p.maxGridSize[axis] = of(cudaDevAttrMaxGridDimX + axis);
  }
  set_limits_of_textures(p, [](int attribute) { return kMeasured[attribute]; });
  p.totalGlobalMem = facts.memory_bytes;
  p.sharedMemPerBlock = bytes(cudaDevAttrMaxSharedMemoryPerBlock);
  p.sharedMemPerBlockOptin = bytes(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  p.sharedMemPerMultiprocessor = bytes(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  p.reservedSharedMemPerBlock = bytes(cudaDevAttrReservedSharedMemoryPerBlock);
  p.totalConstMem = bytes(cudaDevAttrTotalConstantMemory);
  p.memPitch = bytes(cudaDevAttrMaxPitch);
  p.deviceNumaId = p.hostNumaId = -1;
  return p;
}

}  // namespace lanescope::app
