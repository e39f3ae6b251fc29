// The device that a whole program runs on: kernels by their stand-ins in the host code, launches through
// the simulator with the program's own memory, each told as a record.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/program/program_record.h"
#include "lanescope/device.h"
#include "lanescope/run.h"
#include "lanescope/whole_program.h"
#include "program/process/progress_teller.h"
#include "program/runtime/launcher.h"

namespace lanescope::app {

/// A launch that is about to run.
struct CaughtLaunch {
  std::uint64_t number = 0;
  /// Index of its text, and the kernel's symbol in it
  std::size_t text = 0;
  const DeviceCode& device;
  const std::string& symbol;
  /// Of the text's variables, by symbol
  const std::map<std::string, std::uint64_t>& addresses;
  /// The addresses of `__constant__` variables
  const std::set<std::uint64_t>& constants;
  const Program& program;
  const Launch& launch;
  /// Where the launch says how many blocks run together
  std::optional<Dim3> cluster = std::nullopt;
};

struct SimulatedDeviceOptions {
  DevicePreset device;
  /// Races and uninitialised reads are looked for in launches of up to so many threads
  std::uint64_t most_threads_to_check = 1u << 18;
  /// Workers; 0 picks the machine's cores
  unsigned threads = 0;
  /// Warp instructions that a block may execute; 0 takes the engine's own budget
  std::uint64_t step_budget = 0;
  /// Run every launch, also one that is known to change nothing
  bool every_launch = false;
  /// Called with each launch before it runs; may be empty
  std::function<void(const CaughtLaunch&)> caught;
  /// From an address in the host code to its line
  std::function<HostPosition(const void*)> where;
  std::function<void(const LaunchRecord&)> launched;
  /// Called with each call that has a record, at most kMostCalls; may be empty
  std::function<void(const CallRecord&)> called;
  /// Called a few times a second while a launch runs, from a thread of its own; may be empty
  std::function<void(const LaunchProgress&)> progressed;
  std::function<void(const HostRemark&)> remarked;
};

class SimulatedDevice : public Launcher {
 public:
  SimulatedDevice(std::vector<CompiledText> texts, SimulatedDeviceOptions options);
  ~SimulatedDevice() override;
  SimulatedDevice(const SimulatedDevice&) = delete;
  SimulatedDevice& operator=(const SimulatedDevice&) = delete;

  // What the texts' constructors tell: which text, its kernels, its variables.
  void** register_text(std::size_t index);
  void register_kernel(void** text, const void* stub, const std::string& symbol);
  void register_variable(void** text, const void* host, const std::string& symbol);

  LaunchEnd launch(const KernelCall& call) override;
  [[nodiscard]] LaunchWork last_work() const override { return last_work_; }
  void synchronized() override;
  KernelFacts facts(const void* stub) override;
  DeviceVariable variable(const void* host) override;
  void tell(const std::string& text, bool is_error, const void* caller) override;
  [[nodiscard]] double now_ms() const override;
  void called(CallRecord call, const void* caller) override;
  [[nodiscard]] std::uint64_t calls_left_out() const { return calls_left_out_; }

 private:
  struct Text;
  struct Kernel {
    Text* text = nullptr;
    std::string symbol;
    /// Made with its first launch
    ProgramPtr program;
    std::vector<Diagnostic> problems;
    /// Of the launch that it was made for
    std::optional<Dim3> cluster = std::nullopt;
  };
  struct Text {
    CompiledText compiled;
    std::size_t index = 0;
    /// Of its variables, by symbol
    std::map<std::string, std::uint64_t> addresses;
    /// Of managed ones, until the host has told where they are
    std::map<std::string, GlobalVariableInfo> managed;
    /// Of launches by device code, in its variables; null where there are none
    std::byte* nested_queue = nullptr;
    /// That device code launches, by symbol
    std::map<std::string, Kernel> nested;
  };

  void share(Text& text, const std::string& symbol, std::uint64_t address);
  Kernel* find(const void* stub);
  const Program* program_of(Kernel& kernel);
  LaunchEnd launch(Kernel& kernel, const KernelCall& call, const HostPosition& from);
  void launch_nested(Text& text, const KernelCall& call);
  void set_cluster(Kernel& kernel, std::optional<Dim3> cluster);
  void note_work(const Kernel& kernel, const LaunchRecord& record, LaunchEnd end);
  LaunchEnd limits(const Kernel& kernel, const KernelCall& call, LaunchRecord& record);
  Launch launch_of(const Kernel& kernel, const KernelCall& call) const;
  struct Repeat;
  RunResult run(const Kernel& kernel, const Launch& launch, const LaunchRecord& record);
  LaunchEnd run_and_record(const Kernel& kernel, const Launch& launch, LaunchRecord& record);
  bool is_repeat(const Kernel& kernel, const Launch& launch, LaunchRecord& record);
  void remember(const LaunchRecord& record, const RunResult& result, LaunchEnd end);
  HostPosition place(const void* caller);

  SimulatedDeviceOptions options_;
  LaunchWork last_work_;
  std::vector<std::unique_ptr<Text>> texts_;
  std::map<const void*, Kernel> kernels_;
  std::map<const void*, DeviceVariable> variables_;
  std::set<std::uint64_t> constants_;
  std::set<std::string> told_;
  /// Printed by kernels since the host last waited for the device
  std::string printed_;
  /// The launch before
  std::unique_ptr<Repeat> last_;
  std::recursive_mutex mutex_;
  std::uint64_t launches_ = 0;
  std::size_t calls_ = 0;
  std::atomic<std::uint64_t> calls_left_out_{0};
  /// A program's calls stand in few places, and finding one takes a while
  std::map<const void*, HostPosition> places_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  /// Last, so that its thread ends first
  std::unique_ptr<ProgressTeller> teller_;
};

}  // namespace lanescope::app
