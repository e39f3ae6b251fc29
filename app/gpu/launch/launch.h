// What a request needs on the device: its memory in one or more sets, and its kernel, ready to be
// launched on any of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/driver/cuda_device.h"
#include "gpu/driver/nvrtc.h"
#include "gpu/launch/request.h"

namespace lanescope::gpu {

/// Device memory that frees itself.
class Memory {
 public:
  Memory() = default;
  Memory(const DriverApi& driver, std::uint64_t bytes) : driver_(&driver) {
    code = driver.memory_allocate(&pointer, bytes);
  }
  ~Memory() { reset(); }
  Memory(Memory&& other) noexcept { *this = std::move(other); }
  Memory& operator=(Memory&& other) noexcept {
    reset();
    driver_ = other.driver_, pointer = other.pointer, code = other.code;
    other.pointer = 0;
    return *this;
  }

  CuPointer pointer = 0;
  CuResult code = kSuccess;

 private:
  void reset() {
    if (pointer) driver_->memory_free(pointer);
    pointer = 0;
  }
  const DriverApi* driver_ = nullptr;
};

/// A function of a compiled text on the device.
class Kernel {
 public:
  Kernel() = default;
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// Empty diagnostics when it could be loaded (warnings aside).
  std::vector<Diagnostic> load(Device& device, const CompileInput& input);
  [[nodiscard]] CuFunction function() const { return function_; }
  [[nodiscard]] int attribute(int which) const;

 private:
  const DriverApi* driver_ = nullptr;
  CuModule module_ = nullptr;
  CuFunction function_ = nullptr;
};

/// The buffers of a request, `sets` times over.
class BufferSets {
 public:
  BufferSets(Device& device, const Request& request) : device_(device), request_(request) {}

  /// As many sets as it takes for their sum to exceed `enough_bytes`, at most `most`, and at least
  /// one.
  CuResult allocate(std::uint64_t enough_bytes, int most);
  /// Every buffer of the set as the request says it starts.
  CuResult fill(Kernel& filler, int set);
  [[nodiscard]] int count() const { return static_cast<int>(sets_.size()); }
  [[nodiscard]] CuPointer pointer(int set, int buffer) const {
    return sets_[static_cast<std::size_t>(set)][static_cast<std::size_t>(buffer)].pointer;
  }
  [[nodiscard]] std::uint64_t bytes_of_set() const;

 private:
  CuResult add_set();

  Device& device_;
  const Request& request_;
  std::vector<std::vector<Memory>> sets_;
};

/// The kernel that fills buffers; its values are those of `filled_bits`.
CompileInput fill_kernel();
CuResult launch_fill(Device& device, Kernel& filler, CuPointer buffer, const RequestBuffer& spec);

/// Launches the request's kernel on one set.
CuResult launch_request(Device& device, const Kernel& kernel, const Request& request,
                        const BufferSets& buffers, int set);

/// A failure of the driver as a diagnostic; what happened while.
Diagnostic driver_error(const Device& device, CuResult code, const Message& doing);
/// After such an error every call of the process fails.
bool loses_device(CuResult code);

}  // namespace lanescope::gpu
