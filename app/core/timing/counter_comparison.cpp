#include "core/timing/counter_comparison.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/run/counters.h"
#include "core/text/messages.h"

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
constexpr const char* kProductWavefronts =
    "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum";
constexpr const char* kBulkLoadSectors =
    "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum";
constexpr const char* kBulkStoreSectors =
    "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum";
// Of copies that add to what lies there
constexpr const char* kBulkReductionSectors =
    "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_red.sum";
// Where nothing tells the executed addresses' own wavefronts: a twentieth is taken for arbitration.
constexpr std::uint64_t kArbitrationPart = 20;

class Comparison {
 public:
  Comparison(const Totals& simulated, const Counters& measured, const Message& device_work)
      : simulated_(simulated), measured_(measured), device_work_(device_work) {}

  std::vector<CounterLine> lines() {
    shared(false, simulated_.shared_load);
    shared(true, simulated_.shared_store);
    global(false, simulated_.global_load);
    global(true, simulated_.global_store);
    alone(say::products_wavefronts, kProductWavefronts, simulated_.shared_product.wavefronts);
    alone(say::bulk_load_sectors, kBulkLoadSectors, simulated_.global_bulk_load.sectors);
    alone(say::bulk_store_sectors, kBulkStoreSectors, simulated_.global_bulk_store.sectors,
          kBulkReductionSectors);
    whole();
    return std::move(lines_);
  }

 private:
  static CounterLine line_of(Message name, std::uint64_t simulated) {
    return {std::move(name), "", simulated, 0, Agreement::exact, {}};
  }

  // A metric, and another on top: that of asynchronous copies, or of those that add.
  bool read(CounterLine& line, const std::string& metric, const char* async) const {
    const auto value = measured_.get(metric);
    if (!value) return false;
    line.metric = metric, line.measured = *value;
    const auto more = async ? measured_.get(async) : std::nullopt;
    if (more.value_or(0) > 0) line.metric += std::string(" + ") + async, line.measured += *more;
    return true;
  }

  // `excess`: so many more than simulated are the pipe's arbitration.
  void add(CounterLine line, std::uint64_t excess, const Message& instructions) {
    if (line.simulated == 0 && line.measured == 0) return;
    if (line.simulated != line.measured) {
      const std::uint64_t more =
          line.measured > line.simulated ? line.measured - line.simulated : 0;
      if (more > 0 && more <= excess) {
        line.agreement = Agreement::arbitration;
        line.note = say::served_again(more);
      } else if (!instructions.empty()) {
        line.agreement = Agreement::other_instructions;
        line.note = instructions;
      } else {
        line.agreement = Agreement::differs;
        line.note = say::not_explained;
      }
    }
    lines_.push_back(std::move(line));
  }

  // Fewer instructions than accesses explain a difference; more would be a mistake of the
  // simulator's, unless the device is known to make some of its own.
  [[nodiscard]] Message issued(std::uint64_t text, std::uint64_t device) const {
    if (device < text) return say::merged_or_left_out(device, text);
    return device > text ? device_work_ : Message();
  }

  // Asynchronous copies are stores too.
  void shared(bool store, const SharedCounts& counts) {
    const std::string metric = store ? "st.sum" : "ld.sum";
    const bool has_async = store && measured_.get(kAsyncWavefronts).value_or(0) > 0;
    const auto executed = measured_.get(kInstructions + metric);
    const Message why = executed && !has_async ? issued(counts.requests, *executed) : Message();
    CounterLine sass = line_of(store ? say::shared_store_wavefronts : say::shared_load_wavefronts,
                               counts.wavefronts);
    const bool addresses = read(sass, kSassWavefronts + metric, store ? kAsyncWavefronts : nullptr);
    // What the pipe counts beyond the executed addresses can only be arbitration.
    const bool known = addresses && sass.measured == counts.wavefronts;
    if (addresses) {
      const bool is_bound = counts.at_least > 0 && sass.measured > counts.wavefronts;
      add(sass, 0, why.empty() && is_bound ? Message(say::copies_take_at_least) : why);
    }
    if (has_async) return;  // the pipe's counters have no part for them
    CounterLine pipe =
        line_of(store ? say::shared_store_wavefronts_pipe : say::shared_load_wavefronts_pipe,
                counts.wavefronts);
    if (!read(pipe, kWavefronts + metric, nullptr)) return;
    const std::uint64_t allowed = known ? pipe.measured : counts.wavefronts / kArbitrationPart;
    const std::uint64_t excess = pipe.measured - std::min(pipe.measured, pipe.simulated);
    add(pipe, allowed, why);
    CounterLine conflicts =
        line_of(store ? say::shared_store_conflicts_pipe : say::shared_load_conflicts_pipe,
                counts.conflicts);
    if (read(conflicts, kConflicts + metric, nullptr))
      add(conflicts, excess <= allowed ? excess : 0, why);
  }

  void global(bool store, const GlobalCounts& counts) {
    const std::string metric = store ? "st.sum" : "ld.sum";
    CounterLine requests =
        line_of(store ? say::global_store_requests : say::global_load_requests, counts.requests);
    if (!read(requests, kRequests + metric, nullptr)) return;
    const Message why = issued(counts.requests, requests.measured);
    add(requests, 0, why);
    CounterLine sectors =
        line_of(store ? say::global_store_sectors : say::global_load_sectors, counts.sectors);
    if (read(sectors, kSectors + metric, nullptr)) add(sectors, 0, why);
  }

  // What passes the lanes by; no compiler leaves any of it out.
  void alone(Message name, const char* metric, std::uint64_t simulated,
             const char* besides = nullptr) {
    CounterLine line = line_of(std::move(name), simulated);
    if (read(line, metric, besides)) add(line, 0, {});
  }

  // Sums over loads and stores, as the profiler's source page has them. They follow the lines
  // above.
  void whole() {
    const bool other = std::any_of(lines_.begin(), lines_.end(), [](const CounterLine& line) {
      return line.agreement == Agreement::other_instructions;
    });
    const Message why = other ? Message(say::other_instructions) : Message();
    whole_of(shared_in_metrics(simulated_), say::shared_wavefronts_all,
             say::shared_wavefronts_ideal, why);
    whole_of(global_in_metrics(simulated_), say::global_sectors_all, say::global_sectors_ideal,
             why);
  }

  template <class Counts>
  void whole_of(const Counts& sum, const Message& all, const Message& ideal, const Message& why) {
    for (const Counter<Counts>& counter : counters_of(sum)) {
      if (counter.metric.empty()) continue;
      CounterLine line = line_of(counter.is_ideal() ? ideal : all, sum.*counter.count);
      if (!read(line, std::string(counter.metric), nullptr)) continue;
      const bool is_met = why.empty() && lanes_meet(line) && std::is_same_v<Counts, GlobalCounts>;
      add(line, 0, is_met ? say::atomics_meet(line.simulated - line.measured) : why);
    }
  }

  // A sum over addresses takes a sector once for each atomic operation, the hardware once for each lane that
  // meets others at its word. At least one sector is left of each.
  [[nodiscard]] bool lanes_meet(const CounterLine& line) const {
    const GlobalCounts& atomics = simulated_.global_atomic;
    return line.measured < line.simulated &&
           line.simulated - line.measured <=
               atomics.sectors - std::min(atomics.sectors, atomics.requests);
  }

  const Totals& simulated_;
  const Counters& measured_;
  const Message& device_work_;
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

std::vector<CounterLine> compare_counters(const Totals& simulated, const Counters& measured,
                                          const Message& device_work) {
  return Comparison(simulated, measured, device_work).lines();
}

Json to_json(const CounterLine& line) {
  return {{"name", line.name.english()},
          {"metric", line.metric},
          {"simulated", line.simulated},
          {"measured", line.measured},
          {"verdict", agreement_name(line.agreement)},
          {"note", line.note.english()}};
}

bool all_agree(const std::vector<CounterLine>& lines) {
  return std::none_of(lines.begin(), lines.end(),
                      [](const CounterLine& line) { return line.agreement == Agreement::differs; });
}

}  // namespace lanescope::app
