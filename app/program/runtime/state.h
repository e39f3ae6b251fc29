// What the runtime's functions share: the state behind them, and one call of the program into them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "frontend/prelude/host/lanescope_runtime.h"
#include "program/device/device_table.h"
#include "program/device/timeline.h"
#include "program/runtime/device_memory.h"
#include "program/runtime/graph.h"
#include "program/runtime/handles.h"
#include "program/runtime/launcher.h"
#include "program/runtime/runtime.h"

namespace lanescope::app {

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  /// 0: the default stream
  std::uint64_t number = 0;
  /// Set while what is asked of it is recorded, not done
  std::shared_ptr<Capture> capture;
  /// Nodes that the next one recorded comes after
  std::vector<std::uint64_t> tail;
};

struct Event {
  unsigned flags = 0;
  bool recorded = false;
  std::uint64_t nanoseconds = 0;
  /// Recorded in a stream whose work is being captured
  std::shared_ptr<Capture> capture;
  std::vector<std::uint64_t> tail;
};

/// A CUDA array: rows of elements in device memory. `height` and `depth` are 0 where there is no such
/// dimension, as in cudaExtent; layers are counted by `depth`.
struct Array {
  std::uint64_t address = 0;
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 0;
  std::size_t element_bytes = 0, pitch = 0;
  [[nodiscard]] std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  [[nodiscard]] std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
};

/// A texture or surface object, and what it was made from.
struct TextureObject {
  bool surface = false;
  cudaResourceDesc resource{};
  cudaTextureDesc description{};
};

/// What was asked of a kernel by cudaFuncSetAttribute.
struct KernelSettings {
  /// -1: what fits into 48 KB beside the static memory
  int most_dynamic_shared = -1;
  int carveout = -1;
};

struct Runtime {
  RuntimeState outer;
  DeviceFacts facts;
  DeviceMemory memory;
  DeviceTimeline timeline;
  /// A launch without counts was taken at the time that it took here
  bool has_wall_times = false;
  bool told_of_times = false;
  /// After a fault every call returns it, until cudaDeviceReset
  cudaError_t sticky = cudaSuccess;
  /// A fault of a kernel that the program has not had to hear of yet: launches are asynchronous
  cudaError_t pending = cudaSuccess;
  Stream default_stream, per_thread_stream;
  Handles<Stream> streams{0x5100'0000};
  Handles<Event> events{0x5200'0000};
  Handles<Array> arrays{0x5300'0000};
  Handles<Graph> graphs{0x5400'0000};
  Handles<GraphExec> executables{0x5500'0000};
  std::map<std::uint64_t, TextureObject> textures;
  std::map<const void*, KernelSettings> kernels;
  /// Allocation::number → where the program asked for it
  std::map<std::uint64_t, const void*> asked_from;
  std::map<int, std::size_t> limits;
  unsigned device_flags = 0;
  cudaFuncCache cache_config = cudaFuncCachePreferNone;
  std::uint64_t streams_made = 1, nodes_made = 0;
  /// How many captures are going on that forbid calls which wait
  int strict_captures = 0;
};

/// start_runtime() makes it anew.
Runtime& runtime();
std::recursive_mutex& runtime_mutex();

/// One call of the program, while it is being answered.
class Call {
 public:
  Call(const char* function, const void* caller);
  /// Tells what is wrong, and gives back the code.
  cudaError_t fail(cudaError_t code, const std::string& text) const;
  /// Something worth knowing that is no error of the call.
  void remark(const std::string& text) const;
  /// Something that the program did wrong although the call does what it is asked.
  void mistake(const std::string& text) const;
  /// What is known of it as it is answered, for who looks at the run.
  void uses(std::uint64_t stream) const { record_.stream = stream; }
  void moves(CopyWay way, std::size_t bytes) const;
  /// Hands over the record, if this is a call that has one.
  void answered(cudaError_t error) const;
  /// The same of a library's call: what its error is called, nothing if it went well.
  void answered(std::string error) const;
  /// A node of the graph that this call launches: copies and fills are told as its own work.
  [[nodiscard]] Call part(CallKind kind) const;
  [[nodiscard]] const void* caller() const { return caller_; }
  [[nodiscard]] const char* function() const { return function_; }
  [[nodiscard]] std::uint64_t stream() const { return record_.stream; }

 private:
  const char* function_;
  const void* caller_;
  mutable CallRecord record_;
  bool recorded_ = false;
};

/// The host waits for the device: what kernels have printed comes out.
void synchronized();

/// While it lives, time is none that the program's device or host would have spent.
class HiddenTime {
 public:
  HiddenTime() { runtime().timeline.stop_clock(); }
  ~HiddenTime() { runtime().timeline.start_clock(); }
  HiddenTime(const HiddenTime&) = delete;
  HiddenTime& operator=(const HiddenTime&) = delete;
};

/// The error that a call starts with: a fault from before.
cudaError_t error_from_before();
/// Notes an error for cudaGetLastError, and returns it.
cudaError_t remember(cudaError_t error);
/// What cudaGetLastError has for this thread. `forget`: and it has nothing from now on.
cudaError_t last_error(bool forget);

/// Answers a call by `body(call)`, one at a time.
template <class Body>
cudaError_t answer(const char* function, const void* caller, Body body) {
  const std::lock_guard lock(runtime_mutex());
  const HiddenTime hidden;
  const Call call(function, caller);
  cudaError_t error = error_from_before();
  try {
    if (error == cudaSuccess) error = body(call);
  } catch (const std::bad_alloc&) {
    error = call.fail(cudaErrorMemoryAllocation, "this machine has not so much memory");
  }
  call.answered(error);
  return remember(error);
}
/// The first two arguments of answer(), in a function that the program calls.
#define LANESCOPE_CALL __func__, __builtin_return_address(0)

/// "0x1000000200"
std::string hex(const void* pointer);
/// "the 4096 bytes of cudaMalloc at 0x1000000000"
std::string described(const Allocation& allocation);

}  // namespace lanescope::app
