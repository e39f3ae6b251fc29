// What a program asked of the CUDA runtime besides launches, and how far the launch that runs has come.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/run/totals.h"

namespace lanescope::app {

/// A place in the host code; the file is empty where it is not known.
struct HostPosition {
  std::string file;
  std::uint32_t line = 0;
};

enum class CallKind : std::uint8_t { allocate, release, copy, fill, wait, event, graph, library };
enum class CopyWay : std::uint8_t {
  none,
  host_to_device,
  device_to_host,
  device_to_device,
  host_to_host
};
/// "host_to_device"; "" for none.
std::string_view id_of(CopyWay way);
std::string_view id_of(CallKind kind);

/// The kind of a function of the runtime, the driver or a library that is worth a record, by its name.
/// Launches have records of their own; what only asks or sets something has none.
std::optional<CallKind> kind_of_call(std::string_view function);

/// One call, or one copy or fill that a graph's launch did.
struct CallRecord {
  std::string function;
  CallKind kind = CallKind::event;
  CopyWay way = CopyWay::none;
  /// Copied, filled, allocated; 0 where there are none
  std::uint64_t bytes = 0;
  std::uint64_t stream = 0;
  /// From the run's beginning; what the simulated device took, which is not what a GPU takes
  double begin_ms = 0, end_ms = 0;
  HostPosition from;
  /// Not a call of the host's: a node of the graph that the call launches
  bool in_graph = false;
  /// "cudaErrorInvalidValue", "cublasStatus_t 7"; empty if it went well
  std::string error;
};

/// So many records of calls are kept of a run; further ones are counted.
inline constexpr std::size_t kMostCalls = 10'000;

/// A launch that runs.
struct LaunchProgress {
  std::uint64_t number = 0;
  std::string kernel;
  /// Done, and in all; none in all: not known yet
  std::uint64_t blocks = 0, of = 0;
  /// Since it began
  double ms = 0;
  std::uint64_t stream = 0;
  /// From the run's beginning
  double begin_ms = 0;
};
/// What the rest of the launch takes at the pace so far; nothing where there is no pace yet.
std::optional<double> rest_ms(const LaunchProgress& progress);

Json to_json(const HostPosition& at);
HostPosition position_from(const Json& json);
Json to_json(const CallRecord& call);
CallRecord call_record_from(const Json& json);
Json to_json(const LaunchProgress& progress);
LaunchProgress progress_from(const Json& json);

}  // namespace lanescope::app
