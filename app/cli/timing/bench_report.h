// Measurements as tables and JSON, and where recordings are written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/text/fronts.h"
#include "core/timing/measurement.h"
#include "lanescope/diagnostic.h"

namespace lanescope::cli {

/// "NVIDIA H200 (compute capability 9.0, 132 multiprocessors), driver 580.1, NVRTC 13.0,
/// cuBLAS 13.1"
std::string device_text(const app::GpuDevice& device);
/// "PAD=0 BDIMX=16", or "" where all is by default.
std::string settings_text(const app::Measurement& measurement);
/// "4096 x 4096" from the scalar arguments.
std::string size_text(const app::Measurement& measurement);

void print_measurements(const std::vector<app::Measurement>& measurements, const Fronts& fronts);

/// {"schema", "live", "problem", "recordings"}
app::Json bench_json(bool live, const std::string& problem,
                     const std::vector<app::Recording>& recordings);

/// Merges into the file (or a file named after the device in the folder). The path written, or an
/// error.
struct RecordResult {
  std::string file;
  std::optional<Diagnostic> error;
};
RecordResult write_recording(const std::string& file_or_folder, const app::Recording& recording);

}  // namespace lanescope::cli
