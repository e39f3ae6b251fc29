#include "program/runtime/state.h"

#include <cstdlib>

#include <fmt/format.h>

#include <algorithm>

#include "program/device/device_time.h"

namespace lanescope::app {
namespace {

std::unique_ptr<Runtime>& slot() {
  static auto* made = new std::unique_ptr<Runtime>(std::make_unique<Runtime>());
  return *made;
}

thread_local cudaError_t last = cudaSuccess;

const char* origin(MemoryKind kind) {
  switch (kind) {
  case MemoryKind::device:
    return "device memory";
  case MemoryKind::managed:
    return "managed memory";
  case MemoryKind::pinned:
    return "pinned host memory";
  case MemoryKind::variable:
    return "a device variable";
  }
  return "";
}

}  // namespace

Runtime& runtime() { return *slot(); }

std::recursive_mutex& runtime_mutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}

void start_runtime(Launcher& launcher, const DevicePreset& device) {
  const std::lock_guard lock(runtime_mutex());
  slot().reset();  // first, so that the windows are free again
  slot() = std::make_unique<Runtime>();
  Runtime& made = *slot();
  made.outer = {&launcher, device};
  made.facts = device_facts(device);
  made.per_thread_stream.number = 1;
  made.memory.set_capacity(made.facts.memory_bytes);
  last = cudaSuccess;
}

DeviceMemory& device_memory() { return runtime().memory; }

void synchronized() {
  runtime().timeline.wait();
  if (runtime().outer.launcher != nullptr) runtime().outer.launcher->synchronized();
}

void end_runtime() {
  const std::lock_guard lock(runtime_mutex());
  Runtime& now = runtime();
  if (now.outer.launcher == nullptr) return;
  std::size_t bytes = 0, count = 0;
  const Allocation* first = nullptr;
  for (const auto& [address, allocation] : now.memory.live()) {
    if (now.asked_from.count(allocation.number) == 0) continue;
    bytes += allocation.bytes;
    ++count;
    if (first == nullptr || allocation.number < first->number) first = &allocation;
  }
  if (count == 0) return;
  now.outer.launcher->tell(
      count == 1
          ? fmt::format("an allocation of {} bytes was not freed before the program ended", bytes)
          : fmt::format(
                "{} allocations of {} bytes in all were not freed before the program ended; "
                "the first was of {} bytes",
                count, bytes, first->bytes),
      false, now.asked_from.at(first->number));
}

Call::Call(const char* function, const void* caller) : function_(function), caller_(caller) {
  const std::optional<CallKind> kind = kind_of_call(function);
  const Launcher* launcher = runtime().outer.launcher;
  recorded_ = kind && launcher != nullptr;
  if (!recorded_) return;
  record_.function = function;
  // As programs call it: the library's header makes the one of the other.
  if (*kind == CallKind::library && record_.function.ends_with("_v2"))
    record_.function.resize(record_.function.size() - 3);
  record_.kind = *kind;
  record_.begin_ms = launcher->now_ms();
}

void Call::moves(CopyWay way, std::size_t bytes) const {
  record_.way = way;
  record_.bytes += bytes;
  Runtime& now = runtime();
  if (record_.kind != CallKind::copy && record_.kind != CallKind::fill) return;
  using Engine = DeviceTimeline::Engine;
  const Engine engine = way == CopyWay::host_to_device   ? Engine::copies_in
                        : way == CopyWay::device_to_host ? Engine::copies_out
                                                         : Engine::kernels;
  now.timeline.queue(record_.stream, engine, copy_ns(now.facts, way, bytes));
}

Call Call::part(CallKind kind) const {
  Call made(function_, caller_);
  made.record_.kind = kind;
  made.record_.stream = record_.stream;
  made.record_.in_graph = true;
  return made;
}

void Call::answered(cudaError_t error) const {
  // A question that is answered by "not yet" is no failure.
  const bool failed = error != cudaSuccess && error != cudaErrorNotReady;
  answered(failed ? std::string(cudaGetErrorName(error)) : std::string());
}

void Call::answered(std::string error) const {
  Launcher* launcher = runtime().outer.launcher;
  if (!recorded_ || launcher == nullptr) return;
  record_.end_ms = launcher->now_ms();
  record_.error = std::move(error);
  launcher->called(std::move(record_), caller_);
}

cudaError_t Call::fail(cudaError_t code, const std::string& text) const {
  mistake(fmt::format("{} ({}: {})", text, cudaGetErrorName(code), cudaGetErrorString(code)));
  return code;
}

void Call::remark(const std::string& text) const {
  if (Launcher* launcher = runtime().outer.launcher)
    launcher->tell(fmt::format("{}: {}", function_, text), false, caller_);
}

void Call::mistake(const std::string& text) const {
  if (Launcher* launcher = runtime().outer.launcher)
    launcher->tell(fmt::format("{}: {}", function_, text), true, caller_);
}

cudaError_t error_from_before() {
  Runtime& now = runtime();
  if (now.sticky == cudaSuccess) now.sticky = std::exchange(now.pending, cudaSuccess);
  return now.sticky;
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) last = error;
  return error;
}

cudaError_t last_error(bool forget) {
  const cudaError_t sticky = runtime().sticky;
  if (sticky != cudaSuccess) return sticky;
  return forget ? std::exchange(last, cudaSuccess) : last;
}

std::string hex(const void* pointer) {
  return fmt::format("{:#x}", reinterpret_cast<std::uint64_t>(pointer));
}

std::string described(const Allocation& allocation) {
  return fmt::format("the {} bytes of {} at {:#x}", allocation.bytes, origin(allocation.kind),
                     allocation.address);
}

}  // namespace lanescope::app
