// Launches, their errors, events and streams, and what the device says of itself.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "program/device/timeline.h"
#include "program/runtime/fake_launcher.h"

namespace lanescope::app {
namespace {

class ProgramLaunch : public RuntimeTest {};

TEST_F(ProgramLaunch, TheKernelIsGivenWhatTheProgramAsksFor) {
  float* p = device_floats({0});
  int n = 42;
  void* arguments[] = {&p, &n};
  KernelCall seen;
  launcher.run = [&](const KernelCall& call) {
    seen = call;
    EXPECT_EQ(argument<float*>(call, 0), p);
    EXPECT_EQ(argument<int>(call, 1), 42);
    return LaunchEnd::fine;
  };
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  // As a compiled <<<>>> does it.
  __cudaPushCallConfiguration({3, 2, 1}, {32, 4, 1}, 64, stream);
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t popped = nullptr;
  ASSERT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &popped), 0u);
  ASSERT_EQ(launch(grid, block, arguments, shared, popped), cudaSuccess);
  EXPECT_EQ(seen.grid, (Dim3{3, 2, 1}));
  EXPECT_EQ(seen.block, (Dim3{32, 4, 1}));
  EXPECT_EQ(seen.dynamic_shared_bytes, 64u);
  EXPECT_NE(seen.stream, 0u);
  EXPECT_NE(seen.caller, nullptr);
  EXPECT_NE(__cudaPopCallConfiguration(&grid, &block, &shared, &popped), 0u);
}

TEST_F(ProgramLaunch, ShapesThatNoDeviceTakesAreRefused) {
  const dim3 bad_grids[] = {{0, 1, 1}, {1, 65536, 1}, {2147483648u, 1, 1}};
  for (const dim3& grid : bad_grids) EXPECT_EQ(launch(grid, 32, nullptr), cudaErrorInvalidValue);
  const dim3 bad_blocks[] = {{1025, 1, 1}, {32, 0, 1}, {32, 33, 1}, {1, 1, 65}};
  for (const dim3& block : bad_blocks) EXPECT_EQ(launch(1, block, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(launcher.launches, 0);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(launch(1, 1024, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(&launcher, 1, 32, nullptr, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
  launcher.kernels[&stub].most_threads = 128;
  EXPECT_EQ(launch(1, 256, nullptr), cudaErrorLaunchOutOfResources);
}

TEST_F(ProgramLaunch, MuchSharedMemoryHasToBeAskedFor) {
  launcher.kernels[&stub].static_shared_bytes = 1024;
  EXPECT_EQ(launch(1, 32, nullptr, 48 * 1024), cudaErrorInvalidValue);
  expect_told("it may have 48128");
  EXPECT_EQ(launch(1, 32, nullptr, 47 * 1024), cudaSuccess);
  const auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  EXPECT_EQ(cudaFuncSetAttribute(&stub, most, 227 * 1024), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(&stub, most, 226 * 1024), cudaSuccess);
  EXPECT_EQ(launch(1, 32, nullptr, 226 * 1024), cudaSuccess);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, &stub), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 226 * 1024);
  EXPECT_EQ(attributes.sharedSizeBytes, 1024u);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
}

TEST_F(ProgramLaunch, AFaultIsHeardOfAtTheNextCallAndStays) {
  launcher.run = [](const KernelCall&) { return LaunchEnd::illegal_address; };
  void* p = nullptr;
  EXPECT_EQ(launch(1, 32, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMalloc(&p, 4), cudaErrorIllegalAddress);
  EXPECT_EQ(launch(1, 32, nullptr), cudaErrorIllegalAddress);
  EXPECT_EQ(launcher.launches, 1);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&p, 4), cudaSuccess);
  setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
  EXPECT_EQ(launch(1, 32, nullptr), cudaErrorIllegalAddress);
  unsetenv("CUDA_LAUNCH_BLOCKING");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(777)), "unrecognized error code");
}

TEST_F(ProgramLaunch, ACooperativeGridHasToBeResident) {
  // 2048 threads a multiprocessor, 132 multiprocessors.
  EXPECT_EQ(cudaLaunchCooperativeKernel(&stub, 264, 1024, nullptr, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchCooperativeKernel(&stub, 265, 1024, nullptr, 0, nullptr),
            cudaErrorCooperativeLaunchTooLarge);
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &stub, 1024, 0), cudaSuccess);
  EXPECT_EQ(blocks, 2);
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &stub, 64, 48 * 1024),
            cudaSuccess);
  EXPECT_EQ(blocks, 4);
  std::size_t shared = 0;
  ASSERT_EQ(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, &stub, 8, 64), cudaSuccess);
  EXPECT_EQ(shared, 27 * 1024u + 512u);
}

TEST_F(ProgramLaunch, EventsAreTimedByTheClockThatIsSet) {
  std::uint64_t time = 1000;
  set_event_clock([&] { return time; });
  cudaEvent_t start = nullptr, end = nullptr, untimed = nullptr;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
  expect_told("never recorded");
  cudaEventRecord(start);
  cudaEventRecord(untimed);
  time += 2'500'000;
  cudaEventRecord(end);
  EXPECT_EQ(cudaEventQuery(end), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
  EXPECT_FLOAT_EQ(ms, 2.5f);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(cudaEventElapsedTime(&ms, start, start), cudaSuccess);
  EXPECT_FLOAT_EQ(ms, 1e-3f);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(start), cudaErrorInvalidResourceHandle);
  expect_told("destroyed");
  set_event_clock({});
}

/// Between two events, around what is asked for.
class ProgramTimes : public ProgramLaunch {
 protected:
  void SetUp() override {
    ProgramLaunch::SetUp();
    set_event_clock([this] { return time; });
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    // Here a launch takes a second.
    launcher.run = [this](const KernelCall&) {
      time += 1'000'000'000;
      return LaunchEnd::fine;
    };
    launcher.work = {.counted = true,
                     .blocks = 16384,
                     .warps_per_block = 8,
                     .resident_blocks = 8,
                     .warp_instructions = 16384 * 8 * 10,
                     .global_requests = 16384 * 8 * 2,
                     .sectors = 16384 * 8 * 8,
                     .bytes_in_reach = 1 << 24};
  }
  void TearDown() override {
    set_event_clock({});
    ProgramLaunch::TearDown();
  }

  void launch(cudaStream_t stream) {
    float* p = nullptr;
    int n = 0;
    void* arguments[] = {&p, &n};
    ASSERT_EQ(cudaLaunchKernel(&stub, 16384, 256, arguments, 0, stream), cudaSuccess);
  }
  bool said(const std::string& words) const {
    return std::any_of(launcher.told.begin(), launcher.told.end(), [&](const auto& each) {
      return !each.is_error && each.text.find(words) != std::string::npos;
    });
  }
  float between() {
    float ms = -1;
    EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
    return ms;
  }

  std::uint64_t time = 1000;
  cudaEvent_t start = nullptr, end = nullptr;
};

TEST_F(ProgramTimes, ALaunchTakesWhatItsCountsSay) {
  cudaEventRecord(start);
  launch(nullptr);
  cudaEventRecord(end);
  // 32 MB at less than 4.8 TB/s, and what every launch takes.
  EXPECT_GT(between(), 0.007);
  EXPECT_LT(between(), 0.03);
  EXPECT_TRUE(said("are estimates for H200"));
}

TEST_F(ProgramTimes, ALaunchWithoutCountsTakesWhatItTookHere) {
  launcher.work.counted = false;
  cudaEventRecord(start);
  launch(nullptr);
  cudaEventRecord(end);
  EXPECT_FLOAT_EQ(between(), 1000);
  EXPECT_TRUE(said("a launch that could not be counted"));
}

TEST_F(ProgramTimes, TheHostsOwnWorkPasses) {
  cudaEventRecord(start);
  time += 3'000'000;
  cudaEventRecord(end);
  EXPECT_FLOAT_EQ(between(), 3);
}

TEST_F(ProgramTimes, CopiesOfOtherStreamsPassBesideALaunch) {
  std::vector<std::byte> host(16 << 20);
  void* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, host.size()), cudaSuccess);
  cudaStream_t one = nullptr, other = nullptr;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  const auto copies = [&](cudaStream_t first, cudaStream_t second) {
    cudaDeviceSynchronize();
    cudaEventRecord(start);
    cudaMemcpyAsync(device, host.data(), host.size(), cudaMemcpyHostToDevice, first);
    cudaMemcpyAsync(host.data(), device, host.size(), cudaMemcpyDeviceToHost, second);
    cudaDeviceSynchronize();
    cudaEventRecord(end);
    return between();
  };
  const float in_order = copies(one, one), beside = copies(one, other);
  EXPECT_GT(in_order, 1.9 * beside);
  EXPECT_GT(beside, 0.3);
  EXPECT_LT(beside, 1);
}

TEST_F(ProgramTimes, AStreamThatWaitsForAnEventGoesOnBehindIt) {
  cudaStream_t one = nullptr, other = nullptr;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventRecord(start, one);
  launch(one);
  cudaEvent_t launched = nullptr;
  cudaEventCreate(&launched);
  cudaEventRecord(launched, one);
  cudaEventRecord(end, other);
  EXPECT_LT(between(), 0.002);
  cudaStreamWaitEvent(other, launched);
  cudaEventRecord(end, other);
  EXPECT_GT(between(), 0.007);
}

TEST_F(ProgramLaunch, HandlesThatAreNoneAreRefused) {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  expect_told("destroyed");
  EXPECT_EQ(launch(1, 32, nullptr, 0, reinterpret_cast<cudaStream_t>(&stub)),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(launcher.launches, 0);
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
}

TEST_F(ProgramLaunch, TheDeviceIsThePreset) {
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_STREQ(p.name, "NVIDIA H200");
  EXPECT_EQ(p.multiProcessorCount, 132);
  EXPECT_EQ(p.clockRate, 1980000);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 232448u);
  EXPECT_EQ(p.maxThreadsDim[2], 64);
  EXPECT_EQ(p.maxGridSize[0], 2147483647);
  EXPECT_EQ(p.maxTexture3D[2], 16384);
  int value = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0),
            cudaSuccess);
  EXPECT_EQ(value, 233472);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  start_runtime(launcher, *find_device("T4"));
  ASSERT_EQ(cudaGetDeviceProperties_v2(&p, 0), cudaSuccess);
  EXPECT_STREQ(p.name, "Tesla T4");
  EXPECT_EQ(p.major * 10 + p.minor, 75);
  EXPECT_EQ(p.maxThreadsPerMultiProcessor, 1024);
}

TEST_F(ProgramLaunch, EveryPresetHasItsProduct) {
  std::set<std::string> names;
  for (const DevicePreset& device : device_presets()) {
    start_runtime(launcher, device);
    cudaDeviceProp p;
    ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    EXPECT_NE(std::string(p.name).find(device.name), std::string::npos) << p.name;
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_GT(p.clockRate, 1000000);
    EXPECT_GT(p.totalGlobalMem, std::size_t{15} << 30);
  }
}

TEST_F(ProgramLaunch, EveryFunctionIsInTheTableOnce) {
  std::set<std::string_view> names;
  for (const RuntimeFunction& function : runtime_functions()) {
    EXPECT_NE(function.address, nullptr);
    EXPECT_TRUE(names.insert(function.name).second) << function.name;
  }
  EXPECT_TRUE(names.count("cudaMalloc"));
  EXPECT_TRUE(names.count("__cudaPushCallConfiguration"));
}

}  // namespace
}  // namespace lanescope::app
