#include "core/run/whole_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <stop_token>

#include "core/run/patience.h"
#include "core/run/reference.h"
#include "core/text/messages.h"

namespace lanescope::app {

namespace {

/// Warp instructions; about half a second with every check
constexpr std::uint64_t kSmall = 5'000'000;
/// Of a matrix instruction that take as long as one warp instruction
constexpr std::uint64_t kMultiplyAdds = 8;

bool all_executed(const Coverage& coverage) { return coverage.blocks_executed == coverage.blocks; }

bool stopped(const WholeGridOptions& options) { return options.control.stop.stop_requested(); }

/// What executing this again would take, in warp instructions.
std::uint64_t effort(const RunResult& run) {
  return run.warp_instructions + run.multiply_adds / kMultiplyAdds;
}

bool affordable(const PreparedLaunch& prepared, const RunResult& run,
                const WholeGridOptions& options) {
  std::uint64_t bytes = 0;
  for (const BufferLayout& buffer : prepared.buffers) bytes += buffer.bytes;
  return effort(run) <= options.most_to_check && bytes <= options.most_bytes_to_check;
}

/// Runs the grid once more, in order, to learn who stored the first wrong element.
void name_writer(ReadyLaunch& ready, const RunControl& control, Diagnostic& wrong) {
  if (!wrong.address) return;
  ready.memory.refill();
  const WriterResult found = ready.find_writer({*wrong.address, {.stop = control.stop}});
  if (!found.ok()) return;
  if (!found.writer) {
    wrong.message = say::nobody_wrote(wrong.message);
    return;
  }
  wrong.block = found.writer->block;
  wrong.thread = found.writer->thread;
  wrong.line = found.writer->line;
  wrong.column = found.writer->column;
  const Dim3 thread = wrong.thread.value_or(Dim3{}), block = wrong.block.value_or(Dim3{});
  wrong.message = say::written_by(
      wrong.message, say::thread_of_block(thread.x, thread.y, thread.z, block.x, block.y, block.z));
}

void check(ReadyLaunch& ready, const WholeGridOptions& options, WholeGrid& whole) {
  CheckOutcome outcome = check_result(ready, options.control.stop);
  whole.check = outcome.check;
  if (!outcome.diagnostic) return;
  const bool is_wrong = outcome.diagnostic->kind == DiagnosticKind::wrong_result;
  if (is_wrong && effort(whole.run) <= options.most_to_check) {
    name_writer(ready, options.control, *outcome.diagnostic);
    whole.check.message = outcome.diagnostic->message;
  }
  whole.diagnostics.push_back(std::move(*outcome.diagnostic));
}

}  // namespace

void add_new(std::vector<Diagnostic>& all, const std::vector<Diagnostic>& found) {
  for (const Diagnostic& d : found) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const Diagnostic& other) {
      return other.kind == d.kind && other.line == d.line && other.column == d.column &&
             other.message == d.message;
    });
    if (!known) all.push_back(d);
  }
}

WholeGrid run_whole_grid(ReadyLaunch& ready, const WholeGridOptions& options) {
  WholeGrid whole;
  ready.memory.refill();
  Patience patience(options.control, options.most_seconds);
  whole.run =
      ready.count({.checks = true, .threads = options.threads, .control = patience.control()});
  whole.would_take_s = patience.would_take_s();
  if (whole.would_take_s > 0)
    std::erase_if(whole.run.diagnostics,
                  [](const Diagnostic& d) { return d.kind == DiagnosticKind::cancelled; });
  whole.diagnostics = whole.run.diagnostics;
  bool executed = whole.run.coverage.classes == 0 && !whole.run.coverage.without_data;
  const bool has_reference = ready.prepared->front_matter.reference.kind != "none";
  // Small grids are looked at block by block, which also finds races between blocks.
  const bool small = effort(whole.run) <= kSmall;
  // Findings, such as races, do not stop a run; a fault does.
  const bool counted = whole.run.coverage.classes > 0 || all_executed(whole.run.coverage);
  if (!counted || stopped(options)) return whole;
  if (!executed && (options.every_block || small ||
                    (has_reference && affordable(*ready.prepared, whole.run, options)))) {
    if (options.counted) options.counted(whole.run);
    ready.memory.refill();
    RunResult every =
        ready.execute({.checks = small, .threads = options.threads, .control = options.control});
    add_new(whole.diagnostics, every.diagnostics);
    executed = every.coverage.exact = all_executed(every.coverage);
    whole.run = std::move(every);
  }
  if (executed && !stopped(options)) check(ready, options, whole);
  return whole;
}

}  // namespace lanescope::app
