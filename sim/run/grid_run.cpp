// Whole launches: blocks shared out to workers, counts added up, mistakes looked for.
#include "run/grid_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "check/fault.h"
#include "execute/recorder.h"
#include "model/simulator_messages.h"
#include "run/check_request.h"
#include "run/tally.h"

namespace lanescope {
namespace {

using Clock = std::chrono::steady_clock;
/// What a worker takes at once is to last about so long.
constexpr auto kPiece = std::chrono::milliseconds(5);
/// Between two words about blocks that are long
constexpr auto kBetween = std::chrono::milliseconds(50);

/// More than one: would several share a run's blocks, if there were so many?
constexpr unsigned kMostWorkers = 1024;

constexpr std::uint64_t kDefaultBudget = 200'000'000;
constexpr std::size_t kMostSampled = 64;
/// Warp instructions of a sample; of one block where no proof says how many it takes
constexpr std::uint64_t kMostSampledSteps = 200'000, kMostSampledBlock = 2'000'000;

Diagnostic note(DiagnosticKind kind, Message message) {
  Diagnostic d;
  d.kind = kind;
  d.file = "<launch>";
  d.message = std::move(message);
  return d;
}

/// Has instructions of which nobody knows what they take.
bool has_unknown_costs(const FlatCode& code) {
  return std::any_of(code.refs.begin(), code.refs.end(),
                     [](const MemRef& ref) { return ref.atomic == AtomicOp::mbarrier; });
}

Dim3 corner(const Box& box, const std::array<std::int64_t, kDimensions>& at) {
  return {static_cast<std::uint32_t>(box.block(0, at[0])),
          static_cast<std::uint32_t>(box.block(1, at[1])),
          static_cast<std::uint32_t>(box.block(2, at[2]))};
}

std::vector<Dim3> corners_of(Dim3 grid) {
  return {{0, 0, 0}, {grid.x - 1, 0, 0}, {0, grid.y - 1, 0}, {grid.x - 1, grid.y - 1, grid.z - 1}};
}

/// Loads give 0 and stores are dropped where a region of global memory has nothing behind it.
void drop_data(Machine& machine) {
  for (std::vector<Region>* regions : {&machine.regions, &machine.ref_region})
    for (Region& region : *regions)
      if (region.space == MemorySpace::global) region.data = nullptr, region.deferred = nullptr;
}

std::uint64_t data_bytes(const GlobalMemory& memory) {
  std::uint64_t bytes = 0;
  for (const Buffer& buffer : memory.buffers()) bytes += buffer.bytes;
  return bytes;
}

/// A proof takes it that every phase ends; whether one does is seen where a block is executed.
bool waits_for_phases(const FlatCode& code) {
  return std::any_of(code.ops.begin(), code.ops.end(),
                     [](const Op& op) { return op.code == Code::mbarrier_wait; });
}

/// Only what has been checked reaches `go`.
template <class Result, class Go>
Result checked(const Program& program, const Launch& launch, GlobalMemory& memory,
               const RunControl& control, const std::vector<Dim3>& blocks, Go go) {
  Result result;
  result.diagnostics = check_request(program, launch, memory, blocks);
  if (!result.ok()) return result;
  return go(GridRun(dynamic_cast<const FlatProgram&>(program), launch, memory, control));
}

}  // namespace

// ---- the four requests: checked, then answered by a run of their own ----

RunResult inspect(const Program& program, const Launch& launch, GlobalMemory& memory,
                  const InspectRequest& request) {
  return checked<RunResult>(program, launch, memory, request.control, request.blocks,
                            [&](GridRun&& run) { return run.inspect(request); });
}

RunResult count(const Program& program, const Launch& launch, GlobalMemory& memory,
                const CountRequest& request) {
  return checked<RunResult>(program, launch, memory, request.control, {},
                            [&](GridRun&& run) { return run.count(request); });
}

RunResult execute(const Program& program, const Launch& launch, GlobalMemory& memory,
                  const ExecuteRequest& request) {
  return checked<RunResult>(program, launch, memory, request.control,
                            request.blocks.value_or(std::vector<Dim3>{}),
                            [&](GridRun&& run) { return run.execute(request); });
}

WriterResult find_writer(const Program& program, const Launch& launch, GlobalMemory& memory,
                         const FindWriterRequest& request) {
  return checked<WriterResult>(program, launch, memory, request.control, {},
                               [&](GridRun&& run) { return run.find_writer(request); });
}

GridRun::GridRun(const FlatProgram& program, const Launch& launch, GlobalMemory& memory,
                 const RunControl& control)
    : program_(program), launch_(launch), memory_(memory), control_(control), list_(launch.grid),
      image_(program.image), result_(empty_result(program, launch.grid)) {}

RunResult GridRun::inspect(const InspectRequest& request) {
  if (in_clusters()) {
    memory_.complete();
    check_clusters(request.checks, ~0ull, &request);
    return finish();
  }
  if (together()) {
    memory_.complete();
    inspect_together(request.blocks, request.trace_bytes);
    return finish();
  }
  list_ = BlockList(launch_.grid, request.blocks);
  if (!list_.few()) memory_.complete();
  std::optional<Checker> checker;
  if (request.checks) checker.emplace(program_, launch_, memory_);
  Checker* const looking = checker ? &*checker : nullptr;
  each_in_order(looking, [&](Dim3 block) { return record(block, looking, request.trace_bytes); });
  if (checker) report_findings(*checker);
  if (waits_) {
    result_.traces.clear();
    list_ = BlockList(launch_.grid);
    start_over();
    inspect_together(request.blocks, request.trace_bytes);
  }
  return finish();
}

RunResult GridRun::count(const CountRequest& request) {
  if (!request.every_block) {
    const auto ends = count_classes();
    // Nobody waits for this run: filling its memory would only be in the way.
    if (stopped()) return finish();
    if (!in_clusters() && (request.checks || (ends && waits_for_phases(program_.lean))))
      check_sample(ends.value_or(corners_of(launch_.grid)), ends.has_value());
    if (ends) return finish();
  }
  result_.coverage.without_data = can_leave_out_data(request);
  if (!result_.coverage.without_data) memory_.complete();
  run_blocks(request.threads, request.checks);
  return finish();
}

RunResult GridRun::execute(const ExecuteRequest& request) {
  list_ = BlockList(launch_.grid, request.blocks);
  if (!list_.few() || request.checks) memory_.complete();
  if (request.checks)
    run_in_order(true);
  else
    run_blocks(request.threads, false);
  return finish();
}

WriterResult GridRun::find_writer(const FindWriterRequest& request) {
  memory_.complete();
  Checker checker(program_, launch_, memory_);
  checker.watch(request.address);
  run_in_order(&checker);
  WriterResult result;
  if (checker.watched())
    result.writer = describe_finding(*checker.watched(), program_, launch_, memory_);
  result.diagnostics = finish().diagnostics;
  return result;
}

// ---- the counts of the whole grid ----

std::optional<std::vector<Dim3>> GridRun::count_classes() {
  if (in_clusters()) {
    result_.coverage.fallback = "the blocks of a cluster run together";
    return std::nullopt;
  }
  const Machine machine = machine_for(program_.lean);
  ClassCounts classes = count_by_classes(machine);
  if (!classes.proved) {
    result_.coverage.fallback = classes.reason;
    return std::nullopt;
  }
  result_.accesses = std::move(classes.accesses);
  add_entries(result_, program_.lean, classes.block_entries);
  result_.coverage.classes = classes.boxes.size();
  result_.coverage.blocks_executed = classes.boxes.size();
  std::vector<Dim3> ends;
  for (const Box& box : classes.boxes) {
    ends.push_back(corner(box, box.low));
    ends.push_back(corner(box, box.high));
  }
  return ends;
}

/// A few blocks looked at closely.
void GridRun::check_sample(std::vector<Dim3> sample, bool proved) {
  const auto index = [this](Dim3 block) { return index_of(block, launch_.grid); };
  std::sort(sample.begin(), sample.end(), [&](Dim3 a, Dim3 b) { return index(a) < index(b); });
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  // A block that runs long is looked at as far as a person does not wait for it.
  const std::uint64_t most = std::min(budget(), proved ? kMostSampledSteps : kMostSampledBlock);
  const std::uint64_t each = proved ? result_.warp_instructions / result_.coverage.blocks : 0;
  const std::uint64_t few = std::clamp<std::uint64_t>(most / (each + 1), 1, kMostSampled);
  if (sample.size() > few) sample.resize(few);
  Machine machine = machine_for(program_.lean);
  Checker checker(program_, launch_, memory_);
  machine.checker = &checker;
  BlockRunner runner(machine, choose_executor(true), most);
  for (const Dim3& block : sample) {
    checker.begin_block(block, index(block));
    const BlockOutcome outcome = runner.run(block);
    if (outcome.stop == Stop::exited || outcome.stop == Stop::barrier) continue;
    if (proved && outcome.stop == Stop::budget && most < budget()) break;
    // Without a proof every block is executed next, and the first fault in order is the one to
    // report.
    if (proved) report(machine, outcome, block), result_.coverage.classes = 0;
    break;
  }
  if (proved) report_tolerated(machine);
  report_findings(checker);
  if (!proved) reset_memory();
}

bool GridRun::can_leave_out_data(const CountRequest& request) const {
  if (program_.data_steers) return false;
  return request.every_block || data_bytes(memory_) > request.most_data;
}

// ---- blocks, side by side and in order ----

void GridRun::run_blocks(unsigned threads, bool checks) {
  if (in_clusters()) return check_clusters(checks, kMostSampledBlock, nullptr);
  if (together()) return run_together(nullptr);
  // What is looked at, too, must not depend on how many workers there are.
  if (workers(kMostWorkers) > 1) {
    run_parallel(workers(threads));
    if (!shared_.failed || stopped() || control_.go_on) return;
    // A failed run is repeated in order, so that what is reported does not depend on timing.
    start_over();
  }
  run_in_order(checks);
}

unsigned GridRun::workers(unsigned wanted) const {
  // Atomics on global memory, and printing, would happen in an order that depends on timing; and how often
  // a flag is read before another block sets it.
  if (program_.has_global_atomics || program_.has_flags || program_.prints || list_.few() ||
      list_.size() < 8)
    return 1;
  const unsigned many = wanted != 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::min<std::uint64_t>(many, list_.size() / 4));
}

void GridRun::run_parallel(unsigned workers) {
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < workers; ++i) threads.emplace_back([this] { work(); });
}

void GridRun::work() {
  Machine machine = machine_for(program_.lean);
  BlockRunner runner = runner_for(machine);
  const std::uint64_t total = list_.size(), most = std::clamp<std::uint64_t>(total / 256, 1, 1024);
  // Long blocks are told one by one, short ones in large pieces.
  std::uint64_t executed = 0, chunk = 1;
  auto start = Clock::now();
  while (!shared_.failed) {
    const std::uint64_t begin = shared_.next.fetch_add(chunk), end = std::min(begin + chunk, total);
    if (begin >= total) break;
    for (std::uint64_t i = begin; i < end; ++i, ++executed) {
      const BlockOutcome outcome = runner.run(list_.at(i));
      if (outcome.stop == Stop::exited) continue;
      if (!shared_.failed.exchange(true) && control_.go_on) {
        const std::lock_guard lock(shared_.mutex);
        report(machine, outcome, list_.at(i));
      }
      break;
    }
    const std::uint64_t done = shared_.done.fetch_add(end - begin) + end - begin;
    if (control_.progress && !shared_.failed) control_.progress(done, total);
    if (stopped()) shared_.failed = true;
    take_over(machine, runner, done);
    const auto now = Clock::now();
    chunk =
        now - start < kPiece ? std::min(2 * chunk, most) : std::max<std::uint64_t>(chunk / 2, 1);
    start = now;
  }
  const std::lock_guard lock(shared_.mutex);
  result_.coverage.blocks_executed += executed;
  add_counts(result_, machine);
  report_tolerated(machine);
}

void GridRun::run_in_order(bool checks) {
  if (!checks || together()) return run_in_order(nullptr);
  // Its shadow of global memory is large: only where somebody looks.
  Checker checker(program_, launch_, memory_);
  run_in_order(&checker);
  report_findings(checker);
}

void GridRun::run_in_order(Checker* checker) {
  if (in_clusters()) return run_clusters(checker, ~0ull, nullptr);
  if (together()) return run_together(checker);
  Machine machine = machine_for(program_.lean);
  machine.checker = checker;
  std::optional<BlockRunner> runner(checker != nullptr
                                        ? BlockRunner(machine, choose_executor(true), budget())
                                        : runner_for(machine));
  std::vector<Resident> parked;
  std::uint64_t done = 0;
  auto asked = Clock::now();
  each_in_order(checker, [&](Dim3 block) {
    const BlockOutcome outcome = runner->run(block);
    ++done;
    if (const auto now = Clock::now(); checker == nullptr && now - asked > kPiece) {
      asked = now;
      take_over(machine, *runner, done);
    }
    if (can_be_parked(*runner, machine, parked.size())) {
      // The checker follows one block after the other.
      looked_away_ = machine.checker != nullptr || looked_away_;
      machine.checker = nullptr;
      const ExecuteWarp how = machine.compiled ? execute_compiled : choose_executor(false);
      parked.push_back({block, &machine, std::move(*runner), outcome, true});
      parked.back().runner.use(how);
      runner.emplace(machine, how, budget());
      return BlockOutcome{};
    }
    if (!start_together(*runner, machine)) report(machine, outcome, block);
    return outcome;
  });
  end_parked(parked, machine);
  if (waits_) {
    start_over();
    return run_together(nullptr);
  }
  add_counts(result_, machine);
  report_tolerated(machine);
}

template <class RunBlock>
void GridRun::each_in_order(Checker* checker, RunBlock run_block) {
  const std::uint64_t total = list_.size(), chunk = std::max<std::uint64_t>(1, total / 200);
  auto told = Clock::now();
  for (std::uint64_t i = 0; i < total; ++i) {
    const Dim3 block = list_.at(i);
    if (checker) checker->begin_block(block, index_of(block, launch_.grid));
    if (run_block(block).stop != Stop::exited) break;
    result_.coverage.blocks_executed += 1;
    if (!control_.progress) continue;
    const auto now = Clock::now();
    if ((i + 1) % chunk != 0 && now - told < kBetween) continue;
    told = now;
    control_.progress(i + 1, total);
  }
}

BlockOutcome GridRun::record(Dim3 block, Checker* checker, std::size_t trace_bytes) {
  Machine machine = machine_for(program_.recording);
  Recorder recorder(block, warps_per_block(launch_.block), trace_bytes);
  machine.recorder = &recorder;
  machine.checker = checker;
  BlockRunner runner(machine, choose_executor(true), budget());
  const BlockOutcome outcome = runner.run(block);
  if (start_together(runner, machine)) return outcome;
  report(machine, outcome, block);
  report_tolerated(machine);
  add_counts(result_, machine);
  result_.traces.push_back(recorder.take());
  return outcome;
}

// ---- what comes of it ----

Machine GridRun::machine_for(const FlatCode& code) {
  Machine machine = make_machine(program_, code, launch_, memory_, image_.data());
  if (result_.coverage.without_data) drop_data(machine);
  machine.stop = control_.stop;
  machine.go_on = control_.go_on;
  return machine;
}

/// Each once, however many workers met it; that of the first block is told.
void GridRun::report_tolerated(Machine& machine) {
  for (const Tolerated& each : machine.tolerated) {
    machine.fault = each.fault;
    Diagnostic found = describe_fault(machine, memory_, each.block, each.warp);
    const auto known = std::find_if(
        result_.diagnostics.begin(), result_.diagnostics.end(), [&](const Diagnostic& d) {
          return d.kind == found.kind && d.line == found.line && d.column == found.column;
        });
    if (known == result_.diagnostics.end())
      result_.diagnostics.push_back(std::move(found));
    else if (known->block &&
             index_of(each.block, launch_.grid) < index_of(*known->block, launch_.grid))
      *known = std::move(found);
  }
}

void GridRun::report(const Machine& machine, const BlockOutcome& outcome, Dim3 block) {
  if (outcome.stop == Stop::exited || outcome.stop == Stop::cancelled) return;
  tell(describe_fault(machine, memory_, block, outcome.warp));
}

void GridRun::report_findings(Checker& checker) {
  // What the launch leaves behind is known of one that ended, once.
  const bool all_ended = result_.coverage.blocks_executed == launch_.grid.count();
  if (result_.ok() && all_ended && !waits_ && !looked_away_) checker.launch_ended(image_);
  for (const Finding& finding : checker.findings())
    tell(describe_finding(finding, program_, launch_, memory_));
}

/// A mistake is told once, as of the first block: a sample may have met it before. An access that leaves
/// its array may leave all memory too.
void GridRun::tell(Diagnostic found) {
  const auto known = std::find_if(
      result_.diagnostics.begin(), result_.diagnostics.end(), [&](const Diagnostic& d) {
        return d.kind == found.kind && d.severity == found.severity && d.line == found.line &&
               d.column == found.column &&
               (d.kind == DiagnosticKind::out_of_bounds || d.message == found.message);
      });
  const auto number = [this](const Diagnostic& d) {
    return d.block ? index_of(*d.block, launch_.grid) : 0;
  };
  if (known == result_.diagnostics.end())
    result_.diagnostics.push_back(std::move(found));
  else if (number(found) <= number(*known))
    *known = std::move(found);
}

void GridRun::reset_memory() {
  memory_.refill();
  image_ = program_.image;
}

void GridRun::start_over() {
  reset_memory();
  if (!result_.coverage.without_data) memory_.complete();
  clear_counts(result_);
  shared_.failed = false;
}

RunResult GridRun::finish() {
  if (stopped()) result_.diagnostics.push_back(note(DiagnosticKind::cancelled, say::run_cancelled));
  if (has_unknown_costs(program_.lean)) {
    Diagnostic d = note(DiagnosticKind::unsupported, say::engines_not_modelled);
    d.severity = Severity::note;
    result_.diagnostics.push_back(std::move(d));
  }
  if (in_clusters() && result_.ok()) {
    Diagnostic d = note(DiagnosticKind::unsupported, say::clusters_not_modelled);
    d.severity = Severity::note;
    result_.diagnostics.push_back(std::move(d));
  }
  for (const BlockTrace& trace : result_.traces)
    if (trace.truncated) {
      Diagnostic d = note(DiagnosticKind::truncated, say::trace_truncated);
      d.severity = Severity::warning;
      result_.diagnostics.push_back(std::move(d));
    }
  result_.coverage.exact =
      (result_.ok() || control_.go_on) &&
      (result_.coverage.classes > 0 || result_.coverage.blocks_executed == result_.coverage.blocks);
  return std::move(result_);
}

std::uint64_t GridRun::budget() const {
  return control_.step_budget != 0 ? control_.step_budget : kDefaultBudget;
}

}  // namespace lanescope
