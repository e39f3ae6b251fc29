// One launch of a whole program, caught before it ran: the kernel, its arguments and all that memory
// held, so that it can be inspected, traced and counted by itself as often as one likes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lanescope/memory.h"
#include "lanescope/run.h"
#include "lanescope/whole_program.h"

namespace lanescope::app {

struct CapturedBuffer {
  /// The kernel's parameter that points to it, or "allocation 3", or a variable's name
  std::string name;
  /// Of the parameter's pointee; bytes where no parameter tells
  ScalarType element = ScalarType::u8;
  std::uint64_t address = 0;
  MemorySpace space = MemorySpace::global;
  std::shared_ptr<const std::vector<std::byte>> contents;
};

struct CapturedLaunch {
  /// In the program's run, from 0
  std::uint64_t number = 0;
  ProgramPtr program;
  /// What the kernel is compiled from, with one file whose text is in `texts`, and its name there: an
  /// edited text takes the launch over. No file: `program` is all there is.
  WholeProgramRequest compile;
  std::string symbol;
  /// Where the text's variables are, by symbol
  std::map<std::string, std::uint64_t> addresses;
  Launch launch;
  /// By address
  std::vector<CapturedBuffer> buffers;
};
using CapturedLaunchPtr = std::shared_ptr<const CapturedLaunch>;

}  // namespace lanescope::app
