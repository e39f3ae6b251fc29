// Whole launches: blocks shared out to workers, counts added up, mistakes looked for.
#include "run/grid_run.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "check/checker.h"
#include "check/fault.h"
#include "execute/block.h"
#include "execute/recorder.h"
#include "prove/classes.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kDefaultBudget = 200'000'000;
constexpr std::size_t kMostSampled = 64;
constexpr std::size_t kFewBlocks =
    16;  // up to here, deferred buffers are filled only where they are touched

Diagnostic note(DiagnosticKind kind, std::string message) {
  Diagnostic d;
  d.kind = kind;
  d.file = "<launch>";
  d.message = std::move(message);
  return d;
}

Dim3 coordinate(std::uint64_t index, Dim3 grid) {
  return {static_cast<std::uint32_t>(index % grid.x),
          static_cast<std::uint32_t>(index / grid.x % grid.y),
          static_cast<std::uint32_t>(index / grid.x / grid.y)};
}

/// The blocks of one run, by position: the whole grid, or a list.
struct BlockList {
  const Launch& launch;
  const RunOptions& options;
  [[nodiscard]] std::uint64_t size() const {
    return options.all_blocks ? launch.grid.count() : options.blocks.size();
  }
  [[nodiscard]] Dim3 at(std::uint64_t i) const {
    return options.all_blocks ? coordinate(i, launch.grid) : options.blocks[i];
  }
};

/// What the workers share.
struct Shared {
  std::atomic<std::uint64_t> next{0}, done{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
};

class GridRun {
 public:
  GridRun(const FlatProgram& program, const Launch& launch, GlobalMemory& memory,
          const RunOptions& options)
      : program_(program), launch_(launch), memory_(memory),
        options_(options), list_{launch, options}, image_(program.image) {
    result_.accesses.resize(program.info().accesses.size());
    result_.op_executions.resize(program.info().ops.size());
    result_.coverage.blocks = launch.grid.count();
  }

  RunResult run() {
    const bool few = !options_.all_blocks && options_.blocks.size() <= kFewBlocks;
    if (!few && !(options_.counts_only && options_.all_blocks)) memory_.complete();
    if (options_.watch != 0 || !options_.record.empty()) return run_in_order();
    if (options_.counts_only && options_.every_block && options_.all_blocks &&
        !program_.data_steers) {
      result_.coverage.without_data = true;
    } else if (options_.counts_only && options_.all_blocks && !options_.every_block) {
      const bool proved = count_classes();
      // Nobody waits for this run: filling its memory would only be in the way.
      if (options_.stop.stop_requested()) return finish();
      if (options_.checks) check_sample(proved);
      if (proved) return finish();
      result_.coverage.without_data = !program_.data_steers && data_bytes() > options_.most_data;
      if (!result_.coverage.without_data) memory_.complete();
    } else if (options_.checks) {
      memory_.complete();
      return run_in_order();
    }
    unsigned workers = options_.threads != 0 ? options_.threads
                                             : std::max(1u, std::thread::hardware_concurrency());
    // Atomics on global memory, and printing, would happen in an order that depends on timing.
    if (program_.has_global_atomics || program_.prints || few) workers = 1;
    workers = static_cast<unsigned>(
        std::min<std::uint64_t>(workers, std::max<std::uint64_t>(1, list_.size() / 4)));
    if (workers == 1) return run_in_order();
    run_parallel(workers);
    if (!shared_.failed || options_.stop.stop_requested()) return finish();
    // A failed run is repeated in order, so that what is reported does not depend on timing.
    reset();
    return run_in_order();
  }

 private:
  bool count_classes() {
    Machine machine = make_machine(program_, program_.lean, launch_, memory_, image_.data());
    machine.stop = options_.stop;
    ClassCounts classes = count_by_classes(machine);
    if (!classes.proved) {
      result_.coverage.fallback = classes.reason;
      return false;
    }
    result_.accesses = std::move(classes.accesses);
    add_entries(machine, classes.block_entries);
    for (const Box& box : classes.boxes) {
      sample_.push_back(corner(box, box.low));
      sample_.push_back(corner(box, box.high));
    }
    result_.coverage.classes = classes.boxes.size();
    result_.coverage.blocks_executed = classes.boxes.size();
    return true;
  }

  static Dim3 corner(const Box& box, const std::array<std::int64_t, 3>& at) {
    return {static_cast<std::uint32_t>(box.block(0, at[0])),
            static_cast<std::uint32_t>(box.block(1, at[1])),
            static_cast<std::uint32_t>(box.block(2, at[2]))};
  }
  std::uint64_t index_of(Dim3 block) const {
    return (std::uint64_t{block.z} * launch_.grid.y + block.y) * launch_.grid.x + block.x;
  }

  /// The first and last block of each class, or the grid's own corners, looked at closely.
  void check_sample(bool proved) {
    if (!proved)
      sample_ = {{0, 0, 0},
                 {launch_.grid.x - 1, 0, 0},
                 {0, launch_.grid.y - 1, 0},
                 {launch_.grid.x - 1, launch_.grid.y - 1, launch_.grid.z - 1}};
    const auto before = [this](Dim3 a, Dim3 b) { return index_of(a) < index_of(b); };
    std::sort(sample_.begin(), sample_.end(), before);
    sample_.erase(std::unique(sample_.begin(), sample_.end()), sample_.end());
    if (sample_.size() > kMostSampled) sample_.resize(kMostSampled);
    Machine machine = make_machine(program_, program_.lean, launch_, memory_, image_.data());
    machine.stop = options_.stop;
    Checker checker(program_, launch_, memory_);
    machine.checker = &checker;
    BlockRunner runner(machine, choose_executor(true), budget());
    for (const Dim3& block : sample_) {
      checker.begin_block(block, index_of(block));
      const BlockOutcome outcome = runner.run(block);
      if (outcome.stop == Stop::exited) continue;
      // Without a proof every block is executed next, and the first fault in order is the one to
      // report.
      if (proved) report(machine, outcome, block);
      break;
    }
    report_findings(checker);
    if (!proved) reset_memory();
  }

  void report_findings(const Checker& checker) {
    for (const Finding& finding : checker.findings())
      result_.diagnostics.push_back(describe_finding(finding, program_, launch_, memory_));
  }

  void reset_memory() {
    memory_.refill();
    image_ = program_.image;
  }

  void reset() {
    reset_memory();
    if (!result_.coverage.without_data) memory_.complete();
    std::fill(result_.accesses.begin(), result_.accesses.end(), AccessCounts{});
    std::fill(result_.op_executions.begin(), result_.op_executions.end(), 0);
    result_.warp_instructions = 0;
    result_.coverage.blocks_executed = 0;
    result_.diagnostics.clear();
    result_.printed.clear();
    shared_.failed = false;
  }

  RunResult run_in_order() {
    const bool look = options_.checks || options_.watch != 0;
    Machine lean = make_machine(program_, program_.lean, launch_, memory_, image_.data());
    if (result_.coverage.without_data) drop_data(lean);
    lean.stop = options_.stop;
    std::optional<Checker>
        checker;  // its shadow of global memory is large: only where somebody looks
    if (look) {
      checker.emplace(program_, launch_, memory_);
      checker->watch(options_.watch);
      lean.checker = &*checker;
    }
    BlockRunner runner(lean, choose_executor(look), budget());
    const std::uint64_t total = list_.size(), chunk = std::max<std::uint64_t>(1, total / 200);
    for (std::uint64_t i = 0; i < total; ++i) {
      const Dim3 block = list_.at(i);
      const bool wanted =
          std::find(options_.record.begin(), options_.record.end(), block) != options_.record.end();
      if (look) checker->begin_block(block, index_of(block));
      const BlockOutcome outcome =
          wanted ? record(block, look ? &*checker : nullptr) : runner.run(block);
      if (!wanted && outcome.stop != Stop::exited) report(lean, outcome, block);
      if (outcome.stop != Stop::exited) break;
      result_.coverage.blocks_executed += 1;
      if (options_.progress && (i + 1) % chunk == 0) options_.progress(i + 1, total);
    }
    merge(lean);
    if (options_.checks) report_findings(*checker);
    if (look && checker->watched())
      result_.last_writer = describe_finding(*checker->watched(), program_, launch_, memory_);
    return finish();
  }

  BlockOutcome record(Dim3 block, Checker* checker) {
    Machine machine = make_machine(program_, program_.recording, launch_, memory_, image_.data());
    machine.stop = options_.stop;
    Recorder recorder(block, warps_per_block(launch_.block), options_.trace_bytes);
    machine.recorder = &recorder;
    machine.checker = checker;
    BlockRunner runner(machine, choose_executor(true), budget());
    const BlockOutcome outcome = runner.run(block);
    if (outcome.stop != Stop::exited) report(machine, outcome, block);
    merge(machine);
    result_.traces.push_back(recorder.take());
    return outcome;
  }

  static void drop_data(Machine& machine) {
    for (std::vector<Region>* regions : {&machine.regions, &machine.ref_region})
      for (Region& region : *regions)
        if (region.space == MemorySpace::global) region.data = nullptr, region.deferred = nullptr;
  }

  void run_parallel(unsigned workers) {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < workers; ++i) threads.emplace_back([this] { work(); });
  }

  void work() {
    Machine machine = make_machine(program_, program_.lean, launch_, memory_, image_.data());
    if (result_.coverage.without_data) drop_data(machine);
    machine.stop = options_.stop;
    BlockRunner runner(machine, choose_executor(false), budget());
    const std::uint64_t total = list_.size(),
                        chunk = std::clamp<std::uint64_t>(total / 256, 1, 1024);
    std::uint64_t executed = 0;
    while (!shared_.failed) {
      const std::uint64_t begin = shared_.next.fetch_add(chunk),
                          end = std::min(begin + chunk, total);
      if (begin >= total) break;
      for (std::uint64_t i = begin; i < end; ++i, ++executed) {
        if (runner.run(list_.at(i)).stop == Stop::exited) continue;
        shared_.failed = true;
        break;
      }
      const std::uint64_t done = shared_.done.fetch_add(end - begin) + end - begin;
      if (options_.progress && !shared_.failed) options_.progress(done, total);
      if (options_.stop.stop_requested()) shared_.failed = true;
    }
    const std::lock_guard lock(shared_.mutex);
    result_.coverage.blocks_executed += executed;
    merge(machine);
  }

  void report(const Machine& machine, const BlockOutcome& outcome, Dim3 block) {
    if (outcome.stop == Stop::cancelled) return;
    result_.diagnostics.push_back(describe_fault(machine, memory_, block, outcome.warp));
  }

  void merge(const Machine& machine) {
    for (std::size_t i = 0; i < machine.counts.size(); ++i) {
      result_.accesses[i].executions += machine.counts[i].executions;
      result_.accesses[i].shared += machine.counts[i].shared;
      result_.accesses[i].global += machine.counts[i].global;
    }
    for (const Printed& line : machine.printed)
      if (result_.printed.size() < kMostPrinted) result_.printed.push_back(line);
    add_entries(machine, machine.block_entries);
  }

  void add_entries(const Machine& machine, const std::vector<std::uint64_t>& block_entries) {
    for (std::size_t b = 0; b < machine.code->blocks.size(); ++b) {
      const FlatBlock& block = machine.code->blocks[b];
      const std::uint64_t entries = block_entries[b];
      std::uint32_t last = kNone;
      for (std::uint32_t i = block.first; entries != 0 && i < block.first + block.count; ++i) {
        const Op& op = machine.code->ops[i];
        if (operation_info(op.code).kind != OperationKind::recording)
          result_.warp_instructions += entries;
        if ((op.aux & kStep) != 0 && op.info != last)
          result_.op_executions[op.info] += entries, last = op.info;
      }
    }
  }

  RunResult finish() {
    if (options_.stop.stop_requested()) {
      Diagnostic d = note(DiagnosticKind::cancelled, "the run was cancelled");
      result_.diagnostics.push_back(std::move(d));
    }
    for (const BlockTrace& trace : result_.traces)
      if (trace.truncated) {
        Diagnostic d =
            note(DiagnosticKind::truncated,
                 "the trace is truncated: the recorded block does more than the cap holds");
        d.severity = Severity::warning;
        result_.diagnostics.push_back(std::move(d));
      }
    result_.coverage.exact =
        result_.ok() && (result_.coverage.classes > 0 ||
                         result_.coverage.blocks_executed == result_.coverage.blocks);
    return std::move(result_);
  }

  std::uint64_t data_bytes() const {
    std::uint64_t bytes = 0;
    for (const Buffer& buffer : memory_.buffers()) bytes += buffer.bytes;
    return bytes;
  }

  std::uint64_t budget() const {
    return options_.step_budget != 0 ? options_.step_budget : kDefaultBudget;
  }

  const FlatProgram& program_;
  const Launch& launch_;
  GlobalMemory& memory_;
  const RunOptions& options_;
  BlockList list_;
  std::vector<std::byte> image_;
  std::vector<Dim3> sample_;
  RunResult result_;
  Shared shared_;
};

}  // namespace

RunResult run_grid(const FlatProgram& program, const Launch& launch, GlobalMemory& memory,
                   const RunOptions& options) {
  return GridRun(program, launch, memory, options).run();
}

}  // namespace lanescope
