#include "frontend/passes/overflow_checks.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace lanescope {
namespace {

/// A product that did not overflow gives its factor back. Divided is by what is neither 0 nor, signed, -1.
llvm::Value* product_overflowed(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b,
                                llvm::Value* product, bool is_signed) {
  llvm::Type* type = a->getType();
  llvm::Value* const one = llvm::ConstantInt::get(type, 1);
  llvm::Value* const is_zero = builder.CreateICmpEQ(b, llvm::ConstantInt::get(type, 0));
  llvm::Value* divisor = builder.CreateSelect(is_zero, one, b);
  if (!is_signed)
    return builder.CreateAnd(builder.CreateNot(is_zero),
                             builder.CreateICmpNE(builder.CreateUDiv(product, divisor), a));
  llvm::Value* const negates = builder.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(type));
  divisor = builder.CreateSelect(negates, one, divisor);
  llvm::Value* const lowest =
      llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth()));
  return builder.CreateSelect(
      negates, builder.CreateICmpEQ(a, lowest),
      builder.CreateAnd(builder.CreateNot(is_zero),
                        builder.CreateICmpNE(builder.CreateSDiv(product, divisor), a)));
}

llvm::Value* overflowed(llvm::IRBuilder<>& builder, const llvm::WithOverflowInst& check,
                        llvm::Value* result) {
  llvm::Value *a = check.getLHS(), *b = check.getRHS();
  const auto is_negative = [&](llvm::Value* x, llvm::Value* y) {
    return builder.CreateICmpSLT(builder.CreateAnd(x, y),
                                 llvm::ConstantInt::get(result->getType(), 0));
  };
  const bool is_signed = check.isSigned();
  switch (check.getBinaryOp()) {
  case llvm::Instruction::Add:
    if (!is_signed) return builder.CreateICmpULT(result, a);
    return is_negative(builder.CreateXor(a, result), builder.CreateXor(b, result));
  case llvm::Instruction::Sub:
    if (!is_signed) return builder.CreateICmpULT(a, b);
    return is_negative(builder.CreateXor(a, b), builder.CreateXor(a, result));
  default:
    return product_overflowed(builder, a, b, result, is_signed);
  }
}

}  // namespace

void expand_overflow_checks(llvm::Function& function) {
  std::vector<llvm::WithOverflowInst*> checks;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* check = llvm::dyn_cast<llvm::WithOverflowInst>(&instruction)) checks.push_back(check);
  for (llvm::WithOverflowInst* check : checks) {
    llvm::IRBuilder<> builder(check);
    llvm::Value* const result =
        builder.CreateBinOp(check->getBinaryOp(), check->getLHS(), check->getRHS());
    llvm::Value* const parts[] = {result, overflowed(builder, *check, result)};
    for (llvm::User* user : llvm::make_early_inc_range(check->users()))
      if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(user)) {
        part->replaceAllUsesWith(parts[part->getIndices().front()]);
        part->eraseFromParent();
      }
    if (!check->use_empty()) {
      llvm::Value* both = llvm::PoisonValue::get(check->getType());
      for (unsigned i = 0; i < 2; ++i) both = builder.CreateInsertValue(both, parts[i], i);
      check->replaceAllUsesWith(both);
    }
    check->eraseFromParent();
  }
}

}  // namespace lanescope
