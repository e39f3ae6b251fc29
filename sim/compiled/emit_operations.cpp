// Arithmetic: once where the operands are uniform (or uniform + pattern, by the rules of lane_shapes),
// in 32 lanes otherwise. What each code computes stands in lower/operations.def.
#include <llvm/IR/Intrinsics.h>

#include "compiled/emitter.h"

namespace lanescope {

namespace {

bool is_float_code(std::string_view name) { return name.ends_with("f32") || name.ends_with("f64"); }

}  // namespace

void Emitter::emit_lanewise(std::uint32_t pc, const Op& op) {
  switch (operation_info(op.code).kind) {
  case OperationKind::logic:
    return emit_logic(op);
  case OperationKind::selection:
    return emit_selection(op);
  case OperationKind::masked_copy:
    return emit_masked_copy(pc, op);
  case OperationKind::comparison:
    return emit_comparison(op);
  default:
    return emit_arithmetic(pc, op);
  }
}

void Emitter::emit_arithmetic(std::uint32_t pc, const Op& op) {
  const OperationInfo& info = operation_info(op.code);
  const LaneShape& to = shape(op.dst);
  if (to.known) return;
  if (info.a == Operand::predicate) {  // widened
    const Value from = predicate(op.a);
    if (to.is_affine()) return set_scalar(op.dst, b_.CreateAnd(from, i32(1)));
    return set_lanes(op.dst, b_.CreateZExt(bits(from), row_type(op.dst)));
  }
  if (!is_computed_once(op.code)) return emit_called(pc, op);
  const bool once = to.is_affine();
  const auto operand = [&](Operand kind, std::uint32_t row) -> Value {
    if (kind == Operand::none) return nullptr;
    return once ? scalar(row) : lanes(row);
  };
  Value value =
      native(op.code, operand(info.a, op.a), operand(info.b, op.b), operand(info.c, op.c));
  if (value == nullptr) return emit_called(pc, op);
  if (!once) return set_lanes(op.dst, value);
  std::int64_t plus = 0;
  if (info.c == Operand::none) {
    const LaneShape none;
    plus = shape_of(op.code, shape(op.a), info.b == Operand::none ? none : shape(op.b),
                    shapes_.patterns)
               .plus;
  }
  if (plus != 0) value = b_.CreateAdd(value, like(value, static_cast<std::uint64_t>(plus)));
  set_scalar(op.dst, value);
}

void Emitter::emit_comparison(const Op& op) {
  const OperationInfo& info = operation_info(op.code);
  const bool once = shapes_.predicates[op.dst] == PredicateShape::uniform;
  const auto operand = [&](std::uint32_t row) { return once ? scalar(row) : lanes(row); };
  const Value x = operand(op.a), y = info.b == Operand::none ? nullptr : operand(op.b);
  const Value is = compared(op.code, x, y);
  set_predicate(op.dst, once ? b_.CreateSExt(is, i32_) : mask_of(is));
}

void Emitter::emit_logic(const Op& op) {
  const Value x = predicate(op.a);
  switch (op.code) {
  case Code::p_and:
    return set_predicate(op.dst, b_.CreateAnd(x, predicate(op.b)));
  case Code::p_or:
    return set_predicate(op.dst, b_.CreateOr(x, predicate(op.b)));
  case Code::p_xor:
    return set_predicate(op.dst, b_.CreateXor(x, predicate(op.b)));
  case Code::p_not:
    return set_predicate(op.dst, b_.CreateNot(x));
  default:
    return set_predicate(op.dst, x);
  }
}

void Emitter::emit_selection(const Op& op) {
  const Value by = predicate(op.a);
  const bool once = shapes_.predicates[op.a] != PredicateShape::lanes;
  const Value condition = once ? b_.CreateICmpNE(by, i32(0)) : bits(by);
  if (op.code == Code::p_select) {
    const Value yes = predicate(op.b), no = predicate(op.c);
    return set_predicate(
        op.dst, once ? b_.CreateSelect(condition, yes, no)
                     : b_.CreateOr(b_.CreateAnd(by, yes), b_.CreateAnd(b_.CreateNot(by), no)));
  }
  const LaneShape& to = shape(op.dst);
  if (to.known) return;
  if (to.is_affine() && once)
    return set_scalar(op.dst, b_.CreateSelect(condition, scalar(op.b), scalar(op.c)));
  if (to.is_affine()) return set_scalar(op.dst, scalar(op.b));
  set_lanes(op.dst, b_.CreateSelect(condition, lanes(op.b), lanes(op.c)));
}

void Emitter::emit_masked_copy(std::uint32_t pc, const Op& op) {
  const bool plain = !shapes_.keeps_others[pc];
  if (operation_info(op.code).dst == Operand::predicate) {
    const Value from = predicate(op.a);
    if (plain) return set_predicate(op.dst, from);
    const Value active = mask();
    return set_predicate(op.dst,
                         b_.CreateOr(b_.CreateAnd(from, active),
                                     b_.CreateAnd(predicate(op.dst), b_.CreateNot(active))));
  }
  const LaneShape& to = shape(op.dst);
  if (to.kind != LaneShape::Kind::rows) return set_scalar(op.dst, scalar(op.a));
  if (plain) return set_lanes(op.dst, lanes(op.a));
  set_lanes(op.dst, b_.CreateSelect(bits(mask()), lanes(op.a), lanes(op.dst)));
}

void Emitter::emit_address(const Op& op) {
  if (shape(op.dst).known) return;
  const MemRef& ref = code_.refs[op.a];
  if (shape(op.dst).is_affine()) {
    Value holds = nullptr;
    const auto plus = shape_of_address(ref, shapes_.rows, shapes_.patterns, false).plus;
    return set_scalar(op.dst, first_address(ref, plus, holds));
  }
  set_lanes(op.dst, lane_addresses(ref));
}

llvm::Value* Emitter::lane_addresses(const MemRef& ref) {
  Value sum = like(llvm::Constant::getNullValue(row64_), static_cast<std::uint64_t>(ref.constant));
  if (ref.base != kNone) sum = b_.CreateAdd(sum, lanes(ref.base));
  for (const MemTerm& term : ref.terms) {
    Value row = lanes(term.row);
    if (term.kind == MemTerm::Kind::s32) row = b_.CreateSExt(row, row64_);
    if (term.kind == MemTerm::Kind::u32) row = b_.CreateZExt(row, row64_);
    sum = b_.CreateAdd(sum, b_.CreateMul(row, like(row, static_cast<std::uint64_t>(term.scale))));
  }
  return sum;
}

// ---- one operation, on a scalar or on a vector ----

llvm::Type* Emitter::integer_like(Value value, llvm::Type* element) {
  return value->getType()->isVectorTy() ? static_cast<llvm::Type*>(lanes_of(element)) : element;
}

llvm::Value* Emitter::like(Value value, std::uint64_t bits) {
  return llvm::ConstantInt::get(value->getType(), bits);
}

llvm::Value* Emitter::as_float(Value value, bool wide) {
  return b_.CreateBitCast(value, integer_like(value, wide ? b_.getDoubleTy() : b_.getFloatTy()));
}

llvm::Value* Emitter::as_integer(Value value) {
  const bool wide = value->getType()->getScalarType()->isDoubleTy();
  return b_.CreateBitCast(value, integer_like(value, wide ? i64_ : i32_));
}

llvm::Value* Emitter::native(Code code, Value x, Value y, Value z) {
  if (Value value = native_integer(code, x, y)) return value;
  if (Value value = native_division(code, x, y)) return value;
  if (Value value = native_conversion(code, x, y)) return value;
  const OperationInfo& info = operation_info(code);
  if (!is_float_code(info.name)) return nullptr;
  const bool wide = info.a == Operand::row64;
  const auto number = [&](Value v) { return v != nullptr ? as_float(v, wide) : nullptr; };
  const Value result = native_float(code, number(x), number(y), number(z));
  return result != nullptr ? as_integer(result) : nullptr;
}

llvm::Value* Emitter::native_integer(Code code, Value x, Value y) {
  const auto shifted = [&](Value value) {
    const Value inside = b_.CreateICmpULT(y, like(y, y->getType()->getScalarSizeInBits()));
    return b_.CreateSelect(inside, value, like(x, 0));
  };
  const auto amount = [&] {
    return b_.CreateAnd(y, like(y, y->getType()->getScalarSizeInBits() - 1));
  };
  const auto intrinsic = [&](llvm::Intrinsic::ID id) { return b_.CreateUnaryIntrinsic(id, x); };
  const auto counted = [&](llvm::Intrinsic::ID id) {
    return b_.CreateBinaryIntrinsic(id, x, b_.getFalse());
  };
  switch (code) {
#define LANESCOPE_WIDTHS(NAME)                                                                     \
  case Code::NAME##32:                                                                             \
  case Code::NAME##64
    LANESCOPE_WIDTHS(add) : return b_.CreateAdd(x, y);
    LANESCOPE_WIDTHS(sub) : return b_.CreateSub(x, y);
    LANESCOPE_WIDTHS(mul) : return b_.CreateMul(x, y);
    LANESCOPE_WIDTHS(and) : return b_.CreateAnd(x, y);
    LANESCOPE_WIDTHS(or) : return b_.CreateOr(x, y);
    LANESCOPE_WIDTHS(xor) : return b_.CreateXor(x, y);
    LANESCOPE_WIDTHS(shl) : return shifted(b_.CreateShl(x, amount()));
    LANESCOPE_WIDTHS(lshr) : return shifted(b_.CreateLShr(x, amount()));
    LANESCOPE_WIDTHS(ashr)
        : return b_.CreateAShr(
              x, b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, y,
                                          like(y, y->getType()->getScalarSizeInBits() - 1)));
    LANESCOPE_WIDTHS(smin) : return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, y);
    LANESCOPE_WIDTHS(smax) : return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, y);
    LANESCOPE_WIDTHS(umin) : return b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, y);
    LANESCOPE_WIDTHS(umax) : return b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, x, y);
    LANESCOPE_WIDTHS(copy) : return x;
    LANESCOPE_WIDTHS(ctlz) : return counted(llvm::Intrinsic::ctlz);
    LANESCOPE_WIDTHS(cttz) : return counted(llvm::Intrinsic::cttz);
    LANESCOPE_WIDTHS(ctpop) : return intrinsic(llvm::Intrinsic::ctpop);
    LANESCOPE_WIDTHS(brev) : return intrinsic(llvm::Intrinsic::bitreverse);
#undef LANESCOPE_WIDTHS
  default:
    return nullptr;
  }
}

/// By a constant, or of scalars: vectors have no instruction for it.
llvm::Value* Emitter::native_division(Code code, Value x, Value y) {
  const bool is_signed =
      code == Code::sdiv32 || code == Code::sdiv64 || code == Code::srem32 || code == Code::srem64;
  const bool quotient =
      code == Code::udiv32 || code == Code::udiv64 || code == Code::sdiv32 || code == Code::sdiv64;
  const bool remainder =
      code == Code::urem32 || code == Code::urem64 || code == Code::srem32 || code == Code::srem64;
  if (!quotient && !remainder) return nullptr;
  if (x->getType()->isVectorTy() && !llvm::isa<llvm::Constant>(y)) return nullptr;
  const Value zero = b_.CreateICmpEQ(y, like(y, 0)), minus = like(y, ~0ull);
  // Not to be divided by: the results of these are given below.
  Value odd = zero;
  if (is_signed) odd = b_.CreateOr(odd, b_.CreateICmpEQ(y, minus));
  const Value by = b_.CreateSelect(odd, like(y, 1), y);
  if (quotient) {
    Value value = is_signed ? b_.CreateSDiv(x, by) : b_.CreateUDiv(x, by);
    if (is_signed) value = b_.CreateSelect(b_.CreateICmpEQ(y, minus), b_.CreateNeg(x), value);
    return b_.CreateSelect(zero, minus, value);
  }
  const Value value = is_signed ? b_.CreateSRem(x, by) : b_.CreateURem(x, by);
  return b_.CreateSelect(zero, x, value);
}

llvm::Value* Emitter::native_conversion(Code code, Value x, Value y) {
  llvm::Type *narrow = integer_like(x, i32_), *wide = integer_like(x, i64_),
             *single = integer_like(x, b_.getFloatTy()), *both = integer_like(x, b_.getDoubleTy());
  const auto extended = [&](std::uint64_t bits) {
    return b_.CreateAShr(b_.CreateShl(x, like(x, bits)), like(x, bits));
  };
  const auto saturated = [&](llvm::Intrinsic::ID id, bool from_wide) {
    const Value from = as_float(x, from_wide);
    return b_.CreateIntrinsic(id, {narrow, from->getType()}, {from});
  };
  switch (code) {
  case Code::sext8:
    return extended(24);
  case Code::sext16:
    return extended(16);
  case Code::zext64:
    return b_.CreateZExt(x, wide);
  case Code::sext64:
    return b_.CreateSExt(x, wide);
  case Code::trunc32:
    return b_.CreateTrunc(x, narrow);
  case Code::high32:
    return b_.CreateTrunc(b_.CreateLShr(x, like(x, 32)), narrow);
  case Code::pack64:
    return b_.CreateOr(b_.CreateShl(b_.CreateZExt(y, wide), llvm::ConstantInt::get(wide, 32)),
                       b_.CreateZExt(x, wide));
  case Code::s32_f32:
  case Code::s64_f32:
    return as_integer(b_.CreateSIToFP(x, single));
  case Code::u32_f32:
  case Code::u64_f32:
    return as_integer(b_.CreateUIToFP(x, single));
  case Code::s32_f64:
  case Code::s64_f64:
    return as_integer(b_.CreateSIToFP(x, both));
  case Code::u32_f64:
  case Code::u64_f64:
    return as_integer(b_.CreateUIToFP(x, both));
  case Code::f32_s32:
    return saturated(llvm::Intrinsic::fptosi_sat, false);
  case Code::f32_u32:
    return saturated(llvm::Intrinsic::fptoui_sat, false);
  case Code::f64_s32:
    return saturated(llvm::Intrinsic::fptosi_sat, true);
  case Code::f64_u32:
    return saturated(llvm::Intrinsic::fptoui_sat, true);
  case Code::f32_f64:
    return as_integer(b_.CreateFPExt(as_float(x, false), both));
  case Code::f64_f32:
    return as_integer(b_.CreateFPTrunc(as_float(x, true), single));
  default:
    return nullptr;
  }
}

llvm::Value* Emitter::native_float(Code code, Value x, Value y, Value z) {
  const auto zero = [&] { return llvm::Constant::getNullValue(x->getType()); };
  const auto rounded = [&](llvm::Intrinsic::ID id) { return b_.CreateUnaryIntrinsic(id, x); };
  /// The other one where one is no number.
  const auto extreme = [&](bool least) {
    const Value less = b_.CreateFCmpOLT(x, y);
    const Value of_numbers = b_.CreateSelect(less, least ? x : y, least ? y : x);
    return b_.CreateSelect(b_.CreateFCmpUNO(x, x), y,
                           b_.CreateSelect(b_.CreateFCmpUNO(y, y), x, of_numbers));
  };
  switch (code) {
#define LANESCOPE_WIDTHS(NAME)                                                                     \
  case Code::NAME##f32:                                                                            \
  case Code::NAME##f64
    LANESCOPE_WIDTHS(fadd) : return b_.CreateFAdd(x, y);
    LANESCOPE_WIDTHS(fsub) : return b_.CreateFSub(x, y);
    LANESCOPE_WIDTHS(fmul) : return b_.CreateFMul(x, y);
    LANESCOPE_WIDTHS(fdiv) : return b_.CreateFDiv(x, y);
    LANESCOPE_WIDTHS(fmin) : return extreme(true);
    LANESCOPE_WIDTHS(fmax) : return extreme(false);
    LANESCOPE_WIDTHS(fneg) : return b_.CreateFNeg(x);
    LANESCOPE_WIDTHS(fabs)
        : return b_.CreateSelect(b_.CreateFCmpOLT(x, zero()), b_.CreateFNeg(x),
                                 b_.CreateSelect(b_.CreateFCmpOEQ(x, zero()), zero(), x));
    LANESCOPE_WIDTHS(fma)
        : return b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
    LANESCOPE_WIDTHS(sqrt_) : return rounded(llvm::Intrinsic::sqrt);
    LANESCOPE_WIDTHS(floor_) : return rounded(llvm::Intrinsic::floor);
    LANESCOPE_WIDTHS(ceil_) : return rounded(llvm::Intrinsic::ceil);
    LANESCOPE_WIDTHS(trunc_) : return rounded(llvm::Intrinsic::trunc);
    LANESCOPE_WIDTHS(rint_) : return rounded(llvm::Intrinsic::rint);
    LANESCOPE_WIDTHS(nearbyint_) : return rounded(llvm::Intrinsic::nearbyint);
#undef LANESCOPE_WIDTHS
  default:
    return nullptr;
  }
}

llvm::Value* Emitter::compared(Code code, Value x, Value y) {
  const bool wide = operation_info(code).a == Operand::row64;
  const auto number = [&](Value v) { return as_float(v, wide); };
  switch (code) {
#define LANESCOPE_WIDTHS(NAME)                                                                     \
  case Code::NAME##32:                                                                             \
  case Code::NAME##64
#define LANESCOPE_FLOATS(NAME)                                                                     \
  case Code::NAME##f32:                                                                            \
  case Code::NAME##f64
    LANESCOPE_WIDTHS(eq) : return b_.CreateICmpEQ(x, y);
    LANESCOPE_WIDTHS(ne) : return b_.CreateICmpNE(x, y);
    LANESCOPE_WIDTHS(ult) : return b_.CreateICmpULT(x, y);
    LANESCOPE_WIDTHS(ule) : return b_.CreateICmpULE(x, y);
    LANESCOPE_WIDTHS(slt) : return b_.CreateICmpSLT(x, y);
    LANESCOPE_WIDTHS(sle) : return b_.CreateICmpSLE(x, y);
    LANESCOPE_FLOATS(oeq) : return b_.CreateFCmpOEQ(number(x), number(y));
    LANESCOPE_FLOATS(olt) : return b_.CreateFCmpOLT(number(x), number(y));
    LANESCOPE_FLOATS(ole) : return b_.CreateFCmpOLE(number(x), number(y));
    LANESCOPE_FLOATS(one) : return b_.CreateFCmpONE(number(x), number(y));
    LANESCOPE_FLOATS(ord) : return b_.CreateFCmpORD(number(x), number(y));
#undef LANESCOPE_WIDTHS
#undef LANESCOPE_FLOATS
  default:  // p_test32
    return b_.CreateICmpNE(b_.CreateAnd(x, like(x, 1)), like(x, 0));
  }
}

}  // namespace lanescope
