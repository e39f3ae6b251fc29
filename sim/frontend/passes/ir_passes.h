// What happens to the IR of a kernel before it is lowered.
#pragma once

#include <string>

#include "lanescope/types.h"
#include "lower/access_text.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace lanescope {

/// Our own pass pipeline: inlines every device function, keeps one simple debug value per source
/// variable. `cluster`: the blocks that the kernel is launched in together.
void simplify_ir(llvm::Module& module, const std::string& kernel_symbol, const AccessTexts& texts,
                 Dim3 cluster);

}  // namespace lanescope
