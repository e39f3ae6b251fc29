// What is known of a program's run: its launches as they were counted, what it did wrong, how it ended.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/program/call_record.h"
#include "core/run/totals.h"
#include "lanescope/diagnostic.h"
#include "lanescope/types.h"

namespace lanescope::app {

/// One launch of a program's run.
struct LaunchRecord {
  /// In the order in which they were made, from 0
  std::uint64_t number = 0;
  /// "reduce<float, 256>", and the file that has it
  std::string kernel, file;
  /// Where it was asked for
  HostPosition from;
  Dim3 grid, block;
  std::uint32_t static_shared_bytes = 0, dynamic_shared_bytes = 0;
  std::uint64_t stream = 0;
  Totals totals;
  std::uint64_t warp_instructions = 0;
  /// What the simulator took, from the run's beginning
  double begin_ms = 0, end_ms = 0;
  /// Its kernel, arguments and all memory were those of the launch before, which had changed nothing:
  /// counted as that one, not run again
  bool repeated = false;
  /// The counts are those of every block
  bool exact = false;
  /// It called printf: a GPU's own accesses for that are not counted
  bool prints = false;
  /// It called what reads tables of the GPU's own (KernelInfo::reads_tables)
  bool reads_tables = false;
  /// KernelInfo::exchanges
  bool exchanges = false;
  /// Empty if it ended well; else what stopped it
  std::string stopped;
  /// Found in its blocks, each once
  std::vector<Diagnostic> mistakes;
};

/// Something that host code did wrong, or that is worth knowing.
struct HostRemark {
  std::string text;
  bool is_error = false;
  HostPosition at;
};

/// How a program ended.
struct ProgramEnd {
  /// As a shell has it: 128 + the number of a signal
  int status = 0;
  /// Empty where main returned or exit was called; else how it crashed, or why it was ended
  std::string crash;
  /// By us: for a limit, or because nobody wants it any more
  bool was_ended = false;
  HostPosition at;
};

/// A run from its start to its end.
struct ProgramResult {
  /// Why it could not be started; its warnings otherwise
  std::vector<Diagnostic> diagnostics;
  bool started = false;
  /// The launch that was asked for has been written
  bool captured = false;
  std::vector<LaunchRecord> launches;
  /// At most kMostCalls, in the order of their ends; and how many there were beside
  std::vector<CallRecord> calls;
  std::uint64_t calls_left_out = 0;
  std::vector<HostRemark> remarks;
  /// What this machine's kernel could not promise of the sandbox
  std::vector<std::string> unbounded;
  ProgramEnd end;
  /// The launch that was running when it ended, as far as it had come
  std::optional<LaunchProgress> unfinished;
};

/// What to_json makes of a Dim3.
Dim3 shape_from(const Json& json);
Json to_json(const LaunchRecord& launch);
Json to_json(const HostRemark& remark);
LaunchRecord launch_record_from(const Json& json);
HostRemark remark_from(const Json& json);
/// With files and the texts of lines, which other JSON leaves out.
Json diagnostics_json(const std::vector<Diagnostic>& diagnostics);
std::vector<Diagnostic> diagnostics_from(const Json& json);

}  // namespace lanescope::app
