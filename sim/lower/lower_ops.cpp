// Arithmetic, casts, comparisons, selections and vectors, one scalar part at a time.
#include <llvm/IR/Constants.h>

#include <algorithm>

#include "lower/lower_function.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

using Kind = Part::Kind;

unsigned int_width(const llvm::Type& type) {
  return type.isPointerTy() ? 64 : type.getScalarType()->getIntegerBitWidth();
}
const llvm::Type& scalar(const llvm::Type& type) { return *type.getScalarType(); }
Code pick(bool wide, Code narrow_code, Code wide_code) { return wide ? wide_code : narrow_code; }

}  // namespace

void LowerFunction::emit(Code code, Part dst, Part a, Part b, Part c) {
  code_.ops.push_back({code, 0, dst.index, a.index, b.index, c.index, info_});
}
// Values that live across a barrier have their rows already: the result must land there.
void LowerFunction::set(const llvm::Instruction& instruction, Parts values) {
  const auto it = slots_.find(&instruction);
  if (it == slots_.end()) {
    slots_[&instruction] = std::move(values);
    return;
  }
  const Parts kept = it->second;
  for (std::size_t i = 0; i < values.size() && i < kept.size(); ++i) {
    const Part from = values[i], to = kept[i];
    const bool is_last = values.size() == 1 && from.kind == last_fresh_.kind &&
                         from.index == last_fresh_.index && !code_.ops.empty() &&
                         code_.ops.back().dst == from.index;
    if (is_last)
      code_.ops.back().dst = to.index;
    else
      emit(to.kind == Kind::row64   ? Code::copy64
           : to.kind == Kind::row32 ? Code::copy32
                                    : Code::p_copy,
           to, from);
  }
}

Part LowerFunction::make(Code code, Part a, Part b, Part c) {
  const Part out = fresh(operation_info(code).dst);
  emit(code, out, a, b, c);
  return out;
}
Part LowerFunction::invert(Part a) { return make(Code::p_not, a); }
Part LowerFunction::sign_extend(Part a, unsigned width) {
  if (width >= 32) return a;
  if (width == 8) return make(Code::sext8, a);
  if (width == 16) return make(Code::sext16, a);
  const Part shift = constant(Kind::row32, 32 - width);
  return make(Code::ashr32, make(Code::shl32, a, shift), shift);
}
Part LowerFunction::mask_to(Part a, unsigned width) {
  return width >= 32 ? a : make(Code::and32, a, constant(Kind::row32, (1ull << width) - 1));
}

void LowerFunction::unsupported(const llvm::Instruction& instruction, const Message& what) {
  define(instruction);
  info_ =
      tables_.op_info(&instruction, StepKind::compute, tables_.position(instruction.getDebugLoc()));
  code_.ops.push_back({Code::trap, 0, kNone, tables_.trap(what), kNone, kNone, info_});
}

void LowerFunction::emit_instruction(llvm::Instruction& instruction) {
  llvm::SmallVector<Part::Kind, 4> kinds;
  if (!instruction.getType()->isVoidTy() && !kinds_of(instruction.getType(), kinds))
    return unsupported(instruction, say::wide_value);
  if (auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return emit_binary(*op);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return emit_cast(*cast);
  if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) return emit_compare(*compare);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return emit_select(*select);
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return emit_call(*call);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return emit_load(*load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return emit_store(*store);
  if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return emit_atomic(*atomic);
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return emit_compare_exchange(*exchange);
  if (llvm::isa<llvm::GetElementPtrInst>(instruction) || llvm::isa<llvm::AllocaInst>(instruction))
    return emit_lea(instruction);
  if (llvm::isa<llvm::FenceInst>(instruction)) return mark(Mark::Kind::fence_device);
  if (llvm::isa<llvm::FreezeInst>(instruction))
    return alias(instruction, *instruction.getOperand(0));
  if (instruction.getOpcode() == llvm::Instruction::FNeg) {
    Parts out;
    const bool is_half = scalar(*instruction.getType()).isHalfTy();
    for (const Part part : parts(*instruction.getOperand(0)))
      out.push_back(is_half
                        ? make(Code::xor32, part, constant(Kind::row32, 0x8000))
                        : make(pick(part.kind == Kind::row64, Code::fnegf32, Code::fnegf64), part));
    return set(instruction, out);
  }
  emit_vector(instruction);
}

// ---- arithmetic ----

void LowerFunction::emit_binary(llvm::BinaryOperator& op) {
  const Parts a = parts(*op.getOperand(0)), b = parts(*op.getOperand(1));
  Parts out;
  for (std::size_t i = 0; i < a.size(); ++i)
    out.push_back(binary(op.getOpcode(), scalar(*op.getType()), a[i], b[i]));
  code_.ops.back().aux |= watched_for(op);
  set(op, out);
}

Part LowerFunction::binary(llvm::Instruction::BinaryOps opcode, const llvm::Type& type, Part a,
                           Part b) {
  return type.isFloatingPointTy() ? float_binary(opcode, type, a, b)
                                  : integer_binary(opcode, int_width(type), a, b);
}

Part LowerFunction::float_binary(llvm::Instruction::BinaryOps opcode, const llvm::Type& type,
                                 Part a, Part b) {
  const bool is_half = type.isHalfTy(), wide = type.isDoubleTy();
  if (is_half) a = widen_half(a), b = widen_half(b);
  Code code = Code::faddf32;
  switch (opcode) {
  case llvm::Instruction::FAdd:
    code = pick(wide, Code::faddf32, Code::faddf64);
    break;
  case llvm::Instruction::FSub:
    code = pick(wide, Code::fsubf32, Code::fsubf64);
    break;
  case llvm::Instruction::FMul:
    code = pick(wide, Code::fmulf32, Code::fmulf64);
    break;
  case llvm::Instruction::FDiv:
    code = pick(wide, Code::fdivf32, Code::fdivf64);
    break;
  default:
    code = pick(wide, Code::fmod_f32, Code::fmod_f64);
    break;
  }
  const Part out = make(code, a, b);
  return is_half ? make(Code::f32_f16, out) : out;
}

Part LowerFunction::integer_binary(llvm::Instruction::BinaryOps opcode, unsigned width, Part a,
                                   Part b) {
  using I = llvm::Instruction;
  if (width == 1) {
    const Code code = opcode == I::And || opcode == I::Mul ? Code::p_and
                      : opcode == I::Or                    ? Code::p_or
                                                           : Code::p_xor;
    return make(code, a, b);
  }
  const bool wide = width == 64,
             is_signed = opcode == I::AShr || opcode == I::SDiv || opcode == I::SRem;
  if (is_signed) a = sign_extend(a, width), b = opcode == I::AShr ? b : sign_extend(b, width);
  Code code = Code::add32;
  switch (opcode) {
  case I::Add:
    code = pick(wide, Code::add32, Code::add64);
    break;
  case I::Sub:
    code = pick(wide, Code::sub32, Code::sub64);
    break;
  case I::Mul:
    code = pick(wide, Code::mul32, Code::mul64);
    break;
  case I::And:
    code = pick(wide, Code::and32, Code::and64);
    break;
  case I::Or:
    code = pick(wide, Code::or32, Code::or64);
    break;
  case I::Xor:
    code = pick(wide, Code::xor32, Code::xor64);
    break;
  case I::Shl:
    code = pick(wide, Code::shl32, Code::shl64);
    break;
  case I::LShr:
    code = pick(wide, Code::lshr32, Code::lshr64);
    break;
  case I::AShr:
    code = pick(wide, Code::ashr32, Code::ashr64);
    break;
  case I::UDiv:
    code = pick(wide, Code::udiv32, Code::udiv64);
    break;
  case I::SDiv:
    code = pick(wide, Code::sdiv32, Code::sdiv64);
    break;
  case I::URem:
    code = pick(wide, Code::urem32, Code::urem64);
    break;
  default:
    code = pick(wide, Code::srem32, Code::srem64);
    break;
  }
  return mask_to(make(code, a, b), width);
}

// ---- casts ----

void LowerFunction::emit_cast(llvm::CastInst& cast) {
  using I = llvm::Instruction;
  switch (cast.getOpcode()) {
  case I::BitCast:
    return emit_bitcast(cast);
  case I::AddrSpaceCast:
    return emit_lea(cast);
  case I::PtrToInt:
  case I::IntToPtr:
    if (cast.getType()->getPrimitiveSizeInBits() == 32)
      return set(cast, {make(Code::trunc32, part(*cast.getOperand(0)))});
    if (cast.getOperand(0)->getType()->isIntegerTy(32))
      return set(cast, {make(Code::zext64, part(*cast.getOperand(0)))});
    return alias(cast, *cast.getOperand(0));
  default:
    break;
  }
  Parts out;
  for (const Part part : parts(*cast.getOperand(0)))
    out.push_back(
        cast_part(cast.getOpcode(), scalar(*cast.getSrcTy()), scalar(*cast.getDestTy()), part));
  set(cast, out);
}

Part LowerFunction::integer_to_integer(llvm::Instruction::CastOps opcode, unsigned from,
                                       unsigned to, Part a) {
  using I = llvm::Instruction;
  if (opcode == I::Trunc) {
    if (from == 64) a = make(Code::trunc32, a);
    return to == 1 ? make(Code::p_test32, a) : mask_to(a, to);
  }
  if (from == 1) {
    Part narrow = make(Code::p_zext32, a);
    if (opcode == I::SExt)
      narrow = mask_to(make(Code::sub32, constant(Kind::row32, 0), narrow), to);
    return to != 64 ? narrow : make(opcode == I::SExt ? Code::sext64 : Code::zext64, narrow);
  }
  if (opcode == I::ZExt) return to == 64 ? make(Code::zext64, a) : a;
  a = sign_extend(a, from);
  return to == 64 ? make(Code::sext64, a) : mask_to(a, to);
}

Part LowerFunction::cast_part(llvm::Instruction::CastOps opcode, const llvm::Type& from,
                              const llvm::Type& to, Part a) {
  using I = llvm::Instruction;
  switch (opcode) {
  case I::Trunc:
  case I::ZExt:
  case I::SExt:
    return integer_to_integer(opcode, int_width(from), int_width(to), a);
  case I::FPExt:
    if (from.isHalfTy()) a = widen_half(a);
    return to.isDoubleTy() ? make(Code::f32_f64, a) : a;
  case I::FPTrunc:
    if (from.isDoubleTy()) return make(to.isHalfTy() ? Code::f64_f16 : Code::f64_f32, a);
    return make(Code::f32_f16, a);
  case I::SIToFP:
  case I::UIToFP: {
    const bool is_signed = opcode == I::SIToFP, wide = int_width(from) == 64,
               to64 = to.isDoubleTy();
    if (int_width(from) == 1)
      a = integer_to_integer(is_signed ? I::SExt : I::ZExt, 1, 32, a);
    else if (is_signed)
      a = sign_extend(a, int_width(from));
    const Code code = is_signed ? (wide ? pick(to64, Code::s64_f32, Code::s64_f64)
                                        : pick(to64, Code::s32_f32, Code::s32_f64))
                                : (wide ? pick(to64, Code::u64_f32, Code::u64_f64)
                                        : pick(to64, Code::u32_f32, Code::u32_f64));
    const Part out = make(code, a);
    return to.isHalfTy() ? make(Code::f32_f16, out) : out;
  }
  default: {  // FPToSI, FPToUI
    const bool is_signed = opcode == I::FPToSI, wide = int_width(to) == 64,
               from64 = from.isDoubleTy();
    if (from.isHalfTy()) a = widen_half(a);
    const Code code = is_signed ? (wide ? pick(from64, Code::f32_s64, Code::f64_s64)
                                        : pick(from64, Code::f32_s32, Code::f64_s32))
                                : (wide ? pick(from64, Code::f32_u64, Code::f64_u64)
                                        : pick(from64, Code::f32_u32, Code::f64_u32));
    const Part out = make(code, a);
    return int_width(to) == 1 ? make(Code::p_test32, out) : mask_to(out, int_width(to));
  }
  }
}

void LowerFunction::emit_bitcast(llvm::CastInst& cast) {
  const Parts from = parts(*cast.getOperand(0));
  llvm::SmallVector<Kind, 4> kinds;
  kinds_of(cast.getType(), kinds);
  // Through a string of 32-bit words: narrower elements are packed into them, wider ones cut.
  const auto bits_of = [](const llvm::Type& type) {
    return scalar(type).isPointerTy()
               ? 64u
               : static_cast<unsigned>(scalar(type).getPrimitiveSizeInBits());
  };
  const unsigned from_bits = bits_of(*cast.getSrcTy()), to_bits = bits_of(*cast.getDestTy());
  if (from_bits % 8 != 0 || to_bits % 8 != 0) return unsupported(cast, say::bit_cast_of_bits);
  if (from_bits == to_bits && from_bits >= 32) return alias(cast, *cast.getOperand(0));
  Parts words, out;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from_bits == 64)
      words.push_back(make(Code::trunc32, from[i])), words.push_back(make(Code::high32, from[i]));
    else if (const unsigned at = static_cast<unsigned>(i) * from_bits % 32; at == 0)
      words.push_back(from[i]);
    else
      words.back() =
          make(Code::or32, words.back(), make(Code::shl32, from[i], constant(Kind::row32, at)));
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::size_t bit = i * to_bits, word = bit / 32;
    if (word + (to_bits == 64 ? 1 : 0) >= words.size())
      return unsupported(cast, say::bit_cast_of_this_type);
    if (to_bits == 64)
      out.push_back(make(Code::pack64, words[word], words[word + 1]));
    else
      out.push_back(
          mask_to(make(Code::lshr32, words[word], constant(Kind::row32, bit % 32)), to_bits));
  }
  set(cast, out);
}

// ---- comparisons and selections ----

void LowerFunction::emit_compare(llvm::CmpInst& compare) {
  const Parts a = parts(*compare.getOperand(0)), b = parts(*compare.getOperand(1));
  Parts out;
  for (std::size_t i = 0; i < a.size(); ++i)
    out.push_back(compare_parts(compare.getPredicate(), scalar(*compare.getOperand(0)->getType()),
                                a[i], b[i]));
  set(compare, out);
}

Part LowerFunction::compare_parts(llvm::CmpInst::Predicate predicate, const llvm::Type& type,
                                  Part a, Part b) {
  using P = llvm::CmpInst;
  const auto test = [&](Code narrow_code, Code wide_code, Part x, Part y) {
    return make(pick(x.kind == Kind::row64, narrow_code, wide_code), x, y);
  };
  if (a.kind == Kind::predicate) {
    const Part differ = make(Code::p_xor, a, b);
    switch (predicate) {
    case P::ICMP_EQ:
      return invert(differ);
    case P::ICMP_NE:
      return differ;
    case P::ICMP_UGT:
    case P::ICMP_SLT:
      return make(Code::p_and, a, invert(b));
    case P::ICMP_ULT:
    case P::ICMP_SGT:
      return make(Code::p_and, invert(a), b);
    case P::ICMP_UGE:
    case P::ICMP_SLE:
      return make(Code::p_or, a, invert(b));
    default:
      return make(Code::p_or, invert(a), b);
    }
  }
  if (type.isHalfTy()) a = widen_half(a), b = widen_half(b);
  if (llvm::CmpInst::isSigned(predicate) && type.isIntegerTy())
    a = sign_extend(a, int_width(type)), b = sign_extend(b, int_width(type));
  switch (predicate) {
  case P::ICMP_EQ:
    return test(Code::eq32, Code::eq64, a, b);
  case P::ICMP_NE:
    return test(Code::ne32, Code::ne64, a, b);
  case P::ICMP_ULT:
    return test(Code::ult32, Code::ult64, a, b);
  case P::ICMP_ULE:
    return test(Code::ule32, Code::ule64, a, b);
  case P::ICMP_UGT:
    return test(Code::ult32, Code::ult64, b, a);
  case P::ICMP_UGE:
    return test(Code::ule32, Code::ule64, b, a);
  case P::ICMP_SLT:
    return test(Code::slt32, Code::slt64, a, b);
  case P::ICMP_SLE:
    return test(Code::sle32, Code::sle64, a, b);
  case P::ICMP_SGT:
    return test(Code::slt32, Code::slt64, b, a);
  case P::ICMP_SGE:
    return test(Code::sle32, Code::sle64, b, a);
  case P::FCMP_OEQ:
    return test(Code::oeqf32, Code::oeqf64, a, b);
  case P::FCMP_UNE:
    return invert(test(Code::oeqf32, Code::oeqf64, a, b));
  case P::FCMP_OLT:
    return test(Code::oltf32, Code::oltf64, a, b);
  case P::FCMP_OGT:
    return test(Code::oltf32, Code::oltf64, b, a);
  case P::FCMP_OLE:
    return test(Code::olef32, Code::olef64, a, b);
  case P::FCMP_OGE:
    return test(Code::olef32, Code::olef64, b, a);
  case P::FCMP_UGT:
    return invert(test(Code::olef32, Code::olef64, a, b));
  case P::FCMP_UGE:
    return invert(test(Code::oltf32, Code::oltf64, a, b));
  case P::FCMP_ULT:
    return invert(test(Code::olef32, Code::olef64, b, a));
  case P::FCMP_ULE:
    return invert(test(Code::oltf32, Code::oltf64, b, a));
  case P::FCMP_ONE:
    return test(Code::onef32, Code::onef64, a, b);
  case P::FCMP_UEQ:
    return invert(test(Code::onef32, Code::onef64, a, b));
  case P::FCMP_ORD:
    return test(Code::ordf32, Code::ordf64, a, b);
  case P::FCMP_UNO:
    return invert(test(Code::ordf32, Code::ordf64, a, b));
  default:
    return constant(Kind::predicate, predicate == P::FCMP_TRUE ? 1 : 0);
  }
}

void LowerFunction::emit_select(llvm::SelectInst& select) {
  const Parts condition = parts(*select.getCondition()), a = parts(*select.getTrueValue()),
              b = parts(*select.getFalseValue());
  Parts out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Code code = a[i].kind == Kind::predicate ? Code::p_select
                      : a[i].kind == Kind::row64   ? Code::select64
                                                   : Code::select32;
    out.push_back(make(code, condition[condition.size() == 1 ? 0 : i], a[i], b[i]));
  }
  set(select, out);
}

// ---- vectors and aggregates: only renaming of parts ----

/// Where in the parts of an aggregate the element at `indices` begins, and how many parts it has.
std::pair<std::size_t, std::size_t> LowerFunction::parts_at(const llvm::Type& aggregate,
                                                            llvm::ArrayRef<unsigned> indices) {
  const llvm::Type* type = &aggregate;
  std::size_t first = 0;
  llvm::SmallVector<Kind, 8> kinds;
  for (const unsigned index : indices) {
    kinds.clear();
    const auto* record = llvm::dyn_cast<llvm::StructType>(type);
    for (unsigned i = 0; i < index; ++i)
      kinds_of(record != nullptr ? record->getElementType(i) : type->getArrayElementType(), kinds);
    first += kinds.size();
    type = record != nullptr ? record->getElementType(index) : type->getArrayElementType();
  }
  kinds.clear();
  kinds_of(type, kinds);
  return {first, kinds.size()};
}

void LowerFunction::emit_vector(llvm::Instruction& instruction) {
  if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()))
      if (const Parts all = parts(*extract->getVectorOperand()); index->getZExtValue() < all.size())
        return set(instruction, {all[index->getZExtValue()]});
  } else if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
    if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2))) {
      Parts all = parts(*insert->getOperand(0));
      if (index->getZExtValue() < all.size())
        return all[index->getZExtValue()] = part(*insert->getOperand(1)), set(instruction, all);
    }
  } else if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    Parts both = parts(*shuffle->getOperand(0)), out;
    both.append(parts(*shuffle->getOperand(1)));
    for (const int index : shuffle->getShuffleMask())
      out.push_back(both[index < 0 ? 0 : static_cast<std::size_t>(index)]);
    return set(instruction, out);
  } else if (auto* field = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const Parts all = parts(*field->getAggregateOperand());
    const auto [first, count] =
        parts_at(*field->getAggregateOperand()->getType(), field->getIndices());
    if (first + count <= all.size())
      return set(instruction, Parts(all.begin() + first, all.begin() + first + count));
  } else if (auto* put = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    Parts all = parts(*put->getAggregateOperand());
    const Parts values = parts(*put->getInsertedValueOperand());
    const auto [first, count] = parts_at(*put->getType(), put->getIndices());
    if (count == values.size() && first + count <= all.size()) {
      std::copy(values.begin(), values.end(), all.begin() + first);
      return set(instruction, all);
    }
  }
  unsupported(instruction, say::this_operation(instruction.getOpcodeName()));
}

}  // namespace lanescope
