#include "frontend/passes/inline_ptx.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include "frontend/headers/precompiled.h"
#include "frontend/passes/ptx_expansion.h"

namespace lanescope {
namespace {

std::vector<llvm::CallInst*> asm_statements(llvm::Module& module) {
  std::vector<llvm::CallInst*> out;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call != nullptr && call->isInlineAsm())
        out.push_back(call);
  return out;
}

std::unique_ptr<llvm::Module> read_meanings(llvm::LLVMContext& context) {
  const std::string_view code = ptx_meanings();
  auto module = llvm::getLazyBitcodeModule({{code.data(), code.size()}, "ptx"}, context);
  if (module) return std::move(*module);
  llvm::consumeError(module.takeError());
  return nullptr;
}

/// Instructions lead elsewhere, or some are skipped.
bool has_flow(const PtxText& text) {
  for (const PtxInstruction& instruction : text.instructions)
    if (!instruction.labels.empty() || instruction.guard) return true;
  return false;
}

}  // namespace

llvm::Function* PtxFunctions::find(const std::string& name) {
  const llvm::Function* known = meanings.getFunction(name);
  if (known == nullptr) return nullptr;
  any_called = true;
  auto* function = llvm::cast<llvm::Function>(
      module.getOrInsertFunction(name, known->getFunctionType()).getCallee());
  function->setAttributes(known->getAttributes());
  return function;
}

PtxExpansion::PtxExpansion(llvm::CallInst& call, PtxFunctions& functions)
    : call_(call), functions_(functions), b_(&call),
      statement_(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString()) {}

llvm::AllocaInst* PtxExpansion::slot(Type type) {
  llvm::BasicBlock& entry = call_.getFunction()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  return at_entry.CreateAlloca(type);
}

/// Outputs are the call's results, and come first; inputs are its arguments.
void PtxExpansion::map_operands() {
  const auto* statement = llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
  unsigned argument = 0;
  unsigned result = 0;
  for (const auto& info : statement->ParseConstraints()) {
    if (info.Type == llvm::InlineAsm::isOutput && !info.isIndirect) {
      Type type = call_.getType();
      if (auto* record = llvm::dyn_cast<llvm::StructType>(type))
        type = record->getElementType(result);
      ++result;
      outputs_.push_back(slot(bits_type(type->getPrimitiveSizeInBits())));
      inputs_.push_back(nullptr);
      continue;
    }
    if (info.Type != llvm::InlineAsm::isInput && info.Type != llvm::InlineAsm::isOutput) continue;
    Value given = call_.getArgOperand(argument++);
    inputs_.push_back(given);
    outputs_.push_back(nullptr);
    // An operand that is both comes once more, as an input that names its output.
    unsigned tied = 0;
    if (!info.Codes.empty() && !llvm::StringRef(info.Codes[0]).getAsInteger(10, tied) &&
        tied < outputs_.size() && outputs_[tied] != nullptr)
      b_.CreateStore(fit(as_bits(given), outputs_[tied]->getAllocatedType()), outputs_[tied]);
  }
}

void PtxExpansion::make_slots(const PtxText& text) {
  for (const PtxRegister& each : text.registers)
    if (const auto type = ptx_type(each.type)) registers_[each.name] = slot(bits_type(type->bits));
}

llvm::BasicBlock* PtxExpansion::block_of(const std::string& label) {
  llvm::BasicBlock*& block = blocks_[label];
  if (block == nullptr)
    block = llvm::BasicBlock::Create(b_.getContext(), "ptx", call_.getFunction(), after_);
  return block;
}

void PtxExpansion::run() {
  const PtxText text = read_ptx(statement_);
  map_operands();
  make_slots(text);
  if (has_flow(text)) {
    llvm::BasicBlock* before = call_.getParent();
    after_ = before->splitBasicBlock(&call_, "after.ptx");
    before->getTerminator()->eraseFromParent();
    b_.SetInsertPoint(before);
    b_.SetCurrentDebugLocation(call_.getDebugLoc());
  }
  for (const PtxInstruction& instruction : text.instructions) {
    for (const std::string& label : instruction.labels) {
      if (b_.GetInsertBlock()->getTerminator() == nullptr) b_.CreateBr(block_of(label));
      b_.SetInsertPoint(block_of(label));
    }
    if (!instruction.opcode.empty()) expand_guarded(instruction);
  }
  if (text.error) refuse(text.error->text);
  finish();
}

void PtxExpansion::expand_guarded(const PtxInstruction& instruction) {
  if (after_ != nullptr && b_.GetInsertBlock()->getTerminator() != nullptr)
    b_.SetInsertPoint(block_of(fmt::format("behind {}", blocks_.size())));  // nobody comes there
  condition_ = nullptr;
  if (!instruction.guard) return expand(instruction);
  Value holds = read(*instruction.guard, b_.getInt1Ty());
  if (holds == nullptr) return refuse(instruction.text);
  const PtxMeaning meaning = meaning_of(instruction);
  if (is_harmless(instruction, meaning)) {
    condition_ = holds;
    return expand(instruction);
  }
  auto* then = block_of(fmt::format("then {}", blocks_.size()));
  auto* join = block_of(fmt::format("join {}", blocks_.size()));
  b_.CreateCondBr(holds, then, join);
  b_.SetInsertPoint(then);
  expand(instruction);
  if (b_.GetInsertBlock()->getTerminator() == nullptr) b_.CreateBr(join);
  b_.SetInsertPoint(join);
}

void PtxExpansion::expand(const PtxInstruction& instruction) {
  if (!emit(instruction, meaning_of(instruction))) refuse(instruction.text);
}

/// Told when it is executed; what it would have written is not defined.
void PtxExpansion::refuse(const std::string& text) {
  llvm::FunctionCallee callee =
      functions_.module.getOrInsertFunction("lanescope_inline_ptx", b_.getVoidTy(), b_.getPtrTy());
  if (auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee()))
    function->setConvergent();
  b_.CreateCall(callee, b_.CreateGlobalString(text, "ptx"));
}

void PtxExpansion::finish() {
  if (after_ != nullptr) {
    if (b_.GetInsertBlock()->getTerminator() == nullptr) b_.CreateBr(after_);
    for (auto& [label, block] : blocks_)  // a label that is nowhere
      if (block->empty()) {
        b_.SetInsertPoint(block);
        refuse(label);
        b_.CreateBr(after_);
      }
    b_.SetInsertPoint(&call_);
  }
  if (!call_.getType()->isVoidTy()) {
    auto* record = llvm::dyn_cast<llvm::StructType>(call_.getType());
    Value result = record != nullptr ? llvm::PoisonValue::get(record) : nullptr;
    unsigned index = 0;
    for (llvm::AllocaInst* output : outputs_) {
      if (output == nullptr) continue;
      Type type = record != nullptr ? record->getElementType(index) : call_.getType();
      Value value = fit(b_.CreateLoad(output->getAllocatedType(), output), type);
      result = record != nullptr ? b_.CreateInsertValue(result, value, index++) : value;
    }
    call_.replaceAllUsesWith(result);
  }
  call_.eraseFromParent();
}

void expand_inline_ptx(llvm::Module& module) {
  const std::vector<llvm::CallInst*> statements = asm_statements(module);
  if (statements.empty()) return;
  std::unique_ptr<llvm::Module> meanings = read_meanings(module.getContext());
  if (!meanings) return;
  PtxFunctions functions{module, *meanings};
  for (llvm::CallInst* statement : statements) PtxExpansion(*statement, functions).run();
  if (functions.any_called)
    llvm::Linker::linkModules(module, std::move(meanings), llvm::Linker::LinkOnlyNeeded);
}

}  // namespace lanescope
