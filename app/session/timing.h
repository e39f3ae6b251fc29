// Measurements side by side with what the simulator counts of the same launches: the rows of the
// Timing view. Values and pure functions; session/bencher.h does the work.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "session/catalog.h"
#include "session/counter_comparison.h"
#include "session/gpu_service.h"
#include "session/measurement.h"
#include "session/timing_actions.h"
#include "session/totals.h"

namespace lanescope::app {

/// What the simulator counted of a launch; exact or not at all.
struct Prediction {
  Totals totals;
  std::string problem;  ///< why there are no counts; empty when there are

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
  Settings settings;   ///< what opens and repeats it
  int recording = -1;  ///< in TimingSources::recordings; -1: live
  std::string date;    ///< of the live one
};
/// All that is known, whatever is shown of it.
struct TimingSources {
  const Catalog* catalog = nullptr;
  std::vector<Recording> recordings;
  std::vector<Measured> recorded;                 ///< see `recorded_launches`
  std::vector<Measured> live;                     ///< one for each launch
  std::map<std::string, Prediction> predictions;  ///< by `launch_key`
};
/// What was timed of all recordings, each launch once: the newest, then the first by file. Counters
/// are read in runs of their own and join them.
std::vector<Measured> recorded_launches(const std::vector<Recording>& recordings,
                                        const Catalog& catalog);
/// Two settings of one key have the same counts.
std::string launch_key(const Settings& settings);

struct TimingRow : Measured {
  std::string title;  ///< the kernel's, for people
  std::string family;
  std::string element;                  ///< "float"
  std::string size;                     ///< see `size_of`
  std::string changes;                  ///< what is not as it comes: "PAD=4 BDIMY=16"
  bool in_catalog = false;              ///< its text is at hand, so it can be opened and counted
  std::optional<Prediction> predicted;  ///< none: not counted yet
  std::vector<CounterLine> counters;    ///< simulated beside read; empty where none were read

  [[nodiscard]] bool live() const { return recording < 0; }
};

struct TimingTable {
  TimingQuery query;                                   ///< with the empty fields filled in
  std::vector<std::string> families, sizes, elements;  ///< that there are measurements of
  std::vector<TimingRow> rows;                         ///< in the catalog's order
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
  std::vector<Recording> recordings;  ///< device, date and method; no measurements
  bool loaded = false;                ///< the recordings have been read
  std::optional<GpuStatus> gpu;       ///< none: not asked yet
  std::size_t to_predict = 0;         ///< rows whose counts are still to come

  bool measuring = false;
  std::size_t done = 0, all = 0;  ///< launches of this go
  std::string kernel;             ///< that is measured
  MeasureProgress progress;
  std::vector<Diagnostic> diagnostics;  ///< recordings that could not be read, launches that failed
  std::uint64_t serial = 0;
};
using TimingPtr = std::shared_ptr<const TimingNews>;

}  // namespace lanescope::app
