// For tests: programs that are not run, but tell what they are told to.
#pragma once

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/kernel/settings.h"
#include "core/program/program_service.h"
#include "lanescope/whole_program.h"

namespace lanescope::app::testing_programs {

/// Two kernels and their launches; FACTOR conflicts where `by` is 32.
inline const std::string kProgram = R"cu(#include <cstdio>
__global__ void fill(float* out, int by) {
  __shared__ float tile[1024];
  tile[threadIdx.x * by] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * by];
}
__global__ void twice(float* out, int by) { out[threadIdx.x] *= 2; }
int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  fill<<<1, 32>>>(out, 1);
  fill<<<1, 32>>>(out, 32);
  twice<<<1, 32>>>(out, 1);
  printf("done\n");
}
)cu";

inline Settings program_settings(const std::string& text = kProgram) {
  Settings settings;
  settings.name = settings.file = "/nowhere/prog.cu";
  settings.text = text;
  return settings;
}

/// Launch 0 is fill(out, 1), launch 1 is fill(out, 32), launch 2 is twice(out, 1).
class FakePrograms : public ProgramService {
 public:
  ProgramResult run(const ProgramRequest& request, const ProgramEvents& events) override {
    {
      const std::lock_guard lock(mutex_);
      asked_.push_back(request);
      inputs_.push_back(events.input);
    }
    ++runs;
    ProgramResult result;
    if (fails_to_compile) {
      Diagnostic d;
      d.kind = DiagnosticKind::compile;
      d.file = request.compile.files.front();
      d.line = 3;
      d.message = Message::verbatim("expected ';'");
      result.diagnostics.push_back(d);
      return result;
    }
    result.started = true;
    events.wrote("hello\n");
    for (std::uint64_t i = 0; i < 3; ++i) {
      result.launches.push_back(record(i, request.compile.files.front()));
      events.launched(result.launches.back());
    }
    for (const CallRecord& call : calls_of(request.compile.files.front())) {
      result.calls.push_back(call);
      events.called(call);
    }
    if (hold) {
      result.unfinished = LaunchProgress{3, "void slow<float>", 12, 96, 1000, 1, 40};
      events.progressed(*result.unfinished);
    }
    while (hold && !events.stop.stop_requested()) {
      if (events.idle) events.idle();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (events.stop.stop_requested()) {
      result.end = {137, kStopped, true, {}};
      return result;
    }
    events.wrote("done\n");
    if (crashes)
      result.end = {139, "Segmentation fault at address 0x0", false, {"/nowhere/prog.cu", 12}};
    result.remarks.push_back({"1 allocation of 128 bytes was not freed", false, {}});
    return result;
  }

  CaptureResult capture(const ProgramRequest& request, std::uint64_t number,
                        const ProgramEvents&) override {
    ++captures;
    CaptureResult result;
    result.file = request.compile.files.front();
    auto captured = std::make_shared<CapturedLaunch>();
    captured->number = number;
    captured->compile = request.compile;
    captured->compile.device_only = true;
    captured->symbol = number < 2 ? "_Z4fillPfi" : "_Z5twicePfi";
    const WholeProgramResult compiled = compile_whole_program(captured->compile);
    result.diagnostics = compiled.diagnostics;
    if (compiled.texts.empty()) return result;
    captured->program = compiled.texts[0].device->kernel(captured->symbol, {}, result.diagnostics);
    if (!captured->program) return result;
    captured->launch.block = {32, 1, 1};
    captured->launch.arguments = {bytes_of("out", kAddress), bytes_of("by", number == 1 ? 32 : 1)};
    captured->buffers.push_back({"out", ScalarType::f32, kAddress, MemorySpace::global,
                                 std::make_shared<const std::vector<std::byte>>(32 * 4)});
    result.launch = std::move(captured);
    return result;
  }

  [[nodiscard]] ProgramRequest asked() const {
    const std::lock_guard lock(mutex_);
    return asked_.back();
  }
  [[nodiscard]] std::string input() const {
    const std::lock_guard lock(mutex_);
    return inputs_.back();
  }

  std::atomic<int> runs{0}, captures{0};
  /// The program does not end by itself
  std::atomic<bool> hold{false};
  std::atomic<bool> crashes{false}, fails_to_compile{false};

 private:
  static constexpr std::uint64_t kAddress = kGlobalWindow;

  template <class T>
  static Argument bytes_of(const char* name, T value) {
    Argument argument;
    argument.name = name;
    argument.bytes.resize(sizeof value);
    std::memcpy(argument.bytes.data(), &value, sizeof value);
    return argument;
  }

  /// A copy to the device in launch 0's stream, behind the launches, and what the host did for it.
  static std::vector<CallRecord> calls_of(const std::string& file) {
    return {{"cudaMalloc", CallKind::allocate, CopyWay::none, 128, 0, 18.2, 18.8, {file, 11}},
            {"cudaMemcpy", CallKind::copy, CopyWay::host_to_device, 128, 0, 28.5, 30, {file, 12}}};
  }

  static LaunchRecord record(std::uint64_t number, const std::string& file) {
    LaunchRecord launch;
    launch.number = number;
    launch.kernel = number < 2 ? "fill" : "twice";
    launch.file = file;
    launch.block = {32, 1, 1};
    launch.stream = number == 2 ? 1 : 0;
    launch.begin_ms = static_cast<double>(10 * number);
    launch.end_ms = launch.begin_ms + 8;
    launch.exact = true;
    launch.totals.global_store = {1, 4, 4, 128};
    if (number < 2)
      launch.totals.shared_load = {1, number == 1 ? 32u : 1u, 1, number == 1 ? 31u : 0u};
    if (number == 1) {
      Diagnostic race;
      race.kind = DiagnosticKind::race;
      race.file = file;
      race.line = 4;
      race.message = Message::verbatim("race");
      launch.mistakes.push_back(race);
    }
    return launch;
  }

  mutable std::mutex mutex_;
  std::vector<ProgramRequest> asked_;
  std::vector<std::string> inputs_;
};

}  // namespace lanescope::app::testing_programs
