// Programs that run beside this one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::app {

/// A program to start. What it reads and writes by its standard descriptors goes nowhere, unless
/// `descriptors` says where.
struct Program {
  /// [0] is its path, or a name to look for on PATH
  std::vector<std::string> arguments;
  struct Descriptor {
    /// Of this process
    int ours = -1;
    /// The number that the program knows it by
    int theirs = -1;
  };
  /// All others stay closed to it, as far as they were opened with close-on-exec
  std::vector<Descriptor> descriptors = {};
  /// A process group of its own, so that what it starts can be ended with it: kill(-id, …)
  bool own_group = false;
};

/// Its process id, to be waited for by the caller; -1 and errno where there can be no process. A
/// program that cannot be run is one that ends with exit status 127.
pid_t start(const Program& program);

/// What a process has in memory or swapped out, files apart: what it was given and has touched, in bytes. A
/// bound on address space would count memory that nobody touches, and would end in failing allocations
/// of this program's own.
std::uint64_t memory_taken(pid_t process);

/// The path of this very program.
std::string own_path();

}  // namespace lanescope::app
