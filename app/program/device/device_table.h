// What a device says of itself beyond the limits that decide a launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "frontend/prelude/host/lanescope_runtime.h"
#include "lanescope/device.h"

namespace lanescope::app {

/// Numbers of one product, by the data sheet or paper that `source` names.
struct DeviceFacts {
  /// DevicePreset::name
  std::string_view preset;
  /// As cudaGetDeviceProperties spells it
  std::string_view name;
  int multiprocessors = 0;
  /// Boost clock and memory clock in kHz, as CUDA 12 reports them
  int clock_khz = 0, memory_clock_khz = 0;
  int bus_bits = 0;
  std::size_t memory_bytes = 0;
  int l2_bytes = 0;
  std::string_view source;
};

/// The product that a preset is named after.
const DeviceFacts& device_facts(const DevicePreset& device);
/// What cudaDeviceGetAttribute answers. False if there is no such attribute.
bool device_attribute(const DevicePreset& device, const DeviceFacts& facts, int attribute,
                      int& value);
cudaDeviceProp device_properties(const DevicePreset& device, const DeviceFacts& facts);

}  // namespace lanescope::app
