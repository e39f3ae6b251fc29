// LLVM's part: from the emitted function to machine code in this process.
#pragma once

#include <memory>

#include "compiled/compiled_frame.h"

namespace lanescope {

struct MachineCode {
  /// Null when it could not be made
  CompiledWarp entry = nullptr;
  /// What the code lives in
  std::shared_ptr<void> owner;
};

MachineCode make_machine_code(const Machine& machine, LaneShapes& shapes);

}  // namespace lanescope
