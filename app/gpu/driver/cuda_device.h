// The one GPU that is used: opening it, what it is, and its failures in words.
#pragma once

#include <optional>
#include <string>

#include "core/timing/gpu_service.h"
#include "gpu/driver/libraries.h"

namespace lanescope::gpu {

class Device {
 public:
  explicit Device(const Libraries& libraries) : libraries_(libraries) {}
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// Opens the first GPU, once; what it is, or what is missing. Launching needs NVRTC too.
  const app::GpuStatus& open();

  [[nodiscard]] const Libraries& libraries() const { return libraries_; }
  [[nodiscard]] const DriverApi& driver() const { return *libraries_.driver; }
  /// "CUDA_ERROR_OUT_OF_MEMORY: out of memory"
  [[nodiscard]] std::string error(CuResult code) const;
  /// cuBLAS ready for use; null if there is none.
  CublasHandle cublas();

 private:
  /// Empty, or why there is none.
  Message open_context();
  void describe(app::GpuDevice& device);
  void describe_through_nvml(app::GpuDevice& device);

  const Libraries& libraries_;
  std::optional<app::GpuStatus> status_;
  CuDevice device_ = 0;
  CuContext context_ = nullptr;
  CublasHandle cublas_ = nullptr;
  bool cublas_tried_ = false;
};

}  // namespace lanescope::gpu
