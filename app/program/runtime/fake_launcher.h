// A launcher for tests: kernels are functions of this program, and what is told is kept.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "frontend/prelude/host/lanescope_runtime.h"
#include "program/runtime/runtime.h"

namespace lanescope::app {

struct FakeLauncher : Launcher {
  struct Told {
    std::string text;
    bool is_error;
  };
  std::map<const void*, KernelFacts> kernels;
  std::map<const void*, DeviceVariable> variables;
  std::function<LaunchEnd(const KernelCall&)> run = [](const KernelCall&) {
    return LaunchEnd::fine;
  };
  std::vector<Told> told;
  std::vector<CallRecord> calls;
  double clock = 0;
  LaunchWork work;
  int launches = 0;

  LaunchEnd launch(const KernelCall& call) override {
    ++launches;
    return run(call);
  }
  [[nodiscard]] LaunchWork last_work() const override { return work; }
  KernelFacts facts(const void* stub) override {
    const auto found = kernels.find(stub);
    return found == kernels.end() ? KernelFacts{} : found->second;
  }
  DeviceVariable variable(const void* host) override {
    const auto found = variables.find(host);
    return found == variables.end() ? DeviceVariable{} : found->second;
  }
  void tell(const std::string& text, bool is_error, const void*) override {
    told.push_back({text, is_error});
  }
  [[nodiscard]] double now_ms() const override { return clock; }
  void called(CallRecord call, const void*) override { calls.push_back(std::move(call)); }
};

/// The value of a launch's argument.
template <class T>
T argument(const KernelCall& call, int index) {
  T value;
  std::memcpy(&value, call.arguments[index], sizeof value);
  return value;
}

/// A fresh runtime for an H200, and a kernel that takes a float* and an int.
class RuntimeTest : public testing::Test {
 protected:
  void SetUp() override {
    launcher.kernels[&stub].name = "kernel";
    launcher.kernels[&stub].parameter_bytes = {8, 4};
    start_runtime(launcher, device_presets().front());
  }
  void TearDown() override {
    // Nothing of a test is left for the next one.
    static FakeLauncher nobody;
    start_runtime(nobody, device_presets().front());
  }
  /// Device memory that holds the values.
  float* device_floats(const std::vector<float>& values) {
    float* made = nullptr;
    cudaMalloc(reinterpret_cast<void**>(&made), values.size() * sizeof(float));
    cudaMemcpy(made, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
    return made;
  }
  static std::vector<float> host_floats(const float* from, std::size_t count) {
    std::vector<float> values(count);
    cudaMemcpy(values.data(), from, count * sizeof(float), cudaMemcpyDeviceToHost);
    return values;
  }
  /// The last thing told has the words, and is an error.
  void expect_told(const std::string& words) {
    ASSERT_FALSE(launcher.told.empty());
    EXPECT_TRUE(launcher.told.back().is_error) << launcher.told.back().text;
    EXPECT_NE(launcher.told.back().text.find(words), std::string::npos)
        << launcher.told.back().text;
    launcher.told.clear();
  }
  cudaError_t launch(dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                     cudaStream_t stream = nullptr) {
    return cudaLaunchKernel(&stub, grid, block, arguments, shared, stream);
  }

  FakeLauncher launcher;
  char stub = 0;
};

}  // namespace lanescope::app
