// The padded transpose in OpenCL on the CPU, as PoCL runs it: prints the seconds that the kernel takes. A
// program of its own, because PoCL brings another LLVM than ours.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>

#include "run/bench_texts.h"

namespace {

constexpr std::uint32_t kSide = 32768;

/// The few functions of the OpenCL loader that are needed, by their names (Khronos OpenCL 1.2 API).
class OpenCl {
 public:
  OpenCl() : library_(dlopen("libOpenCL.so.1", RTLD_NOW)) {}
  explicit operator bool() const { return library_ != nullptr; }
  template <class Result = std::int32_t, class... Arguments>
  Result call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<Result (*)(Arguments...)>(dlsym(library_, name));
    return function != nullptr ? function(arguments...) : Result{};
  }

 private:
  void* library_;
};

using Handle = void*;
constexpr std::uint64_t kCpu = 1 << 1, kReadWrite = 1 << 0;

/// Of the kernel alone, on data that is there; 0 when it cannot be run.
double pocl_seconds(const OpenCl& cl) {
  Handle platform = nullptr, device = nullptr;
  std::uint32_t count = 0;
  const auto none = static_cast<void*>(nullptr);
  cl.call("clGetPlatformIDs", std::uint32_t{1}, &platform, &count);
  if (count == 0) return 0;
  cl.call("clGetDeviceIDs", platform, kCpu, std::uint32_t{1}, &device, &count);
  std::int32_t error = 0;
  Handle context =
      cl.call<Handle>("clCreateContext", none, std::uint32_t{1}, &device, none, none, &error);
  if (context == nullptr) return 0;
  Handle queue = cl.call<Handle>("clCreateCommandQueue", context, device, std::uint64_t{0}, &error);
  const char* text = lanescope::kOpenClTranspose;
  Handle program =
      cl.call<Handle>("clCreateProgramWithSource", context, std::uint32_t{1}, &text, none, &error);
  cl.call("clBuildProgram", program, std::uint32_t{1}, &device, "", none, none);
  Handle kernel = cl.call<Handle>("clCreateKernel", program, "transpose", &error);
  const std::size_t bytes = std::size_t{kSide} * kSide * 4;
  Handle buffers[2];
  for (Handle& buffer : buffers)
    buffer = cl.call<Handle>("clCreateBuffer", context, kReadWrite, bytes, none, &error);
  if (queue == nullptr || kernel == nullptr || buffers[1] == nullptr) return 0;
  const float value = 1;
  for (Handle buffer : buffers)
    cl.call("clEnqueueFillBuffer", queue, buffer, &value, sizeof value, std::size_t{0}, bytes,
            std::uint32_t{0}, none, none);
  const auto side = static_cast<std::int32_t>(kSide);
  for (std::uint32_t i = 0; i < 2; ++i) {
    cl.call("clSetKernelArg", kernel, i, sizeof(Handle), &buffers[i]);
    cl.call("clSetKernelArg", kernel, i + 2, sizeof side, &side);
  }
  cl.call("clFinish", queue);
  const std::size_t global[2] = {kSide, kSide}, local[2] = {32, 32};
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (cl.call("clEnqueueNDRangeKernel", queue, kernel, std::uint32_t{2}, none, +global, +local,
                std::uint32_t{0}, none, none) != 0)
      return 0;
    cl.call("clFinish", queue);
    const double took = lanescope::seconds_since(start);
    best = best == 0 ? took : std::min(best, took);
  }
  for (Handle buffer : buffers) cl.call("clReleaseMemObject", buffer);
  return best;
}

}  // namespace

int main() {
  const OpenCl cl;
  const double seconds = cl ? pocl_seconds(cl) : 0;
  if (seconds == 0) {
    std::fputs(
        "no OpenCL device for the CPU (Debian packages ocl-icd-libopencl1, pocl-opencl-icd)\n",
        stderr);
    return 1;
  }
  std::printf("%f\n", seconds);
}
