// Device limits, and what a launch may break of them.
#include "lanescope/device.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "lanescope/program.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

constexpr std::string_view kSource =
    "CUDA C++ Programming Guide, Technical Specifications per Compute Capability";

constexpr std::uint32_t kib(std::uint32_t n) { return n * 1024; }

/// What differs between generations; the rest has been the same since compute capability 7.0.
DevicePreset preset(std::string_view name, int major, int minor, std::uint32_t shared_per_sm,
                    std::uint32_t optin, std::uint32_t threads_per_sm,
                    std::uint32_t blocks_per_sm) {
  DevicePreset device;
  device.name = name;
  device.compute_major = major;
  device.compute_minor = minor;
  device.shared_bytes_per_sm = shared_per_sm;
  device.optin_shared_bytes = optin;
  device.max_threads_per_sm = threads_per_sm;
  device.max_blocks_per_sm = blocks_per_sm;
  device.source = kSource;
  return device;
}

std::string text(const Dim3& d) { return fmt::format("{} x {} x {}", d.x, d.y, d.z); }

/// Collects the `usage` errors of one launch.
class Launch {
 public:
  explicit Launch(const DevicePreset& device) : device_(device.name) {}

  void refuse(Message message, Message hint) {
    errors_.push_back(usage_error(std::move(message), std::move(hint)));
  }

  void check_extent(std::string_view what, Dim3 extent, Dim3 limit) {
    if (extent.x == 0 || extent.y == 0 || extent.z == 0)
      refuse(say::extent_of_zero(what, text(extent)), say::set_extents);
    check_axis(what, 'x', extent.x, limit.x);
    check_axis(what, 'y', extent.y, limit.y);
    check_axis(what, 'z', extent.z, limit.z);
  }

  std::vector<Diagnostic> take() { return std::move(errors_); }

 private:
  void check_axis(std::string_view what, char axis, std::uint32_t extent, std::uint32_t limit) {
    if (extent <= limit) return;
    refuse(say::extent_too_large(what, axis, extent, limit, device_),
           what == "grid" ? say::give_threads_more : say::smaller_block_or_axis);
  }

  std::string device_;
  std::vector<Diagnostic> errors_;
};

void check_shared(Launch& launch, const DevicePreset& device, std::uint64_t fixed,
                  std::uint64_t dynamic) {
  if (fixed > device.static_shared_bytes) {
    launch.refuse(say::fixed_shared_too_large(fixed, device.static_shared_bytes, device.name),
                  say::smaller_tile_or_extern);
  } else if (dynamic > device.optin_shared_bytes || fixed + dynamic > device.optin_shared_bytes) {
    launch.refuse(say::shared_too_large(fixed, dynamic, device.optin_shared_bytes, device.name),
                  say::smaller_tile_or_dynamic);
  }
}

}  // namespace

const std::vector<DevicePreset>& device_presets() {
  static const std::vector<DevicePreset> presets = {
      preset("H200", 9, 0, kib(228), kib(227), 2048, 32),
      preset("H100", 9, 0, kib(228), kib(227), 2048, 32),
      preset("B200", 10, 0, kib(228), kib(227), 2048, 32),
      preset("A100", 8, 0, kib(164), kib(163), 2048, 32),
      preset("RTX 4090", 8, 9, kib(100), kib(99), 1536, 24),
      preset("RTX 3090", 8, 6, kib(100), kib(99), 1536, 16),
      preset("T4", 7, 5, kib(64), kib(64), 1024, 16),
      preset("V100", 7, 0, kib(96), kib(96), 2048, 32),
  };
  return presets;
}

const DevicePreset* find_device(std::string_view name) {
  const auto same_letter = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  for (const DevicePreset& device : device_presets())
    if (std::equal(name.begin(), name.end(), device.name.begin(), device.name.end(), same_letter))
      return &device;
  return nullptr;
}

std::vector<Diagnostic> check_launch(const DevicePreset& device, Dim3 grid, Dim3 block,
                                     std::uint64_t static_shared, std::uint64_t dynamic_shared) {
  Launch launch(device);
  launch.check_extent("grid", grid, device.max_grid);
  launch.check_extent("block", block, device.max_block);
  // Each extent first, so that the product of three large ones cannot wrap round to a small one.
  const std::uint64_t plane = std::uint64_t{block.x} * block.y;
  const std::uint64_t limit = device.max_threads_per_block;
  if (plane > limit || plane * block.z > limit) {
    const bool fits = plane < (std::uint64_t{1} << 31);
    const std::string threads = fits ? std::to_string(plane * block.z) : text(block);
    launch.refuse(say::too_many_threads(threads, limit, device.name), say::smaller_blocks);
  }
  check_shared(launch, device, static_shared, dynamic_shared);
  return launch.take();
}

std::vector<Diagnostic> check_launch(const DevicePreset& device, const KernelInfo& kernel,
                                     Dim3 grid, Dim3 block, std::uint64_t dynamic_shared) {
  std::vector<Diagnostic> found =
      check_launch(device, grid, block, kernel.static_shared_bytes, dynamic_shared);
  const auto [dynamic, largest] = std::minmax_element(
      kernel.shared_arrays.begin(), kernel.shared_arrays.end(),
      [](const SharedArray& a, const SharedArray& b) { return a.bytes < b.bytes; });
  for (Diagnostic& d : found) {
    const bool of_all = d.message.id() == say::shared_too_large.id;
    if (!of_all && d.message.id() != say::fixed_shared_too_large.id) continue;
    // What the launch gives is for the array without a size, of which a text may not say where it is declared.
    const auto array = of_all && dynamic_shared != 0 ? dynamic : largest;
    const bool is_array = array != kernel.shared_arrays.end() && array->declared.line != 0 &&
                          (array == largest || array->bytes == 0);
    const SourcePos at = is_array ? array->declared : kernel.declared;
    if (at.line != 0) stand_at(d, kernel.files, at);
  }
  const std::uint64_t threads = block.count();
  if (found.empty() && kernel.most_threads != 0 && threads > kernel.most_threads) {
    Launch launch(device);
    launch.refuse(say::beyond_launch_bounds(threads, kernel.most_threads),
                  say::smaller_block_or_bounds);
    found = launch.take();
    stand_at(found[0], kernel.files, kernel.declared);
  }
  return found;
}

}  // namespace lanescope
