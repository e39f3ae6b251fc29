#include "core/program/call_record.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace lanescope::app {
namespace {

constexpr std::array<std::string_view, 8> kKinds = {"allocate", "release", "copy",  "fill",
                                                    "wait",     "event",   "graph", "library"};
constexpr std::array<std::string_view, 5> kWays = {"", "host_to_device", "device_to_host",
                                                   "device_to_device", "host_to_host"};

/// By how the name begins; the first that fits.
struct Beginning {
  std::string_view begins;
  CallKind kind;
};
constexpr Beginning kBeginnings[] = {
    {"cudaMemcpy", CallKind::copy},           {"cuMemcpy", CallKind::copy},
    {"cudaMemset", CallKind::fill},           {"cuMemset", CallKind::fill},
    {"cudaMalloc", CallKind::allocate},       {"cudaHostAlloc", CallKind::allocate},
    {"cudaHostRegister", CallKind::allocate}, {"cuMemAlloc", CallKind::allocate},
    {"cudaFree", CallKind::release},          {"cudaHostUnregister", CallKind::release},
    {"cuMemFree", CallKind::release},         {"cudaEvent", CallKind::event},
    {"cudaStreamWaitEvent", CallKind::event}, {"cuEvent", CallKind::event},
    {"cudaGraphLaunch", CallKind::graph},     {"cublasSetVector", CallKind::copy},
    {"cublasGetVector", CallKind::copy},      {"cublasSetMatrix", CallKind::copy},
    {"cublasGetMatrix", CallKind::copy}};

template <class Value, std::size_t N>
Value value_of(const std::array<std::string_view, N>& ids, const std::string& id) {
  const auto found = std::find(ids.begin(), ids.end(), id);
  return found == ids.end() ? Value{} : static_cast<Value>(found - ids.begin());
}

/// Of cuBLAS and cuRAND: what works on data.
bool is_library_work(std::string_view function) {
  for (const std::string_view library : {"cublas", "curand"}) {
    if (!function.starts_with(library)) continue;
    const std::string_view name = function.substr(library.size());
    for (const std::string_view other : {"Get", "Set", "Create", "Destroy"})
      if (name.starts_with(other)) return false;
    return true;
  }
  return false;
}

}  // namespace

std::string_view id_of(CopyWay way) { return kWays[static_cast<std::size_t>(way)]; }
std::string_view id_of(CallKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::optional<CallKind> kind_of_call(std::string_view function) {
  if (function.find("Synchronize") != std::string_view::npos) return CallKind::wait;
  for (const Beginning& each : kBeginnings)
    if (function.starts_with(each.begins)) return each.kind;
  if (is_library_work(function)) return CallKind::library;
  return std::nullopt;
}

std::optional<double> rest_ms(const LaunchProgress& progress) {
  if (progress.blocks == 0 || progress.of < progress.blocks) return std::nullopt;
  const auto done = static_cast<double>(progress.blocks);
  return progress.ms / done * static_cast<double>(progress.of - progress.blocks);
}

Json to_json(const HostPosition& at) { return {{"file", at.file}, {"line", at.line}}; }

HostPosition position_from(const Json& json) {
  return {json.value("file", ""), json.value("line", 0u)};
}

Json to_json(const CallRecord& call) {
  return {{"function", call.function}, {"kind", id_of(call.kind)},   {"direction", id_of(call.way)},
          {"bytes", call.bytes},       {"stream", call.stream},      {"begin_ms", call.begin_ms},
          {"end_ms", call.end_ms},     {"from", to_json(call.from)}, {"in_graph", call.in_graph},
          {"error", call.error}};
}

CallRecord call_record_from(const Json& json) {
  CallRecord call;
  call.function = json.at("function");
  call.kind = value_of<CallKind>(kKinds, json.at("kind"));
  call.way = value_of<CopyWay>(kWays, json.at("direction"));
  call.bytes = json.at("bytes");
  call.stream = json.at("stream");
  call.begin_ms = json.at("begin_ms");
  call.end_ms = json.at("end_ms");
  call.from = position_from(json.at("from"));
  call.in_graph = json.at("in_graph");
  call.error = json.at("error");
  return call;
}

Json to_json(const LaunchProgress& progress) {
  return {{"number", progress.number},
          {"kernel", progress.kernel},
          {"blocks", progress.blocks},
          {"of", progress.of},
          {"ms", progress.ms},
          {"stream", progress.stream},
          {"begin_ms", progress.begin_ms}};
}

LaunchProgress progress_from(const Json& json) {
  LaunchProgress progress;
  progress.number = json.at("number");
  progress.kernel = json.at("kernel");
  progress.blocks = json.at("blocks");
  progress.of = json.at("of");
  progress.ms = json.at("ms");
  progress.stream = json.at("stream");
  progress.begin_ms = json.at("begin_ms");
  return progress;
}

}  // namespace lanescope::app
