// The process that owns the GPU. It is this program again, started with a hidden command; when a
// kernel takes it down, or has to be given up, the program that asked goes on.
#pragma once

#include <string>

#include "gpu/driver/libraries.h"

namespace lanescope::gpu {

/// The hidden command, and the descriptor that it talks over.
inline constexpr const char* kWorkerCommand = "gpu-worker";
inline constexpr int kWorkerDescriptor = 3;

/// Answers requests, a line of JSON each, until the other side closes. Returns the exit status.
int run_worker(const Libraries& libraries, int descriptor);

/// Launches every request of a file once, for a profiler that watches; writes to `file` + ".done"
/// which of them were launched. Returns the exit status.
int run_worker_on_file(const Libraries& libraries, const std::string& file);

/// `lanescope gpu-worker [FILE]`
int worker_main(int argc, const char* const* argv);

}  // namespace lanescope::gpu
