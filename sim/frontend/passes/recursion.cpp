#include "frontend/passes/recursion.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <vector>

namespace lanescope {
namespace {

constexpr unsigned kMostDepth = 64;
/// Of all copies together, once they are inlined
constexpr std::size_t kMostInstructions = 30'000;

std::vector<llvm::CallBase*> calls_of_itself(llvm::Function& function) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call != nullptr && call->getCalledFunction() == &function)
        calls.push_back(call);
  return calls;
}

/// How deep a function of so many calls of itself may be unfolded.
unsigned depth_for(std::size_t calls, std::size_t instructions) {
  std::size_t bodies = 1, all = 1;
  unsigned depth = 0;
  while (depth < kMostDepth && (all + bodies * calls) * instructions <= kMostInstructions)
    bodies *= calls, all += bodies, ++depth;
  return depth;
}

void unfold(llvm::Function& function) {
  const std::size_t sites = calls_of_itself(function).size();
  if (sites == 0) return;
  llvm::Function* at = &function;
  for (unsigned left = depth_for(sites, function.getInstructionCount()); left > 0; --left) {
    const std::vector<llvm::CallBase*> calls = calls_of_itself(*at);
    llvm::ValueToValueMapTy values;
    llvm::Function* deeper = llvm::CloneFunction(at, values);
    deeper->setName(function.getName() + ".deeper");
    for (llvm::BasicBlock& block : *deeper)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            call != nullptr && call->getCalledFunction() == at)
          call->setCalledFunction(deeper);
    for (llvm::CallBase* call : calls) call->setCalledFunction(deeper);
    at = deeper;
  }
}

}  // namespace

void unfold_recursion(llvm::Module& module) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  for (llvm::Function* function : functions) unfold(*function);
}

}  // namespace lanescope
