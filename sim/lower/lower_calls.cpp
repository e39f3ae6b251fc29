// Calls that survived inlining: intrinsics, special registers, warp operations, math functions.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "lower/lower.h"
#include "lower/lower_function.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

using Kind = Part::Kind;

struct MathName {
  llvm::StringRef name;
  Code narrow, wide;
};
const MathName kMath1[] = {
#define LANESCOPE_MATH1(NAME) {#NAME, Code::NAME##_f32, Code::NAME##_f64},
#define LANESCOPE_GPU_MATH1(NAME) LANESCOPE_MATH1(NAME)
#include "lower/operations.def"
};
const MathName kMath2[] = {
#define LANESCOPE_MATH2(NAME) {#NAME, Code::NAME##_f32, Code::NAME##_f64},
#include "lower/operations.def"
};

const MathName* find_math(llvm::ArrayRef<MathName> table, llvm::StringRef name) {
  for (const MathName& entry : table)
    if (entry.name == name) return &entry;
  return nullptr;
}

/// The characters of a string literal, as far as the pointer leads to one.
std::string constant_text(const llvm::Value& pointer) {
  llvm::StringRef text;
  return llvm::getConstantStringInfo(&pointer, text) ? text.str() : std::string("…");
}

}  // namespace

void LowerFunction::emit_call(llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (const auto* text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return unsupported(call, say::inline_ptx(std::string(text->getAsmString())));
  if (callee == nullptr) return unsupported(call, say::indirect_call);
  const llvm::StringRef name = callee->getName();
  if (auto* transfer = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) return emit_transfer(*transfer);
  if (emit_special(call, name) || emit_warp_call(call, name)) return;
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
      intrinsic != nullptr && emit_intrinsic(*intrinsic))
    return;
  if (emit_math(call, name)) return;
  if (name.starts_with(kUnset)) return emit_unset(call);
  if (name == "lanescope_trap") return unsupported(call, say::trap_call);
  if (callee == &function_ || !callee->isDeclaration() || name.ends_with(".deeper"))
    return unsupported(call, say::recursive_call(llvm::demangle(name.split('.').first)));
  unsupported(call, say::this_function(llvm::demangle(name.str())));
}

bool LowerFunction::emit_special(llvm::CallInst& call, llvm::StringRef name) {
  if (!name.consume_front("llvm.nvvm.read.ptx.sreg.")) {
    if (name == "lanescope_laneid") return set(call, {special(Special::laneid)}), true;
    if (name == "lanescope_warpid") return set(call, {special(Special::warpid)}), true;
    return false;
  }
  static const std::pair<llvm::StringRef, Special> kNames[] = {
      {"tid.x", Special::tid_x},       {"tid.y", Special::tid_y},
      {"tid.z", Special::tid_z},       {"ctaid.x", Special::ctaid_x},
      {"ctaid.y", Special::ctaid_y},   {"ctaid.z", Special::ctaid_z},
      {"ntid.x", Special::ntid_x},     {"ntid.y", Special::ntid_y},
      {"ntid.z", Special::ntid_z},     {"nctaid.x", Special::nctaid_x},
      {"nctaid.y", Special::nctaid_y}, {"nctaid.z", Special::nctaid_z},
      {"laneid", Special::laneid},     {"warpid", Special::warpid}};
  for (const auto& [text, what] : kNames)
    if (name == text) return set(call, {special(what)}), true;
  return false;
}

bool LowerFunction::emit_warp_call(llvm::CallInst& call, llvm::StringRef name) {
  const auto barrier = [&](Code code) {
    info_ = tables_.op_info(&call, StepKind::barrier, tables_.position(call.getDebugLoc()));
    if (code == Code::barrier) return emit(code, {}), true;
    return set(call, {make(code, part(*call.getArgOperand(0)))}), true;
  };
  if (name == "vprintf") {
    info_ = tables_.op_info(&call, StepKind::warp_op, tables_.position(call.getDebugLoc()));
    tables_.program().prints = true;
    emit(Code::print, {}, part(*call.getArgOperand(0)), part(*call.getArgOperand(1)));
    return set(call, {constant(Kind::row32, 0)}), true;
  }
  if (name == "llvm.nvvm.barrier0" || name == "llvm.nvvm.barrier.sync")
    return barrier(Code::barrier);
  if (name == "lanescope_barrier_count") return barrier(Code::barrier_count);
  if (name == "lanescope_barrier_part" || name == "lanescope_mbarrier_wait")
    return emit_partial_barrier(call, name), true;
  if (name == "lanescope_mbarrier") return emit_mbarrier(call), true;
  if (name == "lanescope_grid_sync" || name == "lanescope_cluster_sync")
    return emit_grid_barrier(call, name == "lanescope_grid_sync"), true;
  if (name == "lanescope_cluster_arrive") {
    const auto* relaxed = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    return mark(Mark::Kind::cluster_arrive, relaxed != nullptr && relaxed->isOne()), true;
  }
  if (name.starts_with("llvm.nvvm.membar"))
    return mark(name.ends_with(".cta") ? Mark::Kind::fence_block : Mark::Kind::fence_device), true;
  // The second is the C library's own assert.
  if (name == "lanescope_assert_fail" || name == "__assert_fail") {
    code_.ops.push_back({Code::trap, kStep | kAssertion, kNone,
                         tables_.trap(Message::verbatim(constant_text(*call.getArgOperand(0)))),
                         kNone, kNone, info_});
    return true;
  }
  if (!name.consume_front("lanescope_")) return false;
  if (name == "reads_tables") return tables_.program().mutable_info().reads_tables = true;
  if (name == "heap_taken" || name == "heap_freed") {
    const bool taken = name == "heap_taken";
    emit(taken ? Code::heap_taken : Code::heap_freed, {}, part(*call.getArgOperand(0)),
         taken ? part(*call.getArgOperand(1)) : Part{});
    return true;
  }
  if (emit_matrix_call(call, name)) return true;
  if (name.starts_with("async_copy")) return emit_async_copy(call), true;
  if (name.consume_front("async_")) return emit_async_mark(call, name);
  if (name.consume_front("atomic_add_")) return emit_half_atomic(call, name), true;
  if (name == "float_to_bfloat")
    return set(call, {make(Code::f32_bf16, part(*call.getArgOperand(0)))}), true;
  if (name == "bfloat_fma")
    return set(call, {make(Code::fma_bf16, part(*call.getArgOperand(0)),
                           part(*call.getArgOperand(1)), part(*call.getArgOperand(2)))}),
           true;
  if (name == "inline_ptx")
    return unsupported(call, say::inline_ptx(constant_text(*call.getArgOperand(0)))), true;
  if (name == "stop")
    return unsupported(call, Message::verbatim(constant_text(*call.getArgOperand(0)))), true;
  info_ = tables_.op_info(&call, StepKind::warp_op, tables_.position(call.getDebugLoc()));
  const auto argument = [&](unsigned i) { return part(*call.getArgOperand(i)); };
  if (name == "syncwarp") return emit(Code::syncwarp, {}, argument(0)), true;
  if (name == "whole_warp") return emit(Code::whole_warp, {}), true;
  if (name == "activemask") return set(call, {make(Code::activemask)}), true;
  if (name == "clock") return set(call, {make(Code::clock)}), true;
  if (name == "ballot") return set(call, {make(Code::ballot, argument(0), argument(1))}), true;
  if (name == "match_any")
    return set(call, {make(Code::match_any, argument(0), argument(1))}), true;
  if (name == "reduce")
    return set(call, {make(Code::reduce, argument(0), argument(1), argument(2))}), true;
  if (name == "shfl" || name == "shfl64") {
    code_.calls.push_back({argument(0).index, argument(1).index, argument(2).index,
                           argument(3).index, argument(4).index});
    const bool wide = name == "shfl64";
    const Part operands{Kind::call, static_cast<std::uint32_t>(code_.calls.size() - 1)};
    return set(call, {make(wide ? Code::shuffle64 : Code::shuffle32, operands)}), true;
  }
  return false;
}

/// The value of a variable that nothing has set: zero, and marked.
void LowerFunction::emit_unset(llvm::CallInst& call) {
  const auto* name = call.getMetadata(kUnsetName);
  const auto variable = static_cast<std::uint32_t>(tables_.program().unset.size());
  tables_.program().unset.push_back(
      name == nullptr ? "" : llvm::cast<llvm::MDString>(name->getOperand(0))->getString().str());
  const bool wide = call.getType()->isIntegerTy(64);
  mark(Mark::Kind::unset, variable);
  const Part value =
      make(wide ? Code::copy64 : Code::copy32, constant(wide ? Kind::row64 : Kind::row32, 0));
  // Of a narrow one, the bits beyond it are none.
  set(call, {wide ? value : mask_to(value, call.getType()->getIntegerBitWidth())});
}

void LowerFunction::emit_grid_barrier(llvm::CallInst& call, bool of_grid) {
  info_ = tables_.op_info(&call, StepKind::barrier, tables_.position(call.getDebugLoc()));
  tables_.program().meets_grid |= of_grid;
  code_.ops.push_back({Code::grid_barrier, kStep, kNone, tables_.trap(say::grid_barrier_alone),
                       kNone, kNone, info_});
}

/// (id, threads, waits), or (mbarrier, parity) → whether that phase is over
void LowerFunction::emit_partial_barrier(llvm::CallInst& call, llvm::StringRef name) {
  info_ = tables_.op_info(&call, StepKind::barrier, tables_.position(call.getDebugLoc()));
  const auto argument = [&](unsigned i) { return part(*call.getArgOperand(i)); };
  if (name == "lanescope_barrier_part") {
    const Part waits = make(Code::p_zext32, argument(2));
    return emit(Code::barrier_part, {}, argument(0), argument(1), waits);
  }
  const Part over = make(Code::mbarrier_wait, argument(0), argument(1));
  set(call, {make(Code::p_test32, over)});
}

bool LowerFunction::emit_intrinsic(llvm::IntrinsicInst& call) {
  using namespace llvm;
  const bool wide = !call.getType()->isVoidTy() && (call.getType()->getScalarSizeInBits() == 64);
  const auto each = [&](unsigned operands, auto&& make) {
    Parts in[3], out;
    for (unsigned i = 0; i < operands; ++i) in[i] = parts(*call.getArgOperand(i));
    for (std::size_t i = 0; i < in[0].size(); ++i)
      out.push_back(
          make(in[0][i], operands > 1 ? in[1][i] : Part{}, operands > 2 ? in[2][i] : Part{}));
    return set(call, out), true;
  };
  const Kind kind = wide ? Kind::row64 : Kind::row32;
  const auto pair = [&](Code narrow, Code wide_code) {
    return each(2, [&](Part a, Part b, Part) { return make(wide ? wide_code : narrow, a, b); });
  };
  const auto one = [&](Code narrow, Code wide_code) {
    return each(1, [&](Part a, Part, Part) { return make(wide ? wide_code : narrow, a); });
  };
  // A half's row holds no float: of the functions of floats only fma has a row of its own for it.
  if (call.getType()->getScalarType()->isHalfTy())
    return (call.getIntrinsicID() == Intrinsic::fma ||
            call.getIntrinsicID() == Intrinsic::fmuladd) &&
           each(3, [&](Part a, Part b, Part c) { return make(Code::fma_f16, a, b, c); });
  switch (call.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
    return emit_scope(call, Code::scope_begin), true;
  case Intrinsic::lifetime_end:
    return emit_scope(call, Code::scope_end), true;
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::donothing:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
    return true;
  case Intrinsic::expect:
    return set(call, parts(*call.getArgOperand(0))), true;
  case Intrinsic::trap:
    return unsupported(call, say::trap_call), true;
  case Intrinsic::smin:
    return pair(Code::smin32, Code::smin64);
  case Intrinsic::smax:
    return pair(Code::smax32, Code::smax64);
  case Intrinsic::umin:
    return pair(Code::umin32, Code::umin64);
  case Intrinsic::umax:
    return pair(Code::umax32, Code::umax64);
  case Intrinsic::minnum:
    return pair(Code::fminf32, Code::fminf64);
  case Intrinsic::maxnum:
    return pair(Code::fmaxf32, Code::fmaxf64);
  case Intrinsic::fabs:
    return one(Code::fabsf32, Code::fabsf64);
  case Intrinsic::ctpop:
    return one(Code::ctpop32, Code::ctpop64);
  case Intrinsic::bitreverse:
    return call.getType()->getScalarSizeInBits() < 32 ? false : one(Code::brev32, Code::brev64);
  case Intrinsic::ctlz:
    return call.getType()->getScalarSizeInBits() < 32 ? false : each(1, [&](Part a, Part, Part) {
      return make(wide ? Code::ctlz64 : Code::ctlz32, a);
    });
  case Intrinsic::cttz:
    return call.getType()->getScalarSizeInBits() < 32 ? false : each(1, [&](Part a, Part, Part) {
      return make(wide ? Code::cttz64 : Code::cttz32, a);
    });
  case Intrinsic::abs:
    return call.getType()->getScalarSizeInBits() < 32 ? false : each(1, [&](Part a, Part, Part) {
      return make(wide ? Code::smax64 : Code::smax32, a,
                  make(wide ? Code::sub64 : Code::sub32, constant(kind, 0), a));
    });
  case Intrinsic::fshl:
    return call.getType()->getScalarSizeInBits() < 32
               ? false
               : each(3, [&](Part a, Part b, Part c) {
                   return make(wide ? Code::fshl64 : Code::fshl32, a, b, c);
                 });
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return each(3, [&](Part a, Part b, Part c) {
      return make(wide ? Code::fmaf64 : Code::fmaf32, a, b, c);
    });
  case Intrinsic::nvvm_atomic_load_inc_32:
  case Intrinsic::nvvm_atomic_load_dec_32: {
    MemRef ref = ref_of(call.getArgOperand(0));
    ref.atomic =
        call.getIntrinsicID() == Intrinsic::nvvm_atomic_load_inc_32 ? AtomicOp::inc : AtomicOp::dec;
    ref.operand = part(*call.getArgOperand(1)).index;
    ref.value[0] = define(call)[0].index;
    ref.strength = Strength::atomic;
    add_access(call, ref, AccessOp::atomic, *call.getType(), call.getArgOperand(0));
    return finish_ref(Code::atomic, ref, call), true;
  }
  default:
    return false;
  }
}

bool LowerFunction::emit_math(llvm::CallInst& call, llvm::StringRef name) {
  // "llvm.sqrt.f32", "sqrtf" and "sqrt" are the same function.
  if (name.consume_front("llvm.")) name = name.substr(0, name.find('.'));
  const bool wide = call.getType()->isDoubleTy();
  if (!wide && !call.getType()->isFloatTy()) return false;
  const MathName* one = find_math(kMath1, name);
  const MathName* both = find_math(kMath2, name);
  if (one == nullptr && both == nullptr && name.consume_back("f"))
    one = find_math(kMath1, name), both = find_math(kMath2, name);
  if (one != nullptr && call.arg_size() == 1)
    return set(call, {make(wide ? one->wide : one->narrow, part(*call.getArgOperand(0)))}), true;
  if (both != nullptr && call.arg_size() == 2)
    return set(call, {make(wide ? both->wide : both->narrow, part(*call.getArgOperand(0)),
                           part(*call.getArgOperand(1)))}),
           true;
  return false;
}

// Struct copies and clears that no single wide access serves go in 4-byte pieces, as the GPU's
// would.
void LowerFunction::emit_transfer(llvm::MemIntrinsic& call) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(call.getLength());
  if (length == nullptr || length->getZExtValue() > 4096)
    return unsupported(call, say::copy_of_unknown_size);
  const auto* move = llvm::dyn_cast<llvm::MemTransferInst>(&call);
  const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&call);
  llvm::Align align = call.getDestAlign().valueOrOne();
  if (move != nullptr) align = std::min(align, move->getSourceAlign().valueOrOne());
  const std::uint64_t unit = align.value() >= 4 ? 4 : 1;
  llvm::LLVMContext& context = call.getContext();
  for (std::uint64_t at = 0, left = length->getZExtValue(); left > 0;) {
    const std::uint64_t piece = unit == 4 && left >= 4 ? 4 : 1;
    llvm::Type* type = llvm::IntegerType::get(context, piece == 4 ? 32 : 8);
    Part value;
    if (move != nullptr) {
      MemRef from = ref_of(move->getRawSource(), static_cast<std::int64_t>(at));
      value = fresh(Kind::row32);
      from.value[0] = value.index;
      add_access(call, from, AccessOp::load, *type, move->getRawSource());
      mark(from, call, at);
      finish_ref(Code::load, from, call);
    } else {
      value = part(*fill->getValue());
      if (piece == 4) value = make(Code::mul32, value, constant(Kind::row32, 0x01010101));
    }
    MemRef to = ref_of(call.getRawDest(), static_cast<std::int64_t>(at));
    to.is_store = true;
    to.value[0] = value.index;
    add_access(call, to, AccessOp::store, *type, call.getRawDest());
    finish_ref(Code::store, to, call);
    at += piece;
    left -= piece;
  }
}

}  // namespace lanescope
