// Operands of PTX instructions: registers, immediates, addresses.
#include <bit>

#include "frontend/passes/ptx_expansion.h"
#include "lanescope/memory.h"

namespace lanescope {
namespace {

/// NVPTX's numbers.
unsigned address_space(MemorySpace space) {
  switch (space) {
  case MemorySpace::global:
    return 1;
  case MemorySpace::shared:
    return 3;
  case MemorySpace::constant:
    return 4;
  case MemorySpace::local:
    return 5;
  case MemorySpace::generic:
  case MemorySpace::texture:
    break;
  }
  return 0;
}

}  // namespace

llvm::Value* PtxExpansion::as_bits(Value value) {
  Type type = value->getType();
  if (type->isIntegerTy()) return value;
  if (type->isPointerTy()) return b_.CreatePtrToInt(value, b_.getInt64Ty());
  return b_.CreateBitCast(value, bits_type(type->getPrimitiveSizeInBits()));
}

/// Bits, cut or filled up, as a value of that type.
llvm::Value* PtxExpansion::fit(Value value, Type wanted, bool is_signed) {
  value = as_bits(value);
  if (wanted->isPointerTy())
    return b_.CreateIntToPtr(b_.CreateZExtOrTrunc(value, b_.getInt64Ty()), wanted);
  Type bits = bits_type(wanted->getPrimitiveSizeInBits());
  value = is_signed ? b_.CreateSExtOrTrunc(value, bits) : b_.CreateZExtOrTrunc(value, bits);
  return wanted->isIntegerTy() ? value : b_.CreateBitCast(value, wanted);
}

llvm::Type* PtxExpansion::value_type(PtxType type) {
  if (type.kind == 'f' && type.bits == 32) return b_.getFloatTy();
  if (type.kind == 'f' && type.bits == 64) return b_.getDoubleTy();
  return bits_type(type.bits);
}

llvm::AllocaInst* PtxExpansion::slot_of(const PtxOperand& operand) {
  if (operand.kind == PtxOperand::Kind::given)
    return operand.number < outputs_.size() ? outputs_[operand.number] : nullptr;
  if (operand.kind != PtxOperand::Kind::name) return nullptr;
  const auto found = registers_.find(operand.name);
  return found == registers_.end() ? nullptr : found->second;
}

llvm::Value* PtxExpansion::read(const PtxOperand& operand, Type wanted) {
  Value value = nullptr;
  switch (operand.kind) {
  case PtxOperand::Kind::integer:
    value = b_.getInt64(operand.bits);
    break;
  case PtxOperand::Kind::single:
    value = b_.getInt32(static_cast<std::uint32_t>(operand.bits));
    break;
  case PtxOperand::Kind::real: {
    const auto number = std::bit_cast<double>(operand.bits);
    const bool narrow = wanted->isFloatTy() || wanted->isIntegerTy(32);
    value = narrow ? llvm::ConstantFP::get(b_.getFloatTy(), number)
                   : llvm::ConstantFP::get(b_.getDoubleTy(), number);
    break;
  }
  case PtxOperand::Kind::given:
  case PtxOperand::Kind::name:
    if (llvm::AllocaInst* variable = slot_of(operand)) {
      value = b_.CreateLoad(variable->getAllocatedType(), variable);
    } else if (operand.kind == PtxOperand::Kind::given) {
      value = operand.number < inputs_.size() ? inputs_[operand.number] : nullptr;
    } else if (operand.name == "WARP_SZ") {
      value = b_.getInt32(32);
    } else if (operand.name.starts_with("%")) {
      std::string name = operand.name.substr(1);
      for (char& c : name) c = c == '.' ? '_' : c;
      value = call_meaning("ptx_sreg_" + name, {});
    }
    break;
  case PtxOperand::Kind::address:
  case PtxOperand::Kind::list:
  case PtxOperand::Kind::pair:
  case PtxOperand::Kind::sink:
    break;
  }
  if (value == nullptr) return nullptr;
  value = fit(value, wanted);
  return operand.negated ? b_.CreateNot(value) : value;
}

/// Addresses of shared memory are offsets in the block's window (PTX ISA, "cvta").
llvm::Value* PtxExpansion::pointer(const PtxOperand& address, MemorySpace space) {
  const PtxOperand& base = address.kind == PtxOperand::Kind::address ? address.parts[0] : address;
  Value at = read(base, b_.getInt64Ty());
  if (at == nullptr) return nullptr;
  std::uint64_t plus = static_cast<std::uint64_t>(address.offset);
  if (space == MemorySpace::shared) plus += kSharedWindow;
  if (space == MemorySpace::local) plus += kLocalWindow;
  if (plus != 0) at = b_.CreateAdd(at, b_.getInt64(plus));
  return b_.CreateIntToPtr(at, b_.getPtrTy(address_space(space)));
}

bool PtxExpansion::write(const PtxOperand& operand, Value value, bool is_signed) {
  if (operand.kind == PtxOperand::Kind::sink) return true;
  llvm::AllocaInst* variable = slot_of(operand);
  if (variable == nullptr) return false;
  Type type = variable->getAllocatedType();
  value = fit(value, type, is_signed);
  if (condition_ != nullptr)
    value = b_.CreateSelect(condition_, value, b_.CreateLoad(type, variable));
  b_.CreateStore(value, variable);
  return true;
}

}  // namespace lanescope
