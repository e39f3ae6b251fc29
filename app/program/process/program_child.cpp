#include "program/process/program_child.h"
#include "core/program/program_request.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>

#include "lanescope/host_code.h"
#include "lanescope/source_files.h"
#include "program/process/capture.h"
#include "program/process/crash.h"
#include "program/process/fresh_memory.h"
#include "program/process/refused_calls.h"
#include "program/process/sandbox.h"
#include "program/process/simulated_device.h"
#include "program/runtime/runtime.h"

namespace lanescope::app {
namespace {

constexpr int kMissingFunction = 127;

/// Warp instructions of a block before it counts as endless: a kernel by itself is looked at with patience for
/// seconds, while a program may leave millions of elements to one block.
constexpr std::uint64_t kStepBudget = 4'000'000'000;

/// What the functions below, which C code calls, find their objects by. One program a process.
struct Child {
  std::unique_ptr<SimulatedDevice> device;
  std::unique_ptr<HostCode> code;
  /// The program's, as this process found them before it went to its work folder
  std::vector<std::string> files;
  bool stop_at_mistake = false;
};
Child child;

void send(const char* kind, Json json) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  json["event"] = kind;
  const std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t written = write(kEventDescriptor, line.data() + at, line.size() - at);
    if (written <= 0) return;
    at += static_cast<std::size_t>(written);
  }
}

thread_local const void* last_throw = nullptr;

/// The C++ library's, with a note of the place.
[[noreturn]] void throw_noted(void* object, std::type_info* type, void (*destroy)(void*)) {
  last_throw = __builtin_return_address(0);
  abi::__cxa_throw(object, type, destroy);
}

/// How many calls have no record: with each launch, and at the end, however that comes.
void tell_left_out() {
  static std::uint64_t told = 0;
  const std::uint64_t now = child.device == nullptr ? 0 : child.device->calls_left_out();
  if (now == told) return;
  told = now;
  send("left_out", {{"calls", now}});
}

std::string read_all(int descriptor) {
  std::string text;
  char buffer[65536];
  for (ssize_t got = 0; (got = ::read(descriptor, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

HostPosition place_of(const void* pc) {
  if (child.code == nullptr) return {};
  const HostPlace place = child.code->where(pc);
  return {place.file, place.line};
}

void launched(const LaunchRecord& record) {
  send("launch", to_json(record));
  tell_left_out();
  if (!child.stop_at_mistake || record.mistakes.empty()) return;
  std::fflush(nullptr);
  _exit(1);
}

void missing(const char* name, const void* caller) {
  std::fflush(nullptr);
  const std::string other = file_that_defines(child.files, name);
  const std::string why = other.empty()
                              ? "which nothing here provides"
                              : fmt::format("which {} beside it defines: give that file too",
                                            std::filesystem::path(other).filename().string());
  child.device->tell(fmt::format("the program calls {}, {}", name, why), true, caller);
  _exit(kMissingFunction);
}

/// The innermost place of the program's own on the way to the crash, which may be in a library.
HostPosition place_of_crash(const Crash& crash) {
  const HostPosition at = place_of(crash.pc);
  if (!at.file.empty()) return at;
  for (const void* call : crash.calls)
    if (const HostPosition from = place_of(call); !from.file.empty()) return from;
  // An exception that nobody caught: the stack is gone by now.
  return place_of(last_throw);
}

/// A fault near the stack's end: recursion, or arrays larger than what is left.
bool is_overflow(const Crash& crash) {
  constexpr std::uint64_t kNear = 1 << 20;
  const auto stack = reinterpret_cast<std::uint64_t>(crash.stack);
  const auto address = reinterpret_cast<std::uint64_t>(crash.address);
  return crash.signal == SIGSEGV && address + kNear > stack && address < stack + kNear;
}

void note_crash(const Crash& crash) {
  char line[64];
  const int count =
      std::snprintf(line, sizeof line, "{\"event\":\"crash\",\"signal\":%d}\n", crash.signal);
  if (write(kEventDescriptor, line, static_cast<std::size_t>(count)) != count) return;
}

void tell_crash(const Crash& crash) {
  const HostPosition at = place_of_crash(crash);
  const auto address = reinterpret_cast<std::uint64_t>(crash.address);
  Json json = {{"signal", crash.signal}, {"file", at.file}, {"line", at.line}};
  if (crash.signal == SIGSEGV || crash.signal == SIGBUS) {
    json["address"] = address;
    json["device_address"] = device_memory().is_device_address(address);
    json["overflow"] = is_overflow(crash);
  }
  send("crash", json);
  tell_left_out();
  std::fflush(stdout);
}

/// Behind what the program wants done at its exit, and instead of this process's own destructors: threads that main
/// left running still run the program's code and call the runtime.
void leave(int status, void*) {
  tell_left_out();
  std::cout.flush(), std::wcout.flush(), std::clog.flush();
  std::fflush(nullptr);
  _exit(status);
}

// ---- what the host code's constructors call ----

struct ImageWrapper {
  int magic, version;
  const char* image;
  void* unused;
};

void** register_fat_binary(const void* wrapper) {
  const char* index = static_cast<const ImageWrapper*>(wrapper)->image;
  return child.device->register_text(std::strtoul(index, nullptr, 10));
}
void register_nothing(void**) {}
int register_function(void** text, const void* stub, char* symbol, const char*, int, void*, void*,
                      void*, void*, int*) {
  child.device->register_kernel(text, stub, symbol);
  return 0;
}
void register_var(void** text, char* host, char*, const char* symbol, int, std::size_t, int, int) {
  child.device->register_variable(text, host, symbol);
}

std::vector<HostFunction> functions(const std::string& work_folder) {
  std::vector<HostFunction> all = {host_function("__cudaRegisterFatBinary", register_fat_binary),
                                   host_function("__cudaRegisterFatBinaryEnd", register_nothing),
                                   host_function("__cudaUnregisterFatBinary", register_nothing),
                                   host_function("__cudaRegisterFunction", register_function),
                                   host_function("__cudaRegisterVar", register_var),
                                   host_function("__cxa_throw", throw_noted)};
  for (const RuntimeFunction& function : runtime_functions())
    all.push_back({function.name, function.address});
  const auto told = [](const std::string& what, const void* caller) {
    child.device->tell(what, true, caller);
  };
  for (const HostFunction& function : refused_calls(told, work_folder)) all.push_back(function);
  for (const HostFunction& function : fresh_memory()) all.push_back(function);
  return all;
}

int refuse(const std::vector<Diagnostic>& diagnostics) {
  send("diagnostics", {{"diagnostics", diagnostics_json(diagnostics)}});
  return kCannotStart;
}

/// The launch that was asked for is written, and that is all.
void catch_launch(const ProgramRequest& request, const CaughtLaunch& launch) {
  if (launch.number != request.capture_launch) return;
  std::fflush(nullptr);
  const bool fine = write_capture(request.capture_file, launch);
  send("captured", {{"fine", fine}});
  _exit(fine ? 0 : kCannotStart);
}

SimulatedDeviceOptions device_options(const ProgramRequest& request) {
  SimulatedDeviceOptions options;
  const DevicePreset* preset = find_device(request.device);
  options.device = preset != nullptr ? *preset : device_presets().front();
  options.threads = request.threads;
  options.step_budget = request.step_budget != 0 ? request.step_budget : kStepBudget;
  options.every_launch = request.every_launch;
  if (request.check_all) options.most_threads_to_check = std::numeric_limits<std::uint64_t>::max();
  if (!request.capture_file.empty())
    options.caught = [&request](const CaughtLaunch& launch) { catch_launch(request, launch); };
  options.where = place_of;
  options.launched = launched;
  options.called = [](const CallRecord& call) { send("call", to_json(call)); };
  options.progressed = [](const LaunchProgress& now) { send("progress", to_json(now)); };
  options.remarked = [](const HostRemark& remark) { send("remark", to_json(remark)); };
  return options;
}

/// An exception that the program lets out of main ends it, as it does anywhere.
int run_main(const std::vector<std::string>& arguments) noexcept {
  return child.code->run(arguments);
}

int run(const ProgramRequest& request, const std::string& work_folder) {
  WholeProgramResult compiled = compile_whole_program(request.compile);
  if (compiled.texts.empty()) return refuse(compiled.diagnostics);
  const SimulatedDeviceOptions options = device_options(request);
  std::vector<CompiledText> texts = compiled.texts;
  child.stop_at_mistake = request.stop_at_mistake;
  for (const std::string& file : request.compile.files)
    child.files.push_back(std::filesystem::absolute(file).lexically_normal().string());
  child.device = std::make_unique<SimulatedDevice>(std::move(texts), options);
  start_runtime(*child.device, options.device);
  HostCodeResult loaded = load_host_code(compiled.texts, functions(work_folder), missing);
  if (loaded.code == nullptr) return refuse(loaded.diagnostics);
  child.code = std::move(loaded.code);
  compiled.texts.clear();
  tell_crashes(note_crash, tell_crash);
  on_exit(leave, nullptr);
  // Where that is not to be had, it stays where it is, and may not write there.
  if (!work_folder.empty() && chdir(work_folder.c_str()) != 0) errno = 0;
  const std::vector<std::string> lacking = enter_sandbox({request.writable});
  send("started", {{"diagnostics", diagnostics_json(compiled.diagnostics)}, {"lacking", lacking}});
  std::vector<std::string> arguments{
      std::filesystem::path(request.compile.files.front()).stem().string()};
  arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
  const int status = run_main(arguments);
  end_runtime();
  return status;
}

}  // namespace

int program_child_main(const std::string& work_folder) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  // Nobody is left to bound it where who started it has been killed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    const ProgramRequest request = request_from(read_all(kRequestDescriptor));
    close(kRequestDescriptor);
    const int status = run(request, work_folder);
    std::fflush(nullptr);
    std::exit(status);
  } catch (const std::exception& error) {
    send("diagnostics", {{"diagnostics", Json::array()}, {"text", error.what()}});
    return kCannotStart;
  }
}

}  // namespace lanescope::app
