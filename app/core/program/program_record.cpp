#include "core/program/program_record.h"

#include <nlohmann/json.hpp>

#include "core/run/counters.h"

namespace lanescope::app {

Dim3 shape_from(const Json& json) { return {json.at(0), json.at(1), json.at(2)}; }
namespace {

template <class Counts, std::size_t N>
void take_counts(const Json& json, const std::array<TotalsPart<Counts>, N>& parts, Totals& totals) {
  for (const auto& part : parts) {
    const auto found = json.find(part.id());
    if (found == json.end()) continue;
    for (const auto& counter : counters_of(Counts{}))
      if (counter.count != nullptr && found->contains(counter.id))
        totals.*part.counts.*counter.count = (*found)[std::string(counter.id)];
  }
}

Diagnostic diagnostic_from(const Json& json) {
  Diagnostic d;
  const std::string severity = json.value("severity", "error"), kind = json.value("kind", "");
  d.severity = severity == "note"      ? Severity::note
               : severity == "warning" ? Severity::warning
                                       : Severity::error;
  for (int k = 0; k <= static_cast<int>(DiagnosticKind::internal); ++k)
    if (diagnostic_kind_name(static_cast<DiagnosticKind>(k)) == kind)
      d.kind = static_cast<DiagnosticKind>(k);
  d.file = json.value("file", "");
  d.line = json.value("line", 0u);
  d.column = json.value("column", 0u);
  d.source_line = json.value("source_line", "");
  d.message = Message::verbatim(json.value("message", ""));
  d.hint = Message::verbatim(json.value("hint", ""));
  if (json.contains("block") && !json["block"].is_null()) d.block = shape_from(json["block"]);
  if (json.contains("thread") && !json["thread"].is_null()) d.thread = shape_from(json["thread"]);
  return d;
}

}  // namespace

namespace {

/// What efficiency is made from, which the totals' JSON has only as a ratio.
Json bytes_asked(const Totals& totals) {
  Json json = Json::array();
  for (const auto& part : kGlobalParts) json.push_back((totals.*part.counts).bytes_asked);
  return json;
}

}  // namespace

Json diagnostics_json(const std::vector<Diagnostic>& diagnostics) {
  Json all = Json::array();
  for (const Diagnostic& d : diagnostics) {
    Json json = to_json(d);
    json["file"] = d.file;
    json["source_line"] = d.source_line;
    all.push_back(std::move(json));
  }
  return all;
}

Json to_json(const LaunchRecord& launch) {
  return {{"number", launch.number},
          {"kernel", launch.kernel},
          {"file", launch.file},
          {"from", to_json(launch.from)},
          {"grid", to_json(launch.grid)},
          {"block", to_json(launch.block)},
          {"static_shared_bytes", launch.static_shared_bytes},
          {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
          {"stream", launch.stream},
          {"totals", to_json(launch.totals)},
          {"bytes_asked", bytes_asked(launch.totals)},
          {"warp_instructions", launch.warp_instructions},
          {"begin_ms", launch.begin_ms},
          {"end_ms", launch.end_ms},
          {"repeated", launch.repeated},
          {"exact", launch.exact},
          {"prints", launch.prints},
          {"reads_tables", launch.reads_tables},
          {"exchanges", launch.exchanges},
          {"stopped", launch.stopped},
          {"mistakes", diagnostics_json(launch.mistakes)}};
}

Json to_json(const HostRemark& remark) {
  return {{"text", remark.text}, {"is_error", remark.is_error}, {"at", to_json(remark.at)}};
}

LaunchRecord launch_record_from(const Json& json) {
  LaunchRecord launch;
  launch.number = json.at("number");
  launch.kernel = json.at("kernel");
  launch.file = json.at("file");
  launch.from = position_from(json.at("from"));
  launch.grid = shape_from(json.at("grid"));
  launch.block = shape_from(json.at("block"));
  launch.static_shared_bytes = json.at("static_shared_bytes");
  launch.dynamic_shared_bytes = json.at("dynamic_shared_bytes");
  launch.stream = json.at("stream");
  take_counts(json.at("totals"), kSharedParts, launch.totals);
  take_counts(json.at("totals"), kGlobalParts, launch.totals);
  for (std::size_t i = 0; i < kGlobalParts.size(); ++i)
    (launch.totals.*kGlobalParts[i].counts).bytes_asked = json.at("bytes_asked").at(i);
  launch.warp_instructions = json.at("warp_instructions");
  launch.begin_ms = json.at("begin_ms");
  launch.end_ms = json.at("end_ms");
  launch.repeated = json.at("repeated");
  launch.exact = json.at("exact");
  launch.prints = json.value("prints", false);
  launch.reads_tables = json.value("reads_tables", false);
  launch.exchanges = json.value("exchanges", false);
  launch.stopped = json.at("stopped");
  launch.mistakes = diagnostics_from(json.at("mistakes"));
  for (Diagnostic& mistake : launch.mistakes)
    if (mistake.file.empty()) mistake.file = launch.file;
  return launch;
}

std::vector<Diagnostic> diagnostics_from(const Json& json) {
  std::vector<Diagnostic> out;
  for (const Json& each : json) out.push_back(diagnostic_from(each));
  return out;
}

HostRemark remark_from(const Json& json) {
  return {json.at("text"), json.at("is_error"), position_from(json.at("at"))};
}

}  // namespace lanescope::app
