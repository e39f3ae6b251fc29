#include "core/run/whole_grid.h"

#include <algorithm>

#include "core/run/reference.h"

namespace lanescope::app {

namespace {

constexpr std::uint64_t kSmall =
    5'000'000;  // warp instructions; about half a second with every check

void add_new(std::vector<Diagnostic>& all, const std::vector<Diagnostic>& found) {
  for (const Diagnostic& d : found) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const Diagnostic& other) {
      return other.kind == d.kind && other.line == d.line && other.column == d.column &&
             other.message == d.message;
    });
    if (!known) all.push_back(d);
  }
}

std::string coordinate(const char* what, const std::optional<Dim3>& at) {
  if (!at) return {};
  return std::string(what) + " (" + std::to_string(at->x) + ", " + std::to_string(at->y) + ", " +
         std::to_string(at->z) + ")";
}

bool affordable(const Job& job, const RunResult& run, const WholeGridOptions& options) {
  std::uint64_t bytes = 0;
  for (const BufferLayout& buffer : job.buffers) bytes += buffer.bytes;
  return run.warp_instructions <= options.most_to_check && bytes <= options.most_bytes_to_check;
}

// Runs the grid once more, in order, to learn who stored the first wrong element.
void name_writer(Job& job, const WholeGridOptions& options, Diagnostic& wrong) {
  if (!wrong.address) return;
  job.memory.refill();
  RunOptions again;
  again.stop = options.stop;
  again.watch = *wrong.address;
  const RunResult run_again = run(*job.program, job.launch, job.memory, again);
  if (!run_again.ok()) return;
  if (!run_again.last_writer) {
    wrong.message += "; no thread wrote it";
    return;
  }
  wrong.block = run_again.last_writer->block;
  wrong.thread = run_again.last_writer->thread;
  wrong.line = run_again.last_writer->line;
  wrong.column = run_again.last_writer->column;
  wrong.message += "; written by " + coordinate("thread", wrong.thread) + " of " +
                   coordinate("block", wrong.block);
}

void check(Job& job, const WholeGridOptions& options, WholeGrid& whole) {
  CheckOutcome outcome = check_result(job, options.stop);
  whole.check = outcome.check;
  if (!outcome.diagnostic) return;
  const bool is_wrong = outcome.diagnostic->kind == DiagnosticKind::wrong_result;
  if (is_wrong && whole.run.warp_instructions <= options.most_to_check) {
    name_writer(job, options, *outcome.diagnostic);
    whole.check.message = outcome.diagnostic->message;
  }
  whole.diagnostics.push_back(std::move(*outcome.diagnostic));
}

}  // namespace

WholeGrid run_whole_grid(Job& job, const WholeGridOptions& options) {
  WholeGrid whole;
  RunOptions run_options;
  run_options.stop = options.stop;
  run_options.progress = options.progress;
  run_options.threads = options.threads;
  run_options.counts_only = run_options.checks = true;
  job.memory.refill();
  whole.run = run(*job.program, job.launch, job.memory, run_options);
  whole.diagnostics = whole.run.diagnostics;
  bool executed = whole.run.coverage.classes == 0 && !whole.run.coverage.without_data;
  const bool has_reference = job.front_matter.reference.kind != "none";
  // Small grids are looked at block by block, which also finds races between blocks.
  const bool small = whole.run.warp_instructions <= kSmall;
  // Findings, such as races, do not stop a run; a fault does.
  const bool counted = whole.run.coverage.classes > 0 ||
                       whole.run.coverage.blocks_executed == whole.run.coverage.blocks;
  if (!counted || options.stop.stop_requested()) return whole;
  if (!executed &&
      (options.every_block || small || (has_reference && affordable(job, whole.run, options)))) {
    if (options.counted) options.counted(whole.run);
    job.memory.refill();
    run_options.counts_only = false;
    run_options.checks = small;
    RunResult every = run(*job.program, job.launch, job.memory, run_options);
    add_new(whole.diagnostics, every.diagnostics);
    executed = every.coverage.blocks_executed == every.coverage.blocks;
    every.coverage.exact = executed;
    whole.run = std::move(every);
  }
  if (executed && !options.stop.stop_requested()) check(job, options, whole);
  return whole;
}

}  // namespace lanescope::app
