// What a GPU said about a launch: how long it took, against what, and what its counters read.
// Values and their JSON; nothing here needs a GPU, so that views and recordings share them.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/run/result.h"
#include "lanescope/diagnostic.h"
#include "lanescope/types.h"

namespace lanescope::app {

struct GpuDevice {
  /// "NVIDIA H200"
  std::string name;
  /// Compute capability
  int compute_major = 0, compute_minor = 0;
  /// "580.159.04"; empty if unknown
  std::string driver;
  /// Newest CUDA that the driver supports: "13.0"
  std::string cuda;
  /// Versions; empty if not there
  std::string nvrtc, cublas;
  int multiprocessors = 0;
  std::uint64_t l2_bytes = 0, memory_bytes = 0;
  /// The highest they run at; 0 if unknown
  int sm_clock_mhz = 0, memory_clock_mhz = 0;
  bool operator==(const GpuDevice&) const = default;
};

/// Milliseconds of one launch over the repetitions; each repetition is the mean of `launches` back
/// to back.
struct Spread {
  int repetitions = 0, launches = 1;
  double min = 0, q1 = 0, median = 0, q3 = 0, max = 0;
  bool operator==(const Spread&) const = default;
};
/// Quartiles by linear interpolation; all zero for no samples.
Spread spread_of(std::vector<double> milliseconds, int launches);

/// Sums over the launch as a profiler read them. The l1tex counters are those of the hardware's
/// pipe and run slightly above the executed addresses on busy launches (arbitration); the sass ones
/// do not.
struct Counters {
  /// Nsight Compute's metric name → value
  std::map<std::string, std::uint64_t> values;
  /// "Nsight Compute 2025.3.1"
  std::string tool;
  [[nodiscard]] std::optional<std::uint64_t> get(const std::string& metric) const;
  bool operator==(const Counters&) const = default;
};

/// One launch of one kernel on one device.
struct Measurement {
  /// Catalog name or path
  std::string kernel;
  /// As compiled: "k_smem<float>"
  std::string function;
  /// Every macro
  std::map<std::string, std::string> parameters;
  /// Scalars: {"nx","1024"}
  std::map<std::string, std::string> arguments;
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes = 0;

  /// That the launch must move: every buffer once
  std::uint64_t bytes = 0;
  /// Of a matrix product, 2MNK; 0 where the work is moving
  std::uint64_t flops = 0;
  /// None: not timed (see diagnostics)
  std::optional<Spread> time;
  /// device-to-device copy of as many bytes, same buffers, same run
  std::optional<Spread> copy;
  /// cuBLAS geam for transposes, gemm for matrix products; same buffers, same run
  std::optional<Spread> cublas;
  /// A thread
  int registers = 0;
  std::uint64_t static_shared_bytes = 0, local_bytes = 0;
  /// Resident at once
  int blocks_per_sm = 0;
  ResultCheck check;
  std::optional<Counters> counters;
  std::vector<Diagnostic> diagnostics;

  /// Bytes ÷ median; 0 if not timed
  [[nodiscard]] double gbps() const;
  /// 10⁹ a second; 0 if not timed or no product
  [[nodiscard]] double gflops() const;
  /// 0.97; 0 if unknown
  [[nodiscard]] double share_of_copy() const;
  /// 1.05; 0 if unknown
  [[nodiscard]] double share_of_cublas() const;
  /// Same kernel, parameters, arguments and block: the measurement of the same thing.
  [[nodiscard]] bool same_launch(const Measurement& other) const;
};
/// Bytes and milliseconds as GB/s (10⁹ bytes a second).
double gigabytes_per_second(std::uint64_t bytes, double milliseconds);

/// Measurements taken in one go on one device. A file in assets/measurements is one of these.
struct Recording {
  /// Where it was read; not stored
  std::string file;
  GpuDevice device;
  /// "2026-11-21", the day it was begun (UTC)
  std::string date;
  /// In words
  std::string method;
  std::vector<Measurement> measurements;
};

using Json = nlohmann::ordered_json;
Json to_json(const GpuDevice& device);
Json to_json(const Spread& spread);
Json to_json(const Measurement& measurement);
Json to_json(const Recording& recording);
/// The JSON as it is kept: a line for each measurement.
std::string recording_text(const Recording& recording);
/// Missing keys take their default; nullopt if it is not of this shape at all.
std::optional<GpuDevice> device_from_json(const Json& json);
std::optional<Measurement> measurement_from_json(const Json& json);
std::optional<Recording> recording_from_json(const Json& json);

/// Replaces measurements of the same launch, adds new ones.
void merge(Recording& into, const std::vector<Measurement>& measurements);

struct RecordingsResult {
  /// By file name
  std::vector<Recording> recordings;
  /// Files that could not be read
  std::vector<Diagnostic> diagnostics;
};
/// Every .json of the folder; none is no error.
RecordingsResult load_recordings(const std::string& folder);
/// Beside the executable (share/lanescope/measurements), else in the source tree; empty if nowhere.
std::string default_measurement_folder();

}  // namespace lanescope::app
