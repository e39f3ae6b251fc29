#include "program/runtime/device_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "lanescope/memory.h"

namespace lanescope::app {
namespace {

constexpr std::uint64_t kAlignment = 512;  // what cudaMalloc keeps on an H200
constexpr std::uint64_t kGuard = 4096;
constexpr std::uint64_t kPage = 4096;
/// Where memory lies that host and device share: far from what a loader or an allocator takes.
constexpr std::uint64_t kSharedMemory = 0x0000'2000'0000'0000ull;
/// From so much on, pages are taken when they are touched and not before.
constexpr std::size_t kLarge = std::size_t{1} << 20;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// The most address space from `base` on that can be had, or 0. Nothing of it can be touched.
std::size_t reserve(std::uint64_t base) {
  for (std::size_t bytes = std::size_t{16} << 40; bytes >= (std::size_t{16} << 30); bytes /= 4) {
    void* got = mmap(reinterpret_cast<void*>(base), bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == reinterpret_cast<void*>(base)) return bytes;
    if (got != MAP_FAILED) munmap(got, bytes);
  }
  return 0;
}

std::byte* map_anywhere(std::size_t bytes) {
  void* got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return got == MAP_FAILED ? nullptr : static_cast<std::byte*>(got);
}

bool is_large(const Allocation& allocation) {
  return allocation.kind == MemoryKind::device && allocation.bytes >= kLarge;
}

bool on_device(MemoryKind kind) {
  return kind == MemoryKind::device || kind == MemoryKind::variable;
}

const Allocation* holding(const std::map<std::uint64_t, Allocation>& map, std::uint64_t address) {
  auto next = map.upper_bound(address);
  if (next == map.begin()) return nullptr;
  const Allocation& found = std::prev(next)->second;
  return address - found.address < std::max<std::size_t>(found.bytes, 1) ? &found : nullptr;
}

}  // namespace

DeviceMemory::DeviceMemory()
    : next_(kGlobalWindow), next_shared_(kSharedMemory), reserved_(reserve(kGlobalWindow)),
      shared_reserved_(reserve(kSharedMemory)) {}

DeviceMemory::~DeviceMemory() {
  for (const auto& [address, allocation] : live_) give_storage(allocation);
  if (reserved_ != 0) munmap(reinterpret_cast<void*>(kGlobalWindow), reserved_);
  if (shared_reserved_ != 0) munmap(reinterpret_cast<void*>(kSharedMemory), shared_reserved_);
}

std::byte* DeviceMemory::take_storage(MemoryKind kind, std::size_t bytes) {
  if (!on_device(kind)) {
    const std::size_t pages = round_up(bytes, kPage);
    if (next_shared_ + pages + kPage > kSharedMemory + shared_reserved_) return map_anywhere(pages);
    auto* data = reinterpret_cast<std::byte*>(next_shared_);
    if (mprotect(data, pages, PROT_READ | PROT_WRITE) != 0) return nullptr;
    next_shared_ += pages + kPage;
    return data;
  }
  if (kind == MemoryKind::device && bytes >= kLarge) return map_anywhere(round_up(bytes, kPage));
  auto* data = static_cast<std::byte*>(
      std::aligned_alloc(kAlignment, round_up(std::max<std::size_t>(bytes, 1), kAlignment)));
  // Fresh memory of a device holds zeros, and programs have come to count on it.
  if (data != nullptr) std::memset(data, 0, bytes);
  return data;
}

void DeviceMemory::give_storage(const Allocation& allocation) {
  if (adopted_.count(allocation.address) != 0) return;
  const std::size_t pages = round_up(allocation.bytes, kPage);
  const std::uint64_t at = reinterpret_cast<std::uint64_t>(allocation.data);
  if (on_device(allocation.kind) && !is_large(allocation))
    std::free(allocation.data);
  else if (at - kSharedMemory < shared_reserved_)
    // Kept as a hole, so that who uses it still ends in a fault.
    mmap(allocation.data, pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
         -1, 0);
  else
    munmap(allocation.data, pages);
}

const Allocation* DeviceMemory::add(Allocation allocation) {
  allocation.number = ++number_;
  freed_.erase(allocation.address);
  return &live_.insert_or_assign(allocation.address, allocation).first->second;
}

const Allocation* DeviceMemory::allocate(MemoryKind kind, std::size_t bytes) {
  const bool counted = kind == MemoryKind::device || kind == MemoryKind::managed;
  if (counted && (bytes > capacity_ || in_use_ > capacity_ - bytes)) return nullptr;
  std::byte* data = take_storage(kind, bytes);
  if (data == nullptr) return nullptr;
  std::uint64_t address = reinterpret_cast<std::uint64_t>(data);
  if (on_device(kind)) {
    address = next_;
    next_ = round_up(next_ + bytes + kGuard, kAlignment);
  }
  if (counted) in_use_ += bytes;
  return add({kind, address, bytes, data, 0});
}

const Allocation* DeviceMemory::adopt(MemoryKind kind, void* data, std::size_t bytes) {
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(data);
  adopted_.insert(address);
  return add({kind, address, bytes, static_cast<std::byte*>(data), 0});
}

DeviceMemory::Freed DeviceMemory::release(std::uint64_t address) {
  const auto found = live_.find(address);
  if (found == live_.end()) {
    if (at(address) != nullptr) return Freed::inside_an_allocation;
    return freed_at(address) != nullptr ? Freed::already_freed : Freed::never_allocated;
  }
  Allocation allocation = found->second;
  live_.erase(found);
  give_storage(allocation);
  if (allocation.kind == MemoryKind::device || allocation.kind == MemoryKind::managed)
    in_use_ -= allocation.bytes;
  allocation.data = nullptr;
  // Memory that was only lent is the program's own again: nothing is wrong with its address.
  if (adopted_.erase(address) == 0) freed_.insert_or_assign(address, allocation);
  return Freed::fine;
}

const Allocation* DeviceMemory::at(std::uint64_t address) const { return holding(live_, address); }

const Allocation* DeviceMemory::freed_at(std::uint64_t address) const {
  return at(address) != nullptr ? nullptr : holding(freed_, address);
}

const Allocation* DeviceMemory::before(std::uint64_t address) const {
  auto next = live_.upper_bound(address);
  return next == live_.begin() ? nullptr : &std::prev(next)->second;
}

bool DeviceMemory::is_device_address(std::uint64_t address) const {
  return address >= kGlobalWindow && address < std::max(kGlobalWindow + reserved_, next_);
}

}  // namespace lanescope::app
