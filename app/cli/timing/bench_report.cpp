#include "cli/timing/bench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/kernel/settings_flags.h"
#include "cli/text/table.h"
#include "core/text/assignments.h"
#include "core/text/number.h"
#include "core/text/text.h"
#include "core/text/text_file.h"

namespace lanescope::cli {

namespace fs = std::filesystem;

namespace {

std::string share_text(double share) { return share > 0 ? app::percent(share) : "-"; }

std::string check_text(const app::Measurement& m) {
  if (has_errors(m.diagnostics) && !m.check.checked) return "FAILED";
  if (!m.check.checked) return "not checked";
  return m.check.correct ? "correct" : "WRONG";
}

std::vector<std::string> row_of(const app::Measurement& m, bool products) {
  std::vector<std::string> row = {m.kernel, settings_text(m), size_text(m)};
  if (m.time) {
    row.push_back(app::fixed(m.time->median, 4));
    row.push_back(fmt::format("{:.4f}..{:.4f}", m.time->q1, m.time->q3));
    row.push_back(app::fixed(m.gbps(), 0));
    if (products) row.push_back(m.flops > 0 ? app::fixed(m.gflops(), 0) : "-");
    row.push_back(share_text(m.share_of_copy()));
    row.push_back(share_text(m.share_of_cublas()));
  } else {
    row.insert(row.end(), products ? 6 : 5, "-");
  }
  row.push_back(check_text(m));
  return row;
}

// "NVIDIA H200" → "nvidia-h200"
std::string slug(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!result.empty() && result.back() != '-')
      result += '-';
  }
  return result.empty() ? "gpu" : result;
}

}  // namespace

std::string device_text(const app::GpuDevice& d) {
  std::string text = fmt::format("{} (compute capability {}.{}, {} multiprocessors)", d.name,
                                 d.compute_major, d.compute_minor, d.multiprocessors);
  if (!d.driver.empty()) text += ", driver " + d.driver;
  if (!d.nvrtc.empty()) text += ", NVRTC " + d.nvrtc;
  if (!d.cublas.empty()) text += ", cuBLAS " + d.cublas;
  if (d.sm_clock_mhz > 0) text += fmt::format(", up to {} MHz", d.sm_clock_mhz);
  return text;
}

std::string settings_text(const app::Measurement& m) { return app::assignments(m.parameters); }

std::string size_text(const app::Measurement& m) {
  const auto rows = m.arguments.find("ny"), cols = m.arguments.find("nx");
  if (rows != m.arguments.end() && cols != m.arguments.end())
    return rows->second + " x " + cols->second;
  return app::assignments(m.arguments);
}

void print_measurements(const std::vector<app::Measurement>& measurements, const Fronts& fronts) {
  const bool products =
      std::any_of(measurements.begin(), measurements.end(),
                  [](const app::Measurement& m) { return m.time && m.flops > 0; });
  std::vector<std::string> titles = {"<kernel", "<set",      "<rows x columns",
                                     "ms",      "quartiles", "GB/s"};
  if (products) titles.emplace_back("GFLOP/s");
  titles.insert(titles.end(), {"of copy", "of cuBLAS", "<result"});
  Table table(titles);
  for (const app::Measurement& m : measurements) table.add(row_of(m, products));
  if (!table.empty()) table.print(fronts.out, "  ");
}

app::Json bench_json(bool live, const std::string& problem,
                     const std::vector<app::Recording>& recordings) {
  app::Json json = {{"schema", 1}, {"live", live}, {"problem", problem}};
  json["recordings"] = app::Json::array();
  for (const app::Recording& recording : recordings) {
    app::Json one = app::to_json(recording);
    if (!recording.file.empty()) one["file"] = recording.file;
    json["recordings"].push_back(std::move(one));
  }
  return json;
}

RecordResult write_recording(const std::string& file_or_folder, const app::Recording& recording) {
  RecordResult result;
  std::error_code error;
  const bool folder = file_or_folder.ends_with('/') || fs::is_directory(file_or_folder, error);
  result.file = folder
                    ? (fs::path(file_or_folder) / (slug(recording.device.name) + ".json")).string()
                    : file_or_folder;
  app::Recording merged;
  if (std::ifstream old(result.file); old) {
    const app::Json json = app::Json::parse(old, nullptr, false);
    auto read = json.is_discarded() ? std::nullopt : app::recording_from_json(json);
    if (!read || read->device.name != recording.device.name) {
      result.error =
          flag_error(fmt::format("--record {}: it is there already and no recording of {}",
                                 result.file, recording.device.name),
                     "name another file");
      return result;
    }
    merged = std::move(*read);
  }
  merged.device = recording.device, merged.date = recording.date, merged.method = recording.method;
  app::merge(merged, recording.measurements);
  if (folder) fs::create_directories(file_or_folder, error);
  const Message wrong =
      app::write_text_file(app::absolute_path(result.file), app::recording_text(merged));
  if (!wrong.empty())
    result.error = flag_error(fmt::format("--record {}: {}", result.file, wrong.english()));
  return result;
}

}  // namespace lanescope::cli
