#include "core/timing/counter_comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/run/counters.h"

namespace lanescope::app {

namespace {

constexpr const char* kWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_";
constexpr const char* kConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_";
constexpr const char* kSassWavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_";
constexpr const char* kInstructions = "smsp__sass_inst_executed_op_shared_";
constexpr const char* kRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_";
constexpr const char* kSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_";
// Asynchronous copies' stores in shared memory are counted apart. Their loads are among the global
// loads'.
constexpr const char* kAsyncWavefronts =
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum";
// Where nothing tells the executed addresses' own wavefronts: a twentieth is taken for arbitration.
constexpr std::uint64_t kArbitrationPart = 20;

class Comparison {
 public:
  Comparison(const Totals& simulated, const Counters& measured)
      : simulated_(simulated), measured_(measured) {}

  std::vector<CounterLine> lines() {
    shared("load", "ld", simulated_.shared_load, false);
    shared("store", "st", simulated_.shared_store, true);
    global("load", "ld", simulated_.global_load);
    global("store", "st", simulated_.global_store);
    whole();
    return std::move(lines_);
  }

 private:
  // A metric, and the one of asynchronous copies on top.
  bool read(CounterLine& line, const std::string& metric, const char* async) const {
    const auto value = measured_.get(metric);
    if (!value) return false;
    line.metric = metric, line.measured = *value;
    const auto more = async ? measured_.get(async) : std::nullopt;
    if (more.value_or(0) > 0) line.metric += std::string(" + ") + async, line.measured += *more;
    return true;
  }

  // `excess`: so many more than simulated are the pipe's arbitration.
  void add(CounterLine line, std::uint64_t excess, const std::string& instructions) {
    if (line.simulated == 0 && line.measured == 0) return;
    if (line.simulated != line.measured) {
      const std::uint64_t more =
          line.measured > line.simulated ? line.measured - line.simulated : 0;
      if (more > 0 && more <= excess) {
        line.agreement = Agreement::arbitration;
        line.note = fmt::format("{} more: warps that meet in the pipe are served again", more);
      } else if (!instructions.empty()) {
        line.agreement = Agreement::other_instructions;
        line.note = instructions;
      } else {
        line.agreement = Agreement::differs;
        line.note = "not explained";
      }
    }
    lines_.push_back(std::move(line));
  }

  // Fewer instructions than accesses explain a difference; more would be a mistake of the
  // simulator's.
  static std::string issued(std::uint64_t text, std::uint64_t device) {
    if (device >= text) return "";
    return fmt::format("the GPU's compiler issued {} instructions for {} accesses of the text: "
                       "merged into wider ones, or left out",
                       device, text);
  }

  void shared(const std::string& op, const std::string& end, const SharedCounts& counts,
              bool async) {
    const std::string name = "shared " + op, metric = end + ".sum";
    const bool has_async = async && measured_.get(kAsyncWavefronts).value_or(0) > 0;
    const auto executed = measured_.get(kInstructions + metric);
    const std::string why = executed && !has_async ? issued(counts.requests, *executed) : "";
    CounterLine sass{name + " wavefronts", "", counts.wavefronts, 0, Agreement::exact, ""};
    const bool addresses = read(sass, kSassWavefronts + metric, async ? kAsyncWavefronts : nullptr);
    // What the pipe counts beyond the executed addresses can only be arbitration.
    const bool known = addresses && sass.measured == counts.wavefronts;
    if (addresses) add(sass, 0, why);
    if (has_async) return;  // the pipe's counters have no part for them
    CounterLine pipe{
        name + " wavefronts, at the pipe", "", counts.wavefronts, 0, Agreement::exact, ""};
    if (!read(pipe, kWavefronts + metric, nullptr)) return;
    const std::uint64_t allowed = known ? pipe.measured : counts.wavefronts / kArbitrationPart;
    const std::uint64_t excess = pipe.measured - std::min(pipe.measured, pipe.simulated);
    add(pipe, allowed, why);
    CounterLine conflicts{
        name + " conflicts, at the pipe", "", counts.conflicts, 0, Agreement::exact, ""};
    if (read(conflicts, kConflicts + metric, nullptr))
      add(conflicts, excess <= allowed ? excess : 0, why);
  }

  void global(const std::string& op, const std::string& end, const GlobalCounts& counts) {
    const std::string metric = end + ".sum";
    CounterLine requests{
        "global " + op + " requests", "", counts.requests, 0, Agreement::exact, ""};
    if (!read(requests, kRequests + metric, nullptr)) return;
    const std::string why = issued(counts.requests, requests.measured);
    add(requests, 0, why);
    CounterLine sectors{"global " + op + " sectors", "", counts.sectors, 0, Agreement::exact, ""};
    if (read(sectors, kSectors + metric, nullptr)) add(sectors, 0, why);
  }

  // Sums over loads and stores, as the profiler's source page has them. They follow the lines
  // above.
  void whole() {
    const bool other = std::any_of(lines_.begin(), lines_.end(), [](const CounterLine& line) {
      return line.agreement == Agreement::other_instructions;
    });
    const std::string why = other ? "other instructions, as above" : "";
    whole_of(shared_of(simulated_), why);
    whole_of(global_of(simulated_), why);
  }

  // "shared wavefronts, all" and "…, ideal".
  template <class Counts>
  void whole_of(const Counts& sum, const std::string& why) {
    const std::string_view unit = costs_of(sum).front().heading;
    for (const Counter<Counts>& counter : counters_of(sum)) {
      if (counter.metric.empty()) continue;
      const char* which = counter.is_ideal() ? "ideal" : "all";
      CounterLine line{fmt::format("{} {}, {}", space_of(sum), unit, which),
                       "",
                       sum.*counter.count,
                       0,
                       Agreement::exact,
                       ""};
      if (read(line, std::string(counter.metric), nullptr)) add(line, 0, why);
    }
  }

  const Totals& simulated_;
  const Counters& measured_;
  std::vector<CounterLine> lines_;
};

}  // namespace

std::string_view agreement_name(Agreement agreement) {
  switch (agreement) {
  case Agreement::exact:
    return "agrees";
  case Agreement::arbitration:
    return "agrees (arbitration)";
  case Agreement::other_instructions:
    return "explained";
  case Agreement::differs:
    return "DIFFERS";
  }
  return "";
}

std::vector<CounterLine> compare_counters(const Totals& simulated, const Counters& measured) {
  return Comparison(simulated, measured).lines();
}

bool all_agree(const std::vector<CounterLine>& lines) {
  return std::none_of(lines.begin(), lines.end(),
                      [](const CounterLine& line) { return line.agreement == Agreement::differs; });
}

}  // namespace lanescope::app
