// The process that one submission is judged in.
#pragma once

namespace lanescope::cli {

inline constexpr const char* kJudgeCommand = "judge-child";

/// Reads a JudgeRequest from its standard input, writes a Verdict to its standard output, in a sandbox.
/// Returns the exit status. `seconds`: of processor time that it may take.
int judge_child_main(const char* seconds);

}  // namespace lanescope::cli
