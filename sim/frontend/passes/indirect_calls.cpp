// Calls through pointers, before everything is inlined: each becomes a choice between the functions that it
// can lead to, which are those of its type whose address is taken.
#include "frontend/passes/indirect_calls.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "lower/initializer.h"

namespace lanescope {
namespace {

llvm::Constant* address_of(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  auto* number =
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), function_address(function.getName()));
  return llvm::ConstantExpr::getIntToPtr(number, function.getType());
}

std::vector<llvm::Function*> functions_with_an_address(llvm::Module& module) {
  std::vector<llvm::Function*> out;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.hasAddressTaken() &&
        function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
      out.push_back(&function);
  return out;
}

std::vector<llvm::CallInst*> indirect_calls(llvm::Module& module) {
  std::vector<llvm::CallInst*> out;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            call != nullptr && call->isIndirectCall())
          out.push_back(call);
  return out;
}

/// The call itself stays behind, for pointers that lead to none of them.
void choose(llvm::CallInst& call, llvm::ArrayRef<llvm::Function*> candidates) {
  llvm::LLVMContext& context = call.getContext();
  llvm::BasicBlock* head = call.getParent();
  llvm::Function* function = head->getParent();
  llvm::BasicBlock* behind = head->splitBasicBlock(call.getNextNode(), "called");
  llvm::BasicBlock* other = head->splitBasicBlock(&call, "other");
  llvm::PHINode* result = nullptr;
  if (!call.getType()->isVoidTy()) {
    result = llvm::PHINode::Create(call.getType(), 2, "", behind->begin());
    call.replaceAllUsesWith(result);
    result->addIncoming(&call, other);
  }
  head->getTerminator()->eraseFromParent();
  llvm::BasicBlock* at = head;
  for (llvm::Function* candidate : candidates) {
    auto* taken = llvm::BasicBlock::Create(context, "", function, other);
    auto* next = candidate == candidates.back()
                     ? other
                     : llvm::BasicBlock::Create(context, "", function, other);
    llvm::IRBuilder<> test(at);
    test.SetCurrentDebugLocation(call.getDebugLoc());
    test.CreateCondBr(test.CreateICmpEQ(call.getCalledOperand(), address_of(*candidate)), taken,
                      next);
    auto* direct = llvm::cast<llvm::CallInst>(call.clone());
    direct->setCalledFunction(candidate);
    llvm::IRBuilder<> builder(taken);
    builder.Insert(direct);
    builder.CreateBr(behind);
    if (result != nullptr) result->addIncoming(direct, taken);
    at = next;
  }
}

}  // namespace

void resolve_indirect_calls(llvm::Module& module) {
  const std::vector<llvm::Function*> functions = functions_with_an_address(module);
  for (llvm::CallInst* call : indirect_calls(module)) {
    std::vector<llvm::Function*> candidates;
    for (llvm::Function* function : functions)
      if (function->getFunctionType() == call->getFunctionType()) candidates.push_back(function);
    if (!candidates.empty()) choose(*call, candidates);
  }
  for (llvm::Function* function : functions)
    function->replaceUsesWithIf(address_of(*function), [](llvm::Use& use) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      return call == nullptr || !call->isCallee(&use);
    });
}

}  // namespace lanescope
