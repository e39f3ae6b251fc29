// Allocating and freeing, and what may be asked about a pointer.
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "program/runtime/submit.h"

using namespace lanescope::app;

namespace {

void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

cudaError_t allocate(const Call& call, MemoryKind kind, void** to, std::size_t bytes) {
  if (to == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the pointer");
  if (const cudaError_t error = refuse_while_capturing(call); error != cudaSuccess) return error;
  *to = nullptr;
  if (bytes == 0) return cudaSuccess;
  DeviceMemory& memory = runtime().memory;
  const Allocation* made = memory.allocate(kind, bytes);
  if (made == nullptr)
    return call.fail(cudaErrorMemoryAllocation,
                     fmt::format("{} bytes are asked for, {} of {} are free", bytes,
                                 memory.capacity() - memory.bytes_in_use(), memory.capacity()));
  call.moves(CopyWay::none, bytes);
  runtime().asked_from[made->number] = call.caller();
  *to = pointer(made->address);
  return cudaSuccess;
}

/// What is wrong with freeing an address that no allocation begins at.
std::string why_not_freed(DeviceMemory::Freed how, const void* p) {
  const DeviceMemory& memory = runtime().memory;
  switch (how) {
  case DeviceMemory::Freed::already_freed: {
    const Allocation* gone = memory.freed_at(address_of(p));
    return fmt::format("{} was freed before: {}", hex(p), described(*gone));
  }
  case DeviceMemory::Freed::inside_an_allocation:
    return fmt::format("{} is inside of {}; what is freed is the pointer that was given", hex(p),
                       described(*memory.at(address_of(p))));
  default:
    return memory.is_device_address(address_of(p))
               ? fmt::format("{} was never allocated", hex(p))
               : fmt::format("{} is no device pointer but one of the host", hex(p));
  }
}

/// Frees memory of the device or of both sides (`pinned` false), or pinned host memory.
cudaError_t release(const Call& call, void* p, bool pinned) {
  if (p == nullptr) return cudaSuccess;
  DeviceMemory& memory = runtime().memory;
  const Allocation* allocation = memory.at(address_of(p));
  if (allocation != nullptr && (allocation->kind == MemoryKind::pinned) != pinned)
    return call.fail(cudaErrorInvalidValue,
                     fmt::format("{} is in {}, which {} frees", hex(p), described(*allocation),
                                 pinned ? "cudaFree" : "cudaFreeHost"));
  if (allocation != nullptr && allocation->kind == MemoryKind::variable)
    return call.fail(cudaErrorInvalidValue, fmt::format("{} is in {}, which nobody frees", hex(p),
                                                        described(*allocation)));
  const std::uint64_t made = allocation == nullptr ? 0 : allocation->number;
  const std::size_t bytes = allocation == nullptr ? 0 : allocation->bytes;
  const DeviceMemory::Freed how = memory.release(address_of(p));
  if (how != DeviceMemory::Freed::fine)
    return call.fail(cudaErrorInvalidValue, why_not_freed(how, p));
  runtime().asked_from.erase(made);
  call.moves(CopyWay::none, bytes);
  return cudaSuccess;
}

cudaError_t allocate_pitch(const Call& call, cudaPitchedPtr* to, cudaExtent extent) {
  if (to == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the pointer");
  // A row begins at a multiple of 512, as measured on an H200.
  const std::size_t pitch = (extent.width + 511) / 512 * 512;
  const std::size_t slices = extent.depth == 0 ? 1 : extent.depth;
  void* p = nullptr;
  const cudaError_t error = allocate(call, MemoryKind::device, &p, pitch * extent.height * slices);
  *to = {p, pitch, extent.width, extent.height};
  return error;
}

cudaError_t check_pinned(const Call& call, const void* p, const Allocation*& found) {
  found = runtime().memory.at(address_of(p));
  if (found != nullptr && found->kind == MemoryKind::pinned) return cudaSuccess;
  return call.fail(
      cudaErrorInvalidValue,
      fmt::format("{} is no pinned host memory (cudaHostAlloc, cudaHostRegister)", hex(p)));
}

/// Advice and prefetches change nothing here, but want managed memory all the same.
cudaError_t check_managed(const Call& call, const void* p, std::size_t bytes) {
  const Allocation* found = runtime().memory.at(address_of(p));
  if (found == nullptr || found->kind != MemoryKind::managed)
    return call.fail(cudaErrorInvalidValue,
                     fmt::format("{} is not managed memory (cudaMallocManaged)", hex(p)));
  if (address_of(p) + bytes > found->address + found->bytes)
    return call.fail(cudaErrorInvalidValue, fmt::format("{} bytes from {} on go past the end of {}",
                                                        bytes, hex(p), described(*found)));
  return cudaSuccess;
}

cudaMemoryType type_of(MemoryKind kind) {
  return kind == MemoryKind::managed  ? cudaMemoryTypeManaged
         : kind == MemoryKind::pinned ? cudaMemoryTypeHost
                                      : cudaMemoryTypeDevice;
}

/// The device's own. Pools have names of their own and one memory for all.
const auto kPool = reinterpret_cast<cudaMemPool_t>(0x5600'0000);

struct Pools {
  std::set<cudaMemPool_t> made;
  cudaMemPool_t current = kPool;
  std::uint64_t count = 0;
  /// What programs have set: nothing here depends on it
  std::map<std::pair<cudaMemPool_t, cudaMemPoolAttr>, std::uint64_t> attributes;
};
Pools pools;

cudaError_t give_pool(const Call& call, cudaMemPool_t* pool, int device, cudaMemPool_t which) {
  if (pool == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the pool");
  if (device != 0) return call.fail(cudaErrorInvalidDevice, "there is only device 0");
  *pool = which;
  return cudaSuccess;
}
cudaError_t check_pool(const Call& call, cudaMemPool_t pool) {
  return pool == kPool || pools.made.contains(pool)
             ? cudaSuccess
             : call.fail(cudaErrorInvalidValue, "this is no memory pool");
}
cudaError_t make_pool(const Call& call, cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr)
    return call.fail(cudaErrorInvalidValue, "nowhere to put the pool, or no properties");
  if (properties->allocType != cudaMemAllocationTypePinned)
    return call.fail(cudaErrorInvalidValue, "allocType is not cudaMemAllocationTypePinned");
  if (properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0)
    return call.fail(cudaErrorInvalidValue, "its location is not device 0");
  *pool = reinterpret_cast<cudaMemPool_t>(0x5600'0000 + 16 * ++pools.count);
  pools.made.insert(*pool);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMalloc(void** p, size_t bytes) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return allocate(call, MemoryKind::device, p, bytes); });
}
cudaError_t cudaFree(void* p) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    synchronized();
    return release(call, p, false);
  });
}
cudaError_t cudaMallocHost(void** p, size_t bytes) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return allocate(call, MemoryKind::pinned, p, bytes); });
}
cudaError_t cudaHostAlloc(void** p, size_t bytes, unsigned) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return allocate(call, MemoryKind::pinned, p, bytes); });
}
cudaError_t cudaFreeHost(void* p) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return release(call, p, true); });
}
cudaError_t cudaMallocManaged(void** p, size_t bytes, unsigned flags) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (bytes == 0) return call.fail(cudaErrorInvalidValue, "0 bytes of managed memory");
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
      return call.fail(cudaErrorInvalidValue, fmt::format("flags {:#x} are unknown", flags));
    return allocate(call, MemoryKind::managed, p, bytes);
  });
}
cudaError_t cudaMallocPitch(void** p, size_t* pitch, size_t width, size_t height) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (p == nullptr || pitch == nullptr)
      return call.fail(cudaErrorInvalidValue, "nowhere to put the pointer or the pitch");
    cudaPitchedPtr made = {};
    const cudaError_t error = allocate_pitch(call, &made, {width, height, 1});
    *p = made.ptr;
    *pitch = made.pitch;
    return error;
  });
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* p, cudaExtent extent) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return allocate_pitch(call, p, extent); });
}

// Memory in the order of a stream: here every call is in order, and a pool is all of the memory.
cudaError_t cudaMallocAsync(void** p, size_t bytes, cudaStream_t stream) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (find_stream(call, stream) == nullptr) return cudaErrorInvalidResourceHandle;
    return allocate(call, MemoryKind::device, p, bytes);
  });
}
cudaError_t cudaMallocFromPoolAsync(void** p, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (const cudaError_t error = check_pool(call, pool); error != cudaSuccess) return error;
    if (find_stream(call, stream) == nullptr) return cudaErrorInvalidResourceHandle;
    return allocate(call, MemoryKind::device, p, bytes);
  });
}
cudaError_t cudaFreeAsync(void* p, cudaStream_t stream) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (find_stream(call, stream) == nullptr) return cudaErrorInvalidResourceHandle;
    return release(call, p, false);
  });
}

cudaError_t cudaHostRegister(void* p, size_t bytes, unsigned) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (p == nullptr || bytes == 0) return call.fail(cudaErrorInvalidValue, "no memory is given");
    if (const Allocation* there = runtime().memory.at(address_of(p)))
      return call.fail(there->kind == MemoryKind::pinned ? cudaErrorHostMemoryAlreadyRegistered
                                                         : cudaErrorInvalidValue,
                       fmt::format("{} is in {} already", hex(p), described(*there)));
    runtime().memory.adopt(MemoryKind::pinned, p, bytes);
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* p) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const Allocation* there = runtime().memory.at(address_of(p));
    if (there == nullptr || there->kind != MemoryKind::pinned || there->address != address_of(p) ||
        runtime().asked_from.count(there->number) != 0)
      return call.fail(cudaErrorHostMemoryNotRegistered,
                       fmt::format("{} was not registered", hex(p)));
    runtime().memory.release(address_of(p));
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* p, unsigned) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const Allocation* found = nullptr;
    if (device_pointer == nullptr)
      return call.fail(cudaErrorInvalidValue, "nowhere to put the pointer");
    *device_pointer = nullptr;
    const cudaError_t error = check_pinned(call, p, found);
    if (error == cudaSuccess) *device_pointer = p;
    return error;
  });
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* p) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const Allocation* found = nullptr;
    const cudaError_t error = check_pinned(call, p, found);
    if (error == cudaSuccess && flags != nullptr) *flags = cudaHostAllocMapped;
    return error;
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return answer(LANESCOPE_CALL, [&](const Call&) {
    const DeviceMemory& memory = runtime().memory;
    if (free_bytes != nullptr) *free_bytes = memory.capacity() - memory.bytes_in_use();
    if (total_bytes != nullptr) *total_bytes = memory.capacity();
    return cudaSuccess;
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (attributes == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the answer");
    auto* same = const_cast<void*>(p);
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, same};
    if (const Allocation* found = runtime().memory.at(address_of(p))) {
      const cudaMemoryType type = type_of(found->kind);
      *attributes = {type, 0, same, type == cudaMemoryTypeDevice ? nullptr : same};
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPrefetchAsync(const void* p, size_t bytes, cudaMemLocation, unsigned,
                                 cudaStream_t stream) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (find_stream(call, stream) == nullptr) return cudaErrorInvalidResourceHandle;
    return check_managed(call, p, bytes);
  });
}
cudaError_t cudaMemAdvise(const void* p, size_t bytes, cudaMemoryAdvise, cudaMemLocation) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return check_managed(call, p, bytes); });
}
cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* p, size_t bytes) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const cudaError_t error = check_managed(call, p, bytes);
    if (error != cudaSuccess) return error;
    if (data == nullptr || data_bytes < sizeof(int))
      return call.fail(cudaErrorInvalidValue, "nowhere to put the answer");
    // Advice is not kept, so the answer is that of memory nobody has advised on.
    const int value = attribute == cudaMemRangeAttributeReadMostly ? 0 : cudaInvalidDeviceId;
    std::memcpy(data, &value, sizeof value);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return give_pool(call, pool, device, kPool); });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return give_pool(call, pool, device, pools.current); });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const cudaError_t error = check_pool(call, pool);
    return error == cudaSuccess ? give_pool(call, &pools.current, device, pool) : error;
  });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return answer(LANESCOPE_CALL,
                [&](const Call& call) { return make_pool(call, pool, properties); });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (pools.made.erase(pool) == 0)
      return call.fail(cudaErrorInvalidValue, "this is no memory pool of cudaMemPoolCreate");
    if (pools.current == pool) pools.current = kPool;
    std::erase_if(pools.attributes, [&](const auto& each) { return each.first.first == pool; });
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions,
                                 size_t count) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const cudaError_t error = check_pool(call, pool);
    if (error != cudaSuccess) return error;
    for (size_t i = 0; i < count; ++i)
      if (descriptions[i].location.type != cudaMemLocationTypeDevice ||
          descriptions[i].location.id != 0 ||
          descriptions[i].flags != cudaMemAccessFlagsProtReadWrite)
        return call.fail(cudaErrorInvalidValue,
                         "there is no other device, and device 0 keeps its own access");
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    const cudaError_t error = check_pool(call, pool);
    if (error != cudaSuccess) return error;
    if (flags == nullptr || location == nullptr)
      return call.fail(cudaErrorInvalidValue, "nowhere to put the answer, or no location");
    const bool own = location->type == cudaMemLocationTypeDevice && location->id == 0;
    *flags = own ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (value == nullptr) return call.fail(cudaErrorInvalidValue, "no value for the attribute");
    const cudaError_t error = check_pool(call, pool);
    if (error != cudaSuccess) return error;
    if (attribute <= cudaMemPoolAttrReleaseThreshold) {
      std::uint64_t& kept = pools.attributes[{pool, attribute}];
      std::memcpy(&kept, value, attribute == cudaMemPoolAttrReleaseThreshold ? 8 : sizeof(int));
    }
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return answer(LANESCOPE_CALL, [&](const Call& call) {
    if (value == nullptr) return call.fail(cudaErrorInvalidValue, "nowhere to put the answer");
    const cudaError_t error = check_pool(call, pool);
    if (error != cudaSuccess) return error;
    const auto set = pools.attributes.find({pool, attribute});
    const std::uint64_t now = set != pools.attributes.end()                 ? set->second
                              : attribute < cudaMemPoolAttrReleaseThreshold ? 1
                              : attribute == cudaMemPoolAttrReleaseThreshold
                                  ? 0
                                  : runtime().memory.bytes_in_use();
    std::memcpy(value, &now, attribute < cudaMemPoolAttrReleaseThreshold ? sizeof(int) : 8);
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return answer(LANESCOPE_CALL, [&](const Call& call) { return check_pool(call, pool); });
}
