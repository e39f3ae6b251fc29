// Measurements side by side with what the simulator counts of the same launches: the rows of the
// Timing view. Values and pure functions; core/timing/timing_worker.h does the work.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/kernel/catalog.h"
#include "core/run/totals.h"
#include "core/timing/counter_comparison.h"
#include "core/timing/gpu_service.h"
#include "core/timing/measurement.h"
#include "core/timing/timing_actions.h"

namespace lanescope::app {

/// What the simulator counted of a launch; exact or not at all.
struct Prediction {
  /// What one access costs against its ideal, on average over all its executions
  struct Worst {
    double ratio = 1;
    /// Of the text; 0: no access costs more than its ideal
    std::uint32_t line = 0;
  };

  Totals totals;
  /// The access that is furthest from its ideal: the totals are the average of all of them
  Worst worst_shared, worst_global;
  /// Why there are no counts; empty when there are
  Message problem;

  [[nodiscard]] bool known() const { return problem.empty(); }
  [[nodiscard]] std::uint64_t wavefronts() const;
  [[nodiscard]] std::uint64_t ideal_wavefronts() const;
  [[nodiscard]] std::uint64_t conflicts() const;
  [[nodiscard]] std::uint64_t sectors() const;
  [[nodiscard]] std::uint64_t ideal_sectors() const;
};
/// Counts the whole grid; gives up after `limit_s` where every block would have to be executed.
Prediction predict(const Settings& settings, double limit_s, const std::stop_token& stop);

/// A measurement of this run of the program, or the index of the recording that it is from.
struct Measured {
  Measurement measurement;
  /// What opens and repeats it
  Settings settings;
  /// In TimingSources::recordings; -1: live
  int recording = -1;
  /// Of the live one
  std::string date;
};
/// All that is known, whatever is shown of it.
struct TimingSources {
  const Catalog* catalog = nullptr;
  std::vector<Recording> recordings;
  /// See `recorded_launches`
  std::vector<Measured> recorded;
  /// One for each launch
  std::vector<Measured> live;
  /// By `launch_key`
  std::map<std::string, Prediction> predictions;
};
/// What was timed of all recordings, each launch once: the newest, then the first by file. Counters
/// are read in runs of their own and join them.
std::vector<Measured> recorded_launches(const std::vector<Recording>& recordings,
                                        const Catalog& catalog);
/// Two settings of one key have the same counts.
std::string launch_key(const Settings& settings);

struct TimingRow : Measured {
  /// The kernel's, for people
  std::string title;
  std::string family;
  /// "float"
  std::string element;
  /// See `size_of`
  std::string size;
  /// What is not as it comes: "PAD=4 BDIMY=16"
  std::string changes;
  /// Its text is at hand, so it can be opened and counted
  bool in_catalog = false;
  /// None: not counted yet
  std::optional<Prediction> predicted;
  /// Simulated beside read; empty where none were read
  std::vector<CounterLine> counters;

  [[nodiscard]] bool live() const { return recording < 0; }
};

struct TimingTable {
  /// With the empty fields filled in
  TimingQuery query;
  /// That there are measurements of
  std::vector<std::string> families, sizes, elements;
  /// In the catalog's order
  std::vector<TimingRow> rows;
};
TimingTable timing_table(const TimingSources& sources, const TimingQuery& query);

/// Copies are measured with transposes: they are their ceiling.
std::string timing_family(const std::string& kernel);

/// Every kernel of the query's family at its size and element type, as it comes; kernels that have
/// no such size or type are left out.
std::vector<Settings> family_launches(const Catalog& catalog, const TimingQuery& query);

std::string csv_of_timing(const std::vector<TimingRow>& rows,
                          const std::vector<Recording>& recordings, const GpuDevice& live);

/// What the Timing view draws. Immutable once published.
struct TimingNews {
  std::shared_ptr<const TimingTable> table = std::make_shared<TimingTable>();
  /// Device, date and method; no measurements
  std::vector<Recording> recordings;
  /// The recordings have been read
  bool loaded = false;
  /// None: not asked yet
  std::optional<GpuStatus> gpu;
  /// Rows whose counts are still to come
  std::size_t to_predict = 0;

  bool measuring = false;
  /// Launches of this go
  std::size_t done = 0, all = 0;
  /// That is measured
  std::string kernel;
  MeasureProgress progress;
  /// Recordings that could not be read, launches that failed
  std::vector<Diagnostic> diagnostics;
  std::uint64_t serial = 0;
};
using TimingPtr = std::shared_ptr<const TimingNews>;

}  // namespace lanescope::app
