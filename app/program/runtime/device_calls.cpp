// The device: which one, what it can do, waiting for it, resetting it. There is one, number 0.
#include <fmt/format.h>

#include <cstring>

#include "program/runtime/submit.h"

using namespace lanescope::app;

namespace {

cudaError_t check_device(const Call& call, int device) {
  if (device == 0) return cudaSuccess;
  return call.fail(cudaErrorInvalidDevice, fmt::format("there is no device {}, only 0", device));
}

/// What a fresh device has, as measured on an H200.
std::size_t default_limit(int limit) {
  switch (limit) {
  case cudaLimitStackSize:
    return 1024;
  case cudaLimitPrintfFifoSize:
    return 8650752;
  case cudaLimitMallocHeapSize:
    return 8388608;
  case cudaLimitDevRuntimePendingLaunchCount:
    return 2048;
  case cudaLimitMaxL2FetchGranularity:
    return 64;
  default:
    return 0;
  }
}

bool is_limit(int limit) {
  return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize &&
         limit != cudaLimitDevRuntimeSyncDepth;
}

cudaError_t reset(const Call&) {
  Runtime& now = runtime();
  now.sticky = now.pending = cudaSuccess;
  last_error(true);
  std::vector<std::uint64_t> gone;
  for (const auto& [address, allocation] : now.memory.live())
    if (allocation.kind != MemoryKind::variable) gone.push_back(address);
  for (const std::uint64_t address : gone) now.memory.release(address);
  now.asked_from.clear();
  now.arrays = Handles<Array>(0x5300'0000);
  now.textures.clear();
  now.kernels.clear();
  now.limits.clear();
  return cudaSuccess;
}

cudaError_t give_properties(const Call& call, cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the answer");
  const cudaError_t error = check_device(call, device);
  if (error == cudaSuccess)
    *properties = device_properties(runtime().outer.device, runtime().facts);
  return error;
}

template <class T>
cudaError_t give(const Call& call, T* to, T value) {
  if (to == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the answer");
  *to = value;
  return cudaSuccess;
}

cudaError_t synchronize(const Call& call) {
  synchronized();
  return refuse_while_capturing(call);
}

/// There is no second device that could be a peer.
cudaError_t refuse_peer(const Call& call, int peer) {
  return call.fail(cudaErrorInvalidDevice, fmt::format("device {} is no peer of device 0", peer));
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return give(call, count, 1); });
}
cudaError_t cudaGetDevice(int* device) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return give(call, device, 0); });
}
cudaError_t cudaSetDevice(int device) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return check_device(call, device); });
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return check_device(call, device); });
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    for (int i = 0; devices != nullptr && i < count; ++i)
      if (const cudaError_t error = check_device(call, devices[i]); error != cudaSuccess)
        return error;
    return cudaSuccess;
  });
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return give(call, device, 0); });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return give_properties(call, properties, device); });
}
cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* properties, int device) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return give_properties(call, properties, device); });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (value == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the answer");
    if (const cudaError_t error = check_device(call, device); error != cudaSuccess) return error;
    if (device_attribute(runtime().outer.device, runtime().facts, attribute, *value))
      return cudaSuccess;
    return call.fail(cudaErrorInvalidValue,
                     fmt::format("there is no attribute {}", static_cast<int>(attribute)));
  });
}

cudaError_t cudaDeviceSynchronize() { return answer(LANESCOPE_CALL, synchronize); }
cudaError_t cudaThreadSynchronize() { return answer(LANESCOPE_CALL, synchronize); }

// A reset is what ends a sticky error, so it does not start by returning it.
cudaError_t cudaDeviceReset() {
  const std::lock_guard lock(runtime_mutex());
  synchronized();
  return reset(Call(LANESCOPE_CALL));
}
cudaError_t cudaThreadExit() {
  const std::lock_guard lock(runtime_mutex());
  synchronized();
  return reset(Call(LANESCOPE_CALL));
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if ((flags & ~static_cast<unsigned>(cudaDeviceMask)) != 0)
      return call.fail(cudaErrorInvalidValue, fmt::format("flags {:#x} are unknown", flags));
    runtime().device_flags = flags;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return give(call, flags, runtime().device_flags); });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (!is_limit(limit))
      return call.fail(cudaErrorUnsupportedLimit,
                       fmt::format("limit {} cannot be set", static_cast<int>(limit)));
    runtime().limits[limit] = value;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (!is_limit(limit))
      return call.fail(cudaErrorUnsupportedLimit,
                       fmt::format("there is no limit {}", static_cast<int>(limit)));
    const auto set = runtime().limits.find(limit);
    return give(call, value, set == runtime().limits.end() ? default_limit(limit) : set->second);
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return answer(LANESCOPE_CALL, [&](const Call&) {
    runtime().cache_config = config;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return give(call, config, runtime().cache_config); });
}
// Banks are four bytes wide on every device that there is a preset of.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return answer(LANESCOPE_CALL, [](const Call&) { return cudaSuccess; });
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    return give(call, config, cudaSharedMemBankSizeFourByte);
  });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return answer(LANESCOPE_CALL, [&](const Call&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (const cudaError_t error = check_device(call, device); error != cudaSuccess) return error;
    constexpr char kId[] = "0000:01:00.0";
    if (text == nullptr || length < static_cast<int>(sizeof kId))
      return call.fail(cudaErrorInvalidValue,
                       fmt::format("the id takes {} characters", sizeof kId));
    std::memcpy(text, kId, sizeof kId);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return give(call, device, 0); });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    cudaError_t error = check_device(call, device);
    if (error == cudaSuccess) error = check_device(call, peer);
    return error == cudaSuccess ? give(call, can, 0) : error;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return refuse_peer(call, peer); });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return refuse_peer(call, peer); });
}
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int to) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return refuse_peer(call, to); });
}
cudaError_t cudaCtxResetPersistingL2Cache() {
  return answer(LANESCOPE_CALL, [](const Call&) { return cudaSuccess; });
}
