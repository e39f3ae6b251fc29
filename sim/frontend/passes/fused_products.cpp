#include "frontend/passes/fused_products.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace lanescope {
namespace {

/// NVPTX fuses no product of five uses.
constexpr unsigned kManyUses = 5;

/// LLVM's Reassociate orders the operands of a sum by these: arguments before what is read and computed,
/// which stand in the order in which they are.
class Ranks {
 public:
  explicit Ranks(llvm::Function& function) {
    std::uint64_t next = 2;
    for (const llvm::Argument& argument : function.args()) ranks_[&argument] = ++next;
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal(&function)) {
      std::uint64_t in_block = ++next << 16;
      for (llvm::Instruction& instruction : *block)
        ranks_[&instruction] = is_leaf(instruction) ? ++in_block : of_operands(instruction) + 1;
    }
  }

  std::uint64_t of(const llvm::Value& value) const { return ranks_.lookup(&value); }

 private:
  static bool is_leaf(const llvm::Instruction& instruction) {
    return llvm::isa<llvm::PHINode>(instruction) || llvm::isa<llvm::AllocaInst>(instruction) ||
           llvm::isa<llvm::CallBase>(instruction) || instruction.mayReadOrWriteMemory() ||
           instruction.isTerminator();
  }

  std::uint64_t of_operands(const llvm::Instruction& instruction) const {
    std::uint64_t most = 0;
    for (const llvm::Use& operand : instruction.operands()) most = std::max(most, of(*operand));
    return most;
  }

  llvm::DenseMap<const llvm::Value*, std::uint64_t> ranks_;
};

bool may_contract(const llvm::Instruction& instruction) {
  return (instruction.getOpcode() == llvm::Instruction::FAdd ||
          instruction.getOpcode() == llvm::Instruction::FSub) &&
         instruction.hasAllowContract();
}

bool is_negation(const llvm::Value& value) {
  const auto* operation = llvm::dyn_cast<llvm::UnaryOperator>(&value);
  return operation != nullptr && operation->getOpcode() == llvm::Instruction::FNeg;
}

/// A product that is wanted for something else than sums is computed anyway, and one of many sums would
/// keep its factors for long: such are left as they are.
bool is_for_sums(const llvm::Value& product) {
  return !product.hasNUsesOrMore(kManyUses) &&
         llvm::all_of(product.users(), [](const llvm::User* user) {
           if (is_negation(*user) && user->hasOneUse()) user = *user->user_begin();
           const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(user);
           return sum != nullptr && may_contract(*sum);
         });
}

/// ±x × y, or nothing where an operand is no product that goes into sums.
struct Product {
  llvm::BinaryOperator* multiply = nullptr;
  bool negative = false;

  explicit operator bool() const { return multiply != nullptr; }
};

Product product_of(llvm::Value& value) {
  const bool negative = is_negation(value) && value.hasOneUse();
  llvm::Value* at = negative ? llvm::cast<llvm::UnaryOperator>(value).getOperand(0) : &value;
  auto* multiply = llvm::dyn_cast<llvm::BinaryOperator>(at);
  if (multiply == nullptr || multiply->getOpcode() != llvm::Instruction::FMul ||
      !multiply->hasAllowContract() || !is_for_sums(*multiply))
    return {};
  return {multiply, negative};
}

void fuse(llvm::Instruction& sum, const Ranks& ranks) {
  const bool is_difference = sum.getOpcode() == llvm::Instruction::FSub;
  llvm::Value* left = sum.getOperand(0);
  llvm::Value* right = sum.getOperand(1);
  if (!is_difference && ranks.of(*right) < ranks.of(*left)) std::swap(left, right);
  Product product = product_of(*left);
  const bool is_right = !product;
  if (is_right) product = product_of(*right);
  if (!product) return;
  llvm::IRBuilder<> builder(&sum);
  llvm::Value* x = product.multiply->getOperand(0);
  llvm::Value* rest = is_right ? left : right;
  if (product.negative != (is_right && is_difference)) x = builder.CreateFNeg(x);
  if (is_difference && !is_right) rest = builder.CreateFNeg(rest);
  llvm::Value* fused = builder.CreateIntrinsic(llvm::Intrinsic::fma, {sum.getType()},
                                               {x, product.multiply->getOperand(1), rest});
  fused->takeName(&sum);
  sum.replaceAllUsesWith(fused);
  llvm::RecursivelyDeleteTriviallyDeadInstructions(&sum);
}

}  // namespace

void fuse_products(llvm::Function& function) {
  const Ranks ranks(function);
  std::vector<llvm::Instruction*> sums;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (may_contract(instruction)) sums.push_back(&instruction);
  for (llvm::Instruction* sum : sums) fuse(*sum, ranks);
}

}  // namespace lanescope
