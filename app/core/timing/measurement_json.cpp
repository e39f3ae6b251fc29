// Measurements as JSON, and the recordings that come with the program.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/run/totals.h"
#include "core/text/messages.h"
#include "core/text/text.h"
#include "core/text/text_file.h"
#include "core/timing/measurement.h"

namespace lanescope::app {

namespace fs = std::filesystem;

Json to_json(const GpuDevice& d) {
  return {{"name", d.name},
          {"compute_capability", {d.compute_major, d.compute_minor}},
          {"driver", d.driver},
          {"cuda", d.cuda},
          {"nvrtc", d.nvrtc},
          {"cublas", d.cublas},
          {"multiprocessors", d.multiprocessors},
          {"l2_bytes", d.l2_bytes},
          {"memory_bytes", d.memory_bytes},
          {"sm_clock_mhz", d.sm_clock_mhz},
          {"memory_clock_mhz", d.memory_clock_mhz}};
}

namespace {

// Events tell about half a microsecond; a nanosecond is plenty for their means.
double rounded(double value, double steps) { return std::round(value * steps) / steps; }

}  // namespace

Json to_json(const Spread& s) {
  const auto ms = [](double value) { return rounded(value, 1e6); };
  return {{"repetitions", s.repetitions},
          {"launches", s.launches},
          {"min", ms(s.min)},
          {"q1", ms(s.q1)},
          {"median", ms(s.median)},
          {"q3", ms(s.q3)},
          {"max", ms(s.max)}};
}

Json to_json(const Measurement& m) {
  Json json = {{"kernel", m.kernel},
               {"function", m.function},
               {"parameters", m.parameters},
               {"arguments", m.arguments},
               {"launch",
                {{"grid", to_json(m.grid)},
                 {"block", to_json(m.block)},
                 {"dynamic_shared_bytes", m.dynamic_shared_bytes}}},
               {"bytes", m.bytes}};
  if (m.flops > 0) json["flops"] = m.flops;
  if (m.time) {
    json["milliseconds"] = to_json(*m.time);
    json["gbps"] = rounded(m.gbps(), 10);
    if (m.flops > 0) json["gflops"] = rounded(m.gflops(), 10);
  }
  if (m.copy) {
    json["copy_milliseconds"] = to_json(*m.copy);
    if (m.time) json["share_of_copy"] = rounded(m.share_of_copy(), 1e4);
  }
  if (m.cublas) {
    json["cublas_milliseconds"] = to_json(*m.cublas);
    if (m.time) json["share_of_cublas"] = rounded(m.share_of_cublas(), 1e4);
  }
  if (m.registers > 0) {
    json["registers"] = m.registers;
    json["static_shared_bytes"] = m.static_shared_bytes;
    json["local_bytes"] = m.local_bytes;
    json["blocks_per_sm"] = m.blocks_per_sm;
  }
  json["result"] = {{"checked", m.check.checked}, {"correct", nullptr}};
  if (m.check.checked) json["result"]["correct"] = m.check.correct;
  if (!m.check.message.empty()) json["result"]["message"] = m.check.message.english();
  if (m.counters) json["counters"] = {{"tool", m.counters->tool}, {"values", m.counters->values}};
  if (!m.diagnostics.empty()) json["diagnostics"] = to_json(m.diagnostics);
  return json;
}

Json to_json(const Recording& r) {
  Json json = {{"schema", 1},
               {"device", to_json(r.device)},
               {"date", r.date},
               {"method", r.method},
               {"measurements", Json::array()}};
  for (const Measurement& m : r.measurements) json["measurements"].push_back(to_json(m));
  return json;
}

namespace {

Dim3 dim3_from(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array() || found->size() != 3) return {};
  return {(*found)[0].get<std::uint32_t>(), (*found)[1].get<std::uint32_t>(),
          (*found)[2].get<std::uint32_t>()};
}

std::optional<Spread> spread_from(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_object()) return std::nullopt;
  return Spread{found->value("repetitions", 0), found->value("launches", 1),
                found->value("min", 0.0),       found->value("q1", 0.0),
                found->value("median", 0.0),    found->value("q3", 0.0),
                found->value("max", 0.0)};
}

Diagnostic diagnostic_from(const Json& json) {
  Diagnostic result;
  const std::string severity = json.value("severity", "error"), kind = json.value("kind", "");
  result.severity = severity == "warning" ? Severity::warning
                    : severity == "note"  ? Severity::note
                                          : Severity::error;
  for (int i = 0; i <= static_cast<int>(DiagnosticKind::internal); ++i) {
    if (diagnostic_kind_name(static_cast<DiagnosticKind>(i)) == kind)
      result.kind = static_cast<DiagnosticKind>(i);
  }
  result.file = json.value("file", "");
  result.line = json.value("line", 0u);
  result.column = json.value("column", 0u);
  result.message = Message::verbatim(json.value("message", ""));
  result.hint = Message::verbatim(json.value("hint", ""));
  return result;
}

GpuDevice read_device(const Json& json) {
  GpuDevice d;
  d.name = json.value("name", "");
  if (const auto found = json.find("compute_capability"); found != json.end()) {
    d.compute_major = found->at(0).get<int>();
    d.compute_minor = found->at(1).get<int>();
  }
  d.driver = json.value("driver", ""), d.cuda = json.value("cuda", "");
  d.nvrtc = json.value("nvrtc", ""), d.cublas = json.value("cublas", "");
  d.multiprocessors = json.value("multiprocessors", 0);
  d.l2_bytes = json.value("l2_bytes", std::uint64_t{0});
  d.memory_bytes = json.value("memory_bytes", std::uint64_t{0});
  d.sm_clock_mhz = json.value("sm_clock_mhz", 0);
  d.memory_clock_mhz = json.value("memory_clock_mhz", 0);
  return d;
}

void read_result(const Json& json, Measurement& m) {
  if (const auto result = json.find("result"); result != json.end()) {
    m.check.checked = result->value("checked", false);
    m.check.correct = m.check.checked && result->value("correct", false);
    m.check.message = Message::verbatim(result->value("message", ""));
  }
  if (const auto counters = json.find("counters"); counters != json.end()) {
    m.counters = Counters{
        counters->value("values", std::map<std::string, std::uint64_t>{}),
        counters->value("tool", ""),
    };
  }
  if (const auto found = json.find("diagnostics"); found != json.end()) {
    for (const Json& diagnostic : *found) m.diagnostics.push_back(diagnostic_from(diagnostic));
  }
}

Measurement read_measurement(const Json& json) {
  using Texts = std::map<std::string, std::string>;
  Measurement m;
  m.kernel = json.at("kernel").get<std::string>();
  m.function = json.value("function", "");
  m.parameters = json.value("parameters", Texts{});
  m.arguments = json.value("arguments", Texts{});
  if (const auto launch = json.find("launch"); launch != json.end()) {
    m.grid = dim3_from(*launch, "grid"), m.block = dim3_from(*launch, "block");
    m.dynamic_shared_bytes = launch->value("dynamic_shared_bytes", std::uint64_t{0});
  }
  m.bytes = json.value("bytes", std::uint64_t{0});
  m.flops = json.value("flops", std::uint64_t{0});
  m.time = spread_from(json, "milliseconds");
  m.copy = spread_from(json, "copy_milliseconds");
  m.cublas = spread_from(json, "cublas_milliseconds");
  m.registers = json.value("registers", 0);
  m.static_shared_bytes = json.value("static_shared_bytes", std::uint64_t{0});
  m.local_bytes = json.value("local_bytes", std::uint64_t{0});
  m.blocks_per_sm = json.value("blocks_per_sm", 0);
  read_result(json, m);
  return m;
}

// What the JSON library throws is what was wrong with the shape.
template <class Read>
auto guarded(const Json& json, Read read) -> std::optional<decltype(read(json))> {
  try {
    return read(json);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<GpuDevice> device_from_json(const Json& json) { return guarded(json, read_device); }

std::optional<Measurement> measurement_from_json(const Json& json) {
  return guarded(json, read_measurement);
}

std::optional<Recording> recording_from_json(const Json& json) {
  return guarded(json, [](const Json& from) {
    Recording r;
    r.device = read_device(from.at("device"));
    r.date = from.value("date", "");
    r.method = from.value("method", "");
    for (const Json& m : from.at("measurements")) r.measurements.push_back(read_measurement(m));
    return r;
  });
}

std::string recording_text(const Recording& recording) {
  Json head = to_json(recording);
  head.erase("measurements");
  std::string text = head.dump(1);
  text.erase(text.find_last_of('}'));
  text.erase(text.find_last_not_of(" \n") + 1);
  text += ",\n \"measurements\": [";
  const char* between = "\n  ";
  for (const Measurement& m : recording.measurements) {
    text += between + to_json(m).dump();
    between = ",\n  ";
  }
  return text + "\n ]\n}\n";
}

RecordingsResult load_recordings(const std::string& folder) {
  RecordingsResult result;
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream stream(file);
    const Json json = Json::parse(stream, nullptr, false);
    auto recording = json.is_discarded() ? std::nullopt : recording_from_json(json);
    if (!recording) {
      result.diagnostics.push_back(usage_error(file.string(), say::not_a_recording));
      continue;
    }
    recording->file = file.string();
    result.recordings.push_back(std::move(*recording));
  }
  return result;
}

std::string default_measurement_folder() {
  return bundled_folder("measurements", "assets/measurements");
}

}  // namespace lanescope::app
