// What a program has allocated: where a device pointer's bytes are on this machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace lanescope::app {

/// A pointer as what may be an address of the device's.
inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

enum class MemoryKind : std::uint8_t {
  /// cudaMalloc and its relatives: the host may not touch it
  device,
  /// cudaMallocManaged, `__managed__`: one address for both
  managed,
  /// cudaMallocHost, cudaHostAlloc, cudaHostRegister: the host's, and a kernel may use it
  pinned,
  /// `__device__` and `__constant__` variables
  variable,
};

struct Allocation {
  MemoryKind kind = MemoryKind::device;
  /// In the device's address space. The same as `data` unless `kind` is device or variable.
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  /// Storage on this machine, `bytes` long
  std::byte* data = nullptr;
  /// Counts up, in order of allocation
  std::uint64_t number = 0;
};

/// Device addresses begin at lanescope::kGlobalWindow and are a PROT_NONE reservation of this process,
/// so that host code that uses one ends in a fault which can be explained; their storage is elsewhere.
/// Memory of both sides has a window of its own, where what is freed faults as well. Addresses depend on the order and sizes of allocations alone. Multiples of 512, with a guard gap
/// behind each. Freed addresses are remembered and not given again.
class DeviceMemory {
 public:
  DeviceMemory();
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// The device's memory: more than so much together cannot be allocated.
  void set_capacity(std::size_t bytes) { capacity_ = bytes; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  /// nullptr when there is not so much. Storage holds zeros.
  const Allocation* allocate(MemoryKind kind, std::size_t bytes);
  /// Host memory that is the program's own (cudaHostRegister).
  const Allocation* adopt(MemoryKind kind, void* data, std::size_t bytes);
  enum class Freed : std::uint8_t { fine, already_freed, never_allocated, inside_an_allocation };
  Freed release(std::uint64_t address);

  /// The allocation that an address lies in, or nullptr.
  [[nodiscard]] const Allocation* at(std::uint64_t address) const;
  /// The allocation that it lay in before it was freed.
  [[nodiscard]] const Allocation* freed_at(std::uint64_t address) const;
  /// The live allocation that begins last at or before an address, or nullptr: whom an address behind
  /// an end belongs to.
  [[nodiscard]] const Allocation* before(std::uint64_t address) const;
  /// In a reservation of ours: an address that only a device may use.
  [[nodiscard]] bool is_device_address(std::uint64_t address) const;
  /// Live ones, by address.
  [[nodiscard]] const std::map<std::uint64_t, Allocation>& live() const { return live_; }
  [[nodiscard]] std::size_t bytes_in_use() const { return in_use_; }

 private:
  std::byte* take_storage(MemoryKind kind, std::size_t bytes);
  void give_storage(const Allocation& allocation);
  const Allocation* add(Allocation allocation);

  std::map<std::uint64_t, Allocation> live_, freed_;
  std::uint64_t next_ = 0, next_shared_ = 0;
  std::uint64_t number_ = 0;
  std::size_t in_use_ = 0, capacity_ = SIZE_MAX;
  /// Reserved bytes from kGlobalWindow on, and from where memory of both sides lies
  std::size_t reserved_ = 0, shared_reserved_ = 0;
  std::set<std::uint64_t> adopted_;
};

}  // namespace lanescope::app
