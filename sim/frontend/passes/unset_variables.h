// Variables that may be used before they are set. What LLVM leaves undefined it also folds away: a value
// that was never set becomes whatever is convenient, and nothing tells. So each variable is given a value
// of its own first, which nobody knows, and which the simulator follows to its use.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lanescope {

/// Sets local variables of whose address nothing becomes, where they begin to live, to what calls of
/// `lanescope_unset…` (its name by metadata, kUnsetName) give. After inlining into the function and
/// before SROA, which makes values of variables.
class MarkUnset : public llvm::PassInfoMixin<MarkUnset> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

/// Takes back what has stayed in memory: what is written there is known when it runs.
void forget_unset_memory(llvm::Module& module);

}  // namespace lanescope
