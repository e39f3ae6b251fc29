// Rows and predicates of values; constants are rows too, filled once per run.
#include <llvm/IR/Constants.h>

#include "lower/lower_function.h"
#include "model/simulator_messages.h"

namespace lanescope {

bool LowerFunction::kinds_of(const llvm::Type* type, llvm::SmallVectorImpl<Part::Kind>& kinds) {
  if (const auto* integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
    const unsigned width = integer->getBitWidth();
    if (width > 32 && width != 64) return false;
    kinds.push_back(width == 1    ? Part::Kind::predicate
                    : width == 64 ? Part::Kind::row64
                                  : Part::Kind::row32);
    return true;
  }
  if (type->isHalfTy() || type->isFloatTy()) return kinds.push_back(Part::Kind::row32), true;
  if (type->isDoubleTy() || type->isPointerTy()) return kinds.push_back(Part::Kind::row64), true;
  const auto repeat = [&kinds](const llvm::Type* element, std::uint64_t count) {
    if (count > 64) return false;
    for (std::uint64_t i = 0; i < count; ++i)
      if (!kinds_of(element, kinds)) return false;
    return true;
  };
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return repeat(vector->getElementType(), vector->getNumElements());
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return repeat(array->getElementType(), array->getNumElements());
  if (const auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    for (const llvm::Type* element : record->elements())
      if (!kinds_of(element, kinds)) return false;
    return true;
  }
  return false;
}

Part LowerFunction::fresh(Part::Kind kind) {
  Part part{kind, kind == Part::Kind::predicate ? code_.predicates : code_.rows};
  if (kind == Part::Kind::predicate)
    code_.predicates += 1;
  else
    code_.rows += kind == Part::Kind::row64 ? 2 : 1;
  return last_fresh_ = part;
}

Parts LowerFunction::define(const llvm::Value& value) {
  if (const auto it = slots_.find(&value); it != slots_.end()) return it->second;
  llvm::SmallVector<Part::Kind, 4> kinds;
  Parts out;
  if (kinds_of(value.getType(), kinds))
    for (const Part::Kind kind : kinds) out.push_back(fresh(kind));
  slots_[&value] = out;
  return out;
}

Part LowerFunction::constant(Part::Kind kind, std::uint64_t bits) {
  const auto [it, added] = constants_.try_emplace({static_cast<int>(kind), bits});
  if (added) {
    it->second = fresh(kind);
    if (kind == Part::Kind::predicate)
      code_.constant_predicates.emplace_back(it->second.index, bits != 0 ? kAllLanes : 0);
    else
      code_.constants.push_back({it->second.index, kind == Part::Kind::row64, bits});
  }
  return it->second;
}

/// The bits of a constant that may be computed from the addresses of variables.
std::optional<std::uint64_t> LowerFunction::constant_bits(const llvm::Constant& value) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return number->getBitWidth() <= 64 ? std::optional(number->getZExtValue()) : std::nullopt;
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&value);
  const auto operand = [&](unsigned i) {
    return constant_bits(*llvm::cast<llvm::Constant>(expression->getOperand(i)));
  };
  const unsigned opcode = expression != nullptr ? expression->getOpcode() : 0;
  if (value.getType()->isPointerTy() && opcode != llvm::Instruction::IntToPtr) {
    const Address& address = address_of(&value);
    if (address.base != nullptr || !address.terms.empty()) return std::nullopt;
    return static_cast<std::uint64_t>(address.constant);
  }
  if (expression == nullptr) return std::nullopt;
  std::optional<std::uint64_t> bits = operand(0);
  if (!bits) return bits;
  if (expression->getNumOperands() == 2) {
    const std::optional<std::uint64_t> other = operand(1);
    if (!other) return other;
    if (opcode == llvm::Instruction::Add)
      *bits += *other;
    else if (opcode == llvm::Instruction::Sub)
      *bits -= *other;
    else if (opcode == llvm::Instruction::Xor)
      *bits ^= *other;
    else
      return std::nullopt;
  } else if (opcode != llvm::Instruction::PtrToInt && opcode != llvm::Instruction::IntToPtr &&
             opcode != llvm::Instruction::Trunc) {
    return std::nullopt;
  }
  if (value.getType()->isIntegerTy() && value.getType()->getIntegerBitWidth() < 64)
    *bits &= (std::uint64_t{1} << value.getType()->getIntegerBitWidth()) - 1;
  return bits;
}

Parts LowerFunction::constant_parts(const llvm::Constant& value) {
  llvm::SmallVector<Part::Kind, 4> kinds;
  Parts out;
  if (!kinds_of(value.getType(), kinds)) return out;
  if (llvm::isa<llvm::UndefValue>(value) || value.isNullValue()) {
    for (const Part::Kind kind : kinds) out.push_back(constant(kind, 0));
  } else if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    out.push_back(constant(kinds[0], number->getZExtValue()));
  } else if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&value)) {
    out.push_back(constant(kinds[0], real->getValueAPF().bitcastToAPInt().getZExtValue()));
  } else if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&value)) {
    for (unsigned i = 0; i < data->getNumElements(); ++i)
      out.append(constant_parts(*data->getElementAsConstant(i)));
  } else if (llvm::isa<llvm::ConstantAggregate>(value)) {
    for (const llvm::Use& operand : value.operands())
      out.append(constant_parts(*llvm::cast<llvm::Constant>(operand.get())));
  } else if (kinds.size() == 1) {
    if (const auto bits = constant_bits(value)) out.push_back(constant(kinds[0], *bits));
  }
  if (out.size() != kinds.size()) {
    out.clear();
    for (const Part::Kind kind : kinds) out.push_back(constant(kind, 0));
    tables_.trap(say::constant_expression);
  }
  return out;
}

Parts LowerFunction::parts(const llvm::Value& value) {
  if (const auto* known = llvm::dyn_cast<llvm::Constant>(&value)) return constant_parts(*known);
  return define(value);
}

Part LowerFunction::special(Special what) {
  for (const SpecialRow& row : code_.specials)
    if (row.what == what) return {Part::Kind::row32, row.row};
  const Part part = fresh(Part::Kind::row32);
  code_.specials.push_back({what, part.index});
  return part;
}

}  // namespace lanescope
