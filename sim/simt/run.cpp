// Whole launches: arguments checked, blocks shared out to workers, counts added up.
#include "lanescope/run.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "simt/block.h"
#include "simt/classes.h"
#include "simt/recorder.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kDefaultBudget = 200'000'000;

Diagnostic usage(std::string message, std::string hint = {}) {
  Diagnostic d;
  d.kind = DiagnosticKind::usage;
  d.file = "<launch>";
  d.message = std::move(message);
  d.hint = std::move(hint);
  return d;
}

bool parses_as(ScalarType type, const std::string& text) {
  if (type == ScalarType::boolean && (text == "true" || text == "false")) return true;
  if (text.empty()) return false;
  char* end = nullptr;
  errno = 0;
  if (type == ScalarType::f32 || type == ScalarType::f64) {
    std::strtod(text.c_str(), &end);
    return *end == '\0';
  }
  const std::size_t bytes = scalar_bytes(type);
  const bool is_signed = type == ScalarType::i8 || type == ScalarType::i16 || type == ScalarType::i32 || type == ScalarType::i64;
  if (type == ScalarType::u64) {
    std::strtoull(text.c_str(), &end, 0);
    return *end == '\0' && errno == 0 && text[0] != '-';
  }
  const long long value = std::strtoll(text.c_str(), &end, 0);
  if (*end != '\0' || errno != 0 || bytes == 0) return false;
  if (bytes >= 8) return true;
  const long long high = is_signed ? (1ll << (8 * bytes - 1)) - 1 : (1ll << (8 * bytes)) - 1;
  return value <= high && value >= (is_signed ? -high - 1 : 0);
}

Dim3 coordinate(std::uint64_t index, Dim3 grid) {
  return {static_cast<std::uint32_t>(index % grid.x), static_cast<std::uint32_t>(index / grid.x % grid.y), static_cast<std::uint32_t>(index / grid.x / grid.y)};
}

/// The blocks of one run, by position: the whole grid, or a list.
struct BlockList {
  const Launch& launch;
  const RunOptions& options;
  [[nodiscard]] std::uint64_t size() const { return options.all_blocks ? launch.grid.count() : options.blocks.size(); }
  [[nodiscard]] Dim3 at(std::uint64_t i) const { return options.all_blocks ? coordinate(i, launch.grid) : options.blocks[i]; }
};

/// What the workers share.
struct Shared {
  std::atomic<std::uint64_t> next{0}, done{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
};

class GridRun {
 public:
  GridRun(const FlatProgram& program, const Launch& launch, GlobalMemory& memory, const RunOptions& options)
      : program_(program), launch_(launch), memory_(memory), options_(options), list_{launch, options}, image_(program.image) {
    result_.accesses.resize(program.info().accesses.size());
    result_.op_executions.resize(program.info().ops.size());
    result_.coverage.blocks = launch.grid.count();
  }

  RunResult run() {
    if (!options_.record.empty()) return run_in_order();
    if (options_.counts_only && options_.all_blocks && count_classes()) return finish();
    unsigned workers = options_.threads != 0 ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
    // Atomics on global memory would be applied in an order that depends on timing.
    if (program_.has_global_atomics) workers = 1;
    workers = static_cast<unsigned>(std::min<std::uint64_t>(workers, std::max<std::uint64_t>(1, list_.size() / 4)));
    if (workers == 1) return run_in_order();
    run_parallel(workers);
    if (!shared_.failed || options_.stop.stop_requested()) return finish();
    // A failed run is repeated in order, so that what is reported does not depend on timing.
    reset();
    return run_in_order();
  }

 private:
  bool count_classes() {
    const Machine machine = make_machine(program_, program_.lean, launch_, memory_, image_.data());
    ClassCounts classes = count_by_classes(machine, options_.stop);
    if (!classes.proved) {
      result_.coverage.fallback = classes.reason;
      return false;
    }
    result_.accesses = std::move(classes.accesses);
    add_entries(machine, classes.block_entries);
    result_.coverage.classes = classes.boxes.size();
    result_.coverage.blocks_executed = classes.boxes.size();
    return true;
  }

  void reset() {
    memory_.refill();
    image_ = program_.image;
    std::fill(result_.accesses.begin(), result_.accesses.end(), AccessCounts{});
    std::fill(result_.op_executions.begin(), result_.op_executions.end(), 0);
    result_.warp_instructions = 0;
    result_.coverage.blocks_executed = 0;
    result_.diagnostics.clear();
    shared_.failed = false;
  }

  RunResult run_in_order() {
    Machine lean = make_machine(program_, program_.lean, launch_, memory_, image_.data());
    lean.stop = options_.stop;
    BlockRunner runner(lean, choose_executor(false), budget());
    const std::uint64_t total = list_.size(), chunk = std::max<std::uint64_t>(1, total / 200);
    for (std::uint64_t i = 0; i < total; ++i) {
      const Dim3 block = list_.at(i);
      const bool wanted = std::find(options_.record.begin(), options_.record.end(), block) != options_.record.end();
      const BlockOutcome outcome = wanted ? record(block) : runner.run(block);
      if (!wanted && outcome.stop != Stop::exited) report(lean, outcome, block);
      if (outcome.stop != Stop::exited) break;
      result_.coverage.blocks_executed += 1;
      if (options_.progress && (i + 1) % chunk == 0) options_.progress(i + 1, total);
    }
    merge(lean);
    return finish();
  }

  BlockOutcome record(Dim3 block) {
    Machine machine = make_machine(program_, program_.recording, launch_, memory_, image_.data());
    machine.stop = options_.stop;
    Recorder recorder(block, warps_per_block(launch_.block), options_.trace_bytes);
    machine.recorder = &recorder;
    BlockRunner runner(machine, choose_executor(true), budget());
    const BlockOutcome outcome = runner.run(block);
    if (outcome.stop != Stop::exited) report(machine, outcome, block);
    merge(machine);
    result_.traces.push_back(recorder.take());
    return outcome;
  }

  void run_parallel(unsigned workers) {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < workers; ++i) threads.emplace_back([this] { work(); });
  }

  void work() {
    Machine machine = make_machine(program_, program_.lean, launch_, memory_, image_.data());
    machine.stop = options_.stop;
    BlockRunner runner(machine, choose_executor(false), budget());
    const std::uint64_t total = list_.size(), chunk = std::clamp<std::uint64_t>(total / 256, 1, 1024);
    std::uint64_t executed = 0;
    while (!shared_.failed) {
      const std::uint64_t begin = shared_.next.fetch_add(chunk), end = std::min(begin + chunk, total);
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
    add_entries(machine, machine.block_entries);
  }

  void add_entries(const Machine& machine, const std::vector<std::uint64_t>& block_entries) {
    for (std::size_t b = 0; b < machine.code->blocks.size(); ++b) {
      const FlatBlock& block = machine.code->blocks[b];
      const std::uint64_t entries = block_entries[b];
      std::uint32_t last = kNone;
      for (std::uint32_t i = block.first; entries != 0 && i < block.first + block.count; ++i) {
        const Op& op = machine.code->ops[i];
        if (op.code != Code::assign) result_.warp_instructions += entries;
        if ((op.aux & kStep) != 0 && op.info != last) result_.op_executions[op.info] += entries, last = op.info;
      }
    }
  }

  RunResult finish() {
    if (options_.stop.stop_requested()) {
      Diagnostic d = usage("the run was cancelled");
      d.kind = DiagnosticKind::cancelled;
      result_.diagnostics.push_back(std::move(d));
    }
    for (const BlockTrace& trace : result_.traces)
      if (trace.truncated) {
        Diagnostic d = usage("the trace is truncated: the recorded block does more than the cap holds");
        d.severity = Severity::warning;
        d.kind = DiagnosticKind::truncated;
        result_.diagnostics.push_back(std::move(d));
      }
    result_.coverage.exact = result_.ok() && (result_.coverage.classes > 0 || result_.coverage.blocks_executed == result_.coverage.blocks);
    return std::move(result_);
  }

  std::uint64_t budget() const { return options_.step_budget != 0 ? options_.step_budget : kDefaultBudget; }

  const FlatProgram& program_;
  const Launch& launch_;
  GlobalMemory& memory_;
  const RunOptions& options_;
  BlockList list_;
  std::vector<std::byte> image_;
  RunResult result_;
  Shared shared_;
};

}  // namespace

std::vector<Diagnostic> check_arguments(const Program& program, const Launch& launch, const GlobalMemory& memory) {
  std::vector<Diagnostic> out;
  const std::vector<ParameterInfo>& parameters = program.info().parameters;
  std::string known;
  for (const ParameterInfo& parameter : parameters) known += (known.empty() ? "" : ", ") + parameter.name + " (" + parameter.type_text + ")";
  for (const Argument& argument : launch.arguments)
    if (std::none_of(parameters.begin(), parameters.end(), [&](const ParameterInfo& p) { return p.name == argument.name; }))
      out.push_back(usage("the kernel has no parameter '" + argument.name + "'", "its parameters are: " + known));
  for (const ParameterInfo& parameter : parameters) {
    const auto argument = std::find_if(launch.arguments.begin(), launch.arguments.end(), [&](const Argument& a) { return a.name == parameter.name; });
    if (argument == launch.arguments.end()) {
      out.push_back(usage("no argument for parameter '" + parameter.name + "' (" + parameter.type_text + ")"));
    } else if (parameter.is_pointer) {
      if (argument->buffer.empty()) out.push_back(usage("parameter '" + parameter.name + "' is a pointer (" + parameter.type_text + ") and needs a buffer"));
      else if (argument->buffer != "null" && memory.find(argument->buffer) == nullptr) out.push_back(usage("there is no buffer '" + argument->buffer + "' for parameter '" + parameter.name + "'"));
    } else if (!argument->buffer.empty()) {
      out.push_back(usage("parameter '" + parameter.name + "' is a scalar (" + parameter.type_text + ") and cannot take a buffer"));
    } else if (parameter.type == ScalarType::unknown || parameter.components != 1) {
      out.push_back(usage("parameter '" + parameter.name + "' is of type " + parameter.type_text + ", which cannot be given as an argument"));
    } else if (!parses_as(parameter.type, argument->scalar)) {
      out.push_back(usage("'" + argument->scalar + "' is no value for parameter '" + parameter.name + "' of type " + parameter.type_text));
    }
  }
  return out;
}

RunResult run(const Program& program, const Launch& launch, GlobalMemory& memory, const RunOptions& options) {
  RunResult result;
  result.diagnostics = check_arguments(program, launch, memory);
  if (launch.block.count() == 0 || launch.block.count() > 1024) result.diagnostics.push_back(usage("a block of " + std::to_string(launch.block.count()) + " threads: 1 to 1024 are possible"));
  if (launch.grid.count() == 0) result.diagnostics.push_back(usage("an empty grid"));
  for (const Dim3& block : options.blocks)
    if (block.x >= launch.grid.x || block.y >= launch.grid.y || block.z >= launch.grid.z)
      result.diagnostics.push_back(usage("block (" + std::to_string(block.x) + ", " + std::to_string(block.y) + ", " + std::to_string(block.z) + ") is outside the grid"));
  if (!result.ok()) return result;
  return GridRun(dynamic_cast<const FlatProgram&>(program), launch, memory, options).run();
}

}  // namespace lanescope
