#include "gpu/driver/cuda_device.h"

#include <fmt/format.h>

#include "core/text/messages.h"

namespace lanescope::gpu {

namespace say = app::say;

namespace {

std::string version_text(int major, int minor) { return fmt::format("{}.{}", major, minor); }

}  // namespace

Device::~Device() {
  if (cublas_) libraries_.cublas->destroy(cublas_);
}

std::string Device::error(CuResult code) const {
  const char *name = nullptr, *text = nullptr;
  driver().error_name(code, &name);
  driver().error_text(code, &text);
  return std::string(name ? name : fmt::format("CUDA error {}", code)) +
         (text ? std::string(": ") + text : "");
}

const app::GpuStatus& Device::open() {
  if (status_) return *status_;
  status_.emplace();
  const auto missing = [&](Message problem, Message hint) -> const app::GpuStatus& {
    status_->problem = std::move(problem), status_->hint = std::move(hint);
    return *status_;
  };
  if (!libraries_.driver) return missing(libraries_.driver_problem, say::gpu_needed);
  if (Message problem = open_context(); !problem.empty())
    return missing(std::move(problem), say::gpu_needed);
  if (!libraries_.nvrtc) return missing(libraries_.nvrtc_problem, say::install_toolkit);
  app::GpuDevice device;
  describe(device);
  if (!libraries_.cublas) status_->notes.push_back(libraries_.cublas_problem);
  status_->device = std::move(device);
  return *status_;
}

Message Device::open_context() {
  if (const CuResult code = driver().init(0); code != kSuccess) {
    if (code == kNoDevice) return say::no_gpu;
    if (code == kDriverMismatch) return say::driver_not_restarted(error(code));
    return say::driver_does_not_start(error(code));
  }
  int count = 0;
  CuResult code = driver().device_count(&count);
  if (code == kSuccess && count == 0) return say::no_gpu;
  if (code == kSuccess) code = driver().device_get(&device_, 0);
  if (code == kSuccess) code = driver().primary_context_retain(&context_, device_);
  if (code == kSuccess) code = driver().context_set_current(context_);
  return code == kSuccess ? Message() : say::gpu_cannot_be_opened(error(code));
}

void Device::describe(app::GpuDevice& device) {
  char name[256] = {};
  driver().device_name(name, sizeof name, device_);
  device.name = name;
  const auto attribute = [&](int which) {
    int value = 0;
    return driver().device_attribute(&value, which, device_) == kSuccess ? value : 0;
  };
  device.compute_major = attribute(kComputeMajor), device.compute_minor = attribute(kComputeMinor);
  device.multiprocessors = attribute(kMultiprocessors);
  device.l2_bytes = static_cast<std::uint64_t>(attribute(kL2Bytes));
  device.sm_clock_mhz = attribute(kClockRate) / 1000;
  device.memory_clock_mhz = attribute(kMemoryClockRate) / 1000;
  std::size_t memory = 0;
  driver().device_total_memory(&memory, device_);
  device.memory_bytes = memory;
  int version = 0;
  driver().driver_version(&version);
  device.cuda = version_text(version / 1000, version % 1000 / 10);
  int major = 0, minor = 0;
  libraries_.nvrtc->version(&major, &minor);
  device.nvrtc = version_text(major, minor);
  if (cublas() && libraries_.cublas->version(cublas_, &version) == 0)
    device.cublas = version_text(version / 10000, version % 10000 / 100);
  describe_through_nvml(device);
}

void Device::describe_through_nvml(app::GpuDevice& device) {
  if (!libraries_.nvml || libraries_.nvml->init() != 0) return;
  const NvmlApi& nvml = *libraries_.nvml;
  char text[96] = {};
  if (nvml.driver_version(text, sizeof text) == 0) device.driver = text;
  char id[32] = {};
  NvmlDevice handle = nullptr;
  if (driver().device_pci_id(id, sizeof id, device_) != kSuccess ||
      nvml.device_by_pci_id(id, &handle) != 0)
    return;
  unsigned clock = 0;
  if (nvml.max_clock(handle, kNvmlSmClock, &clock) == 0)
    device.sm_clock_mhz = static_cast<int>(clock);
  if (nvml.max_clock(handle, kNvmlMemoryClock, &clock) == 0)
    device.memory_clock_mhz = static_cast<int>(clock);
}

CublasHandle Device::cublas() {
  if (cublas_tried_ || !libraries_.cublas) return cublas_;
  cublas_tried_ = true;
  if (libraries_.cublas->create(&cublas_) != 0) cublas_ = nullptr;
  return cublas_;
}

}  // namespace lanescope::gpu
