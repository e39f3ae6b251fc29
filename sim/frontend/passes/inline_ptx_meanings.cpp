// What each form of PTX instruction becomes.
#include <algorithm>

#include <fmt/format.h>

#include "frontend/passes/ptx_expansion.h"
#include "lanescope/memory.h"

namespace lanescope {

using Kind = PtxOperand::Kind;

bool PtxExpansion::emit(const PtxInstruction& instruction, const PtxMeaning& meaning) {
  switch (meaning.form) {
  case PtxForm::function:
  case PtxForm::within:
    return emit_function(instruction, meaning);
  case PtxForm::move:
    return emit_move(instruction);
  case PtxForm::load:
    return emit_load(instruction);
  case PtxForm::store:
    return emit_store(instruction);
  case PtxForm::atomic:
    return emit_atomic(instruction);
  case PtxForm::comparison:
    return emit_comparison(instruction, meaning);
  case PtxForm::selection:
    return emit_selection(instruction);
  case PtxForm::branch:
    return emit_branch(instruction);
  case PtxForm::address:
    return emit_address(instruction);
  case PtxForm::product:
    return emit_product(instruction);
  case PtxForm::fragment:
    return emit_fragment(instruction, meaning);
  case PtxForm::bulk_copy:
    return emit_bulk_copy(instruction, meaning);
  case PtxForm::group_product:
    return emit_group_product(instruction);
  case PtxForm::zero:
    return !instruction.operands.empty() && write(instruction.operands[0], b_.getInt64(0));
  case PtxForm::nothing:
    return true;
  }
  return false;
}

/// May be computed where its guard does not hold, and its results left alone.
bool PtxExpansion::is_harmless(const PtxInstruction& instruction, const PtxMeaning& meaning) {
  switch (meaning.form) {
  case PtxForm::move:
    return std::none_of(instruction.operands.begin(), instruction.operands.end(),
                        [](const PtxOperand& each) { return each.name.starts_with("%"); });
  case PtxForm::comparison:
  case PtxForm::selection:
  case PtxForm::address:
  case PtxForm::zero:
    return true;
  case PtxForm::function: {
    const llvm::Function* function = functions_.meanings.getFunction(meaning.function);
    return function != nullptr && function->doesNotAccessMemory();
  }
  default:
    return false;
  }
}

llvm::Value* PtxExpansion::call_meaning(const std::string& name, llvm::ArrayRef<Value> arguments) {
  llvm::Function* function = functions_.find(name);
  if (function == nullptr || function->arg_size() != arguments.size()) return nullptr;
  llvm::SmallVector<Value, 8> fitted;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    fitted.push_back(fit(arguments[i], function->getArg(static_cast<unsigned>(i))->getType()));
  llvm::CallInst* call = b_.CreateCall(function, fitted);
  call->setAttributes(function->getAttributes());
  return call;
}

bool PtxExpansion::emit_function(const PtxInstruction& instruction, const PtxMeaning& meaning) {
  std::vector<PtxOperand> operands = instruction.operands;
  if (meaning.has_policy && !operands.empty()) operands.pop_back();
  llvm::Function* function =
      functions_.find(fmt::format("{}_of{}", meaning.function, operands.size()));
  if (function == nullptr) function = functions_.find(meaning.function);
  if (function == nullptr) return false;
  const bool has_result = !function->getReturnType()->isVoidTy();
  if (has_result && operands.empty()) return false;
  std::vector<PtxOperand> given;
  for (std::size_t i = has_result; i < operands.size(); ++i)
    for (PtxOperand& each : flattened(operands[i])) given.push_back(std::move(each));
  llvm::SmallVector<Value, 8> arguments;
  if (!read_arguments(instruction, meaning, *function, given, arguments)) return false;
  llvm::CallInst* result = b_.CreateCall(function, arguments);
  result->setAttributes(function->getAttributes());
  return !has_result || write_results(instruction, meaning, result);
}

llvm::AllocaInst* PtxExpansion::carry() {
  if (carry_ == nullptr) carry_ = slot(b_.getInt1Ty());
  return carry_;
}

bool PtxExpansion::read_arguments(const PtxInstruction& instruction, const PtxMeaning& meaning,
                                  llvm::Function& function, llvm::ArrayRef<PtxOperand> given,
                                  llvm::SmallVectorImpl<Value>& arguments) {
  const std::string& opcode = instruction.opcode[0];
  const bool takes_carry = opcode == "addc" || opcode == "subc" || opcode == "madc";
  if (given.size() > function.arg_size()) return false;
  std::size_t spaces = 0;
  for (llvm::Argument& argument : function.args()) {
    Type type = argument.getType();
    Value value = llvm::Constant::getNullValue(type);
    if (argument.getArgNo() >= given.size()) {
      if (takes_carry) value = b_.CreateLoad(type, carry());
    } else if (type->isPointerTy()) {
      const MemorySpace space =
          spaces < meaning.spaces.size() ? meaning.spaces[spaces++] : MemorySpace::generic;
      value = pointer(given[argument.getArgNo()], space);
      if (value != nullptr) value = b_.CreateAddrSpaceCast(value, type);
    } else {
      value = read(given[argument.getArgNo()], type);
    }
    if (value == nullptr) return false;
    if (meaning.flushes && type->isFloatTy()) value = call_meaning("ptx_flush_f32", value);
    arguments.push_back(value);
  }
  return true;
}

bool PtxExpansion::write_results(const PtxInstruction& instruction, const PtxMeaning& meaning,
                                 Value result) {
  const std::vector<std::string>& opcode = instruction.opcode;
  const std::vector<PtxOperand> to = flattened(instruction.operands[0]);
  const auto* several = llvm::dyn_cast<llvm::FixedVectorType>(result->getType());
  if (to.size() > (several != nullptr ? several->getNumElements() : 1)) return false;
  // A conversion's narrow result fills its register by its sign, which its function gives to 32 bits.
  const bool is_signed =
      opcode[0] == "cvt" && std::any_of(opcode.begin(), opcode.end() - 1, [](const auto& part) {
        return part == "s8" || part == "s16" || part == "s32";
      });
  for (unsigned i = 0; i < to.size(); ++i) {
    Value value = several != nullptr ? b_.CreateExtractElement(result, i) : result;
    if (meaning.flushes && value->getType()->isFloatTy())
      value = call_meaning("ptx_flush_f32", value);
    if (meaning.saturates)
      value = call_meaning(value->getType()->isDoubleTy() ? "ptx_saturate_f64" : "ptx_saturate_f32",
                           value);
    if (value == nullptr || !write(to[i], value, is_signed)) return false;
  }
  if (several == nullptr || std::find(opcode.begin(), opcode.end(), "cc") == opcode.end())
    return true;
  Type bit = b_.getInt1Ty();
  Value carried = fit(b_.CreateExtractElement(result, several->getNumElements() - 1), bit);
  if (condition_ != nullptr)
    carried = b_.CreateSelect(condition_, carried, b_.CreateLoad(bit, carry()));
  b_.CreateStore(carried, carry());
  return true;
}

/// mov, also between a register and its parts.
bool PtxExpansion::emit_move(const PtxInstruction& instruction) {
  if (instruction.operands.size() != 2) return false;
  const auto type = ptx_type(instruction.opcode.back());
  if (!type) return false;
  const PtxOperand &to = instruction.operands[0], &from = instruction.operands[1];
  if (from.kind == Kind::list && from.parts.size() > 1) {
    const auto count = static_cast<unsigned>(from.parts.size());
    if (type->bits % count != 0) return false;
    Value whole = llvm::ConstantInt::get(bits_type(type->bits), 0);
    for (unsigned i = 0; i < count; ++i) {
      Value part = read(from.parts[i], bits_type(type->bits / count));
      if (part == nullptr) return false;
      part = b_.CreateShl(b_.CreateZExt(part, whole->getType()), type->bits / count * i);
      whole = b_.CreateOr(whole, part);
    }
    return write(to, whole);
  }
  Value value = read(from, bits_type(type->bits));
  if (value == nullptr) return false;
  if (to.kind != Kind::list) return write(to, value);
  const auto count = static_cast<unsigned>(to.parts.size());
  for (unsigned i = 0; i < count; ++i) {
    Value part =
        b_.CreateTrunc(b_.CreateLShr(value, type->bits / count * i), bits_type(type->bits / count));
    if (!write(to.parts[i], part)) return false;
  }
  return true;
}

/// setp.CMP{.BOOL}.TYPE p{|q}, a, b{, c}; set.CMP{.BOOL}.DTYPE.TYPE d, a, b{, c}
bool PtxExpansion::emit_comparison(const PtxInstruction& instruction, const PtxMeaning& meaning) {
  const std::vector<PtxOperand>& operands = instruction.operands;
  const std::string& type = instruction.opcode.back();
  if (instruction.opcode.size() < 3 || operands.size() < 3 || operands.size() > 4) return false;
  llvm::Function* function = functions_.find("ptx_is_" + instruction.opcode[1] + "_" + type);
  if (function == nullptr) return false;
  llvm::SmallVector<Value, 2> compared;
  for (unsigned i = 0; i < 2; ++i) {
    Value value = read(operands[i + 1], function->getArg(i)->getType());
    if (value == nullptr) return false;
    if (meaning.flushes && type == "f32") value = call_meaning("ptx_flush_f32", value);
    compared.push_back(value);
  }
  Value holds = fit(b_.CreateCall(function, compared), b_.getInt1Ty()), fails = b_.CreateNot(holds);
  if (operands.size() == 4) {
    Value other = read(operands[3], b_.getInt1Ty());
    if (other == nullptr) return false;
    const std::string& how = instruction.opcode[2];
    const auto with = [&](Value value) {
      return how == "and"  ? b_.CreateAnd(value, other)
             : how == "or" ? b_.CreateOr(value, other)
                           : b_.CreateXor(value, other);
    };
    if (how != "and" && how != "or" && how != "xor") return false;
    holds = with(holds), fails = with(fails);
  }
  if (instruction.opcode[0] == "set") {
    const std::string& result = *(instruction.opcode.end() - 2);
    Value yes = result == "f32" ? b_.getInt32(0x3f800000) : b_.getInt32(~0u);
    return write(operands[0], b_.CreateSelect(holds, yes, b_.getInt32(0)));
  }
  if (operands[0].kind != Kind::pair) return write(operands[0], holds);
  return write(operands[0].parts[0], holds) && write(operands[0].parts[1], fails);
}

bool PtxExpansion::emit_selection(const PtxInstruction& instruction) {
  const auto type = ptx_type(instruction.opcode.back());
  if (!type || instruction.operands.size() != 4) return false;
  Value yes = read(instruction.operands[1], bits_type(type->bits)),
        no = read(instruction.operands[2], bits_type(type->bits)),
        which = read(instruction.operands[3], b_.getInt1Ty());
  if (yes == nullptr || no == nullptr || which == nullptr) return false;
  return write(instruction.operands[0], b_.CreateSelect(which, yes, no));
}

bool PtxExpansion::emit_branch(const PtxInstruction& instruction) {
  if (instruction.operands.size() != 1 || instruction.operands[0].kind != Kind::name ||
      after_ == nullptr)
    return false;
  b_.CreateBr(block_of(instruction.operands[0].name));
  return true;
}

/// Only the windows of shared and local memory have addresses of their own.
bool PtxExpansion::emit_address(const PtxInstruction& instruction) {
  const PtxMeaning meaning = meaning_of(instruction);
  if (instruction.operands.size() != 2 || meaning.spaces.size() != 1) return false;
  const bool leaves = instruction.opcode[1] == "to";
  const MemorySpace space = meaning.spaces[0];
  const std::uint64_t window = space == MemorySpace::shared  ? kSharedWindow
                               : space == MemorySpace::local ? kLocalWindow
                                                             : 0;
  Value address = read(instruction.operands[1], b_.getInt64Ty());
  if (address == nullptr) return false;
  address = leaves ? b_.CreateSub(address, b_.getInt64(window))
                   : b_.CreateAdd(address, b_.getInt64(window));
  return write(instruction.operands[0], address);
}

}  // namespace lanescope
