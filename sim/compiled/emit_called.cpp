// Operations that the interpreter executes, and the lanes of a warp together.
#include <bit>

#include "compiled/emitter.h"

namespace lanescope {

std::vector<std::uint32_t> Emitter::results_of(const Op& op) const {
  const OperationInfo& info = operation_info(op.code);
  if (info.kind == OperationKind::access) {
    const MemRef& ref = code_.refs[op.a];
    if (op.code == Code::store || ref.predicate_value) return {};
    std::vector<std::uint32_t> rows;
    for (std::uint32_t c = 0; c < ref.components; ++c)
      if (ref.value[c] != kNone) rows.push_back(ref.value[c]);
    return rows;
  }
  if (info.a == Operand::product) {
    const MatrixCall& product = code_.products[op.a];
    return {product.d.begin(), product.d.begin() + product.c_count};
  }
  if (info.dst == Operand::row32 || info.dst == Operand::row64) return {op.dst};
  return {};
}

void Emitter::spill_operands(const Op& op) {
  const OperationInfo& info = operation_info(op.code);
  const auto operand = [this](Operand kind, std::uint32_t index) {
    if (index == kNone) return;
    if (kind == Operand::row32 || kind == Operand::row64) spill(index);
    if (kind == Operand::predicate) spill_predicate(index);
  };
  operand(info.a, op.a);
  operand(info.b, op.b);
  operand(info.c, op.c);
  if (info.a == Operand::call) {
    const WarpCall& call = code_.calls[op.a];
    for (const std::uint32_t row : {call.mask, call.value, call.operand, call.width, call.mode})
      if (row != kNone) spill(row);
  }
  if (info.a == Operand::product) {
    const MatrixCall& product = code_.products[op.a];
    for (std::size_t i = 0; i < product.a_count; ++i) spill(product.a[i]);
    for (std::size_t i = 0; i < product.b_count; ++i) spill(product.b[i]);
    for (std::size_t i = 0; i < product.c_count; ++i) spill(product.c[i]);
  }
  if (info.a == Operand::reference) {
    const MemRef& ref = code_.refs[op.a];
    if (ref.other_side != kNone) {
      const MemRef& other = code_.refs[ref.other_side];
      if (other.base != kNone) spill(other.base);
      for (const MemTerm& term : other.terms) spill(term.row);
    }
    if (ref.base != kNone) spill(ref.base);
    for (const MemTerm& term : ref.terms) spill(term.row);
    if (ref.operand != kNone) spill(ref.operand);
    if (ref.compare != kNone) spill(ref.compare);
    for (std::uint32_t c = 0; c < ref.components; ++c)
      if (ref.value[c] != kNone)
        operand(ref.predicate_value ? Operand::predicate : Operand::row32, ref.value[c]);
  }
  // Lanes that are off keep what they have.
  if (info.kind == OperationKind::warp) operand(info.dst, op.dst);
}

void Emitter::take_results(const Op& op) {
  const OperationInfo& info = operation_info(op.code);
  if (info.dst == Operand::predicate)
    set_predicate(op.dst, b_.CreateLoad(i32_, step(predicates_, std::uint64_t{op.dst} * 4)));
  if (info.kind == OperationKind::access && op.code != Code::store &&
      code_.refs[op.a].predicate_value) {
    const std::uint32_t p = code_.refs[op.a].value[0];
    set_predicate(p, b_.CreateLoad(i32_, step(predicates_, std::uint64_t{p} * 4)));
  }
  for (const std::uint32_t row : results_of(op)) set_lanes(row, machine_value(row));
}

void Emitter::emit_called(std::uint32_t pc, const Op& op) {
  spill_operands(op);
  if (op.code == Code::clock)
    b_.CreateStore(b_.CreateLoad(i64_, executed_), field_place(offsetof(Frame, executed)));
  unless_going_on(call(&called::operation, {frame_, i32(pc), mask()}));
  take_results(op);
}

// ---- warp operations in which all lanes take part, as the text says they do ----

bool Emitter::names_all_lanes(std::uint32_t row) const {
  const LaneShape& s = shape(row);
  return s.known && s.is_uniform() && static_cast<std::uint32_t>(s.value) == kAllLanes;
}

void Emitter::emit_warp(std::uint32_t pc, const Op& op) {
  if (op.code == Code::syncwarp && !names_all_lanes(op.a)) return emit_called(pc, op);
  const auto before = here_;
  Block quick = new_block("together"), called = new_block("called"), join = new_block("join");
  Block here = b_.GetInsertBlock();
  b_.SetInsertPoint(quick);
  const Value value = quick_warp(op);
  if (value == nullptr && op.code != Code::syncwarp) {
    for (Block block : {quick, called, join}) block->eraseFromParent();
    here_ = before;
    b_.SetInsertPoint(here);
    return emit_called(pc, op);
  }
  Block after_quick = b_.GetInsertBlock();
  b_.CreateBr(join);
  here_ = before;
  b_.SetInsertPoint(here);
  b_.CreateCondBr(b_.CreateICmpEQ(mask(), full()), quick, called);
  b_.SetInsertPoint(called);
  spill_operands(op);
  unless_going_on(call(&called::operation, {frame_, i32(pc), mask()}));
  const Value other = value != nullptr ? machine_value(op.dst) : nullptr;
  Block after_called = b_.GetInsertBlock();
  b_.CreateBr(join);
  here_ = before;
  b_.SetInsertPoint(join);
  if (value == nullptr) return;
  auto* result = b_.CreatePHI(value->getType(), 2);
  result->addIncoming(value, after_quick);
  result->addIncoming(other, after_called);
  set_lanes(op.dst, result);
}

/// Null where there is no quick way. Of a syncwarp there is, and nothing comes of it.
llvm::Value* Emitter::quick_warp(const Op& op) {
  if (op.code == Code::activemask) return b_.CreateVectorSplat(kLanes, full());
  if (op.code == Code::clock || op.code == Code::multiply) return nullptr;
  if (op.code == Code::ballot && names_all_lanes(op.a))
    return b_.CreateVectorSplat(kLanes, predicate(op.b));
  if (op.code == Code::shuffle32 || op.code == Code::shuffle64) return quick_shuffle(op);
  return nullptr;
}

llvm::Value* Emitter::quick_shuffle(const Op& op) {
  const WarpCall& call = code_.calls[op.a];
  const LaneShape &by = shape(call.operand), &width_shape = shape(call.width);
  const LaneShape& mode_shape = shape(call.mode);
  if (!names_all_lanes(call.mask) || !mode_shape.known || !width_shape.known ||
      !width_shape.is_uniform() || !by.is_affine())
    return nullptr;
  const auto width = static_cast<std::int32_t>(width_shape.value);
  const auto mode = static_cast<std::uint32_t>(mode_shape.value);
  if (width <= 0 || width > kLanes || !std::has_single_bit(static_cast<unsigned>(width)))
    return nullptr;
  if (!by.known) {  // one lane's value for all
    if (mode != 0 || width != kLanes || !by.is_uniform()) return nullptr;
    const Value from = b_.CreateAnd(scalar(call.operand), i32(kLanes - 1));
    return b_.CreateVectorSplat(kLanes, b_.CreateExtractElement(lanes(call.value), from));
  }
  llvm::SmallVector<int, kLanes> from;
  for (int l = 0; l < kLanes; ++l) {
    const auto operand = static_cast<std::int32_t>(
        by.value +
        static_cast<std::uint64_t>(shapes_.patterns[by.pattern][static_cast<std::size_t>(l)]));
    const int begin = l / width * width;
    int lane = l;
    if (mode == 0) lane = begin + (operand & (width - 1));
    if (mode == 1 && l - operand >= begin) lane = l - operand;
    if (mode == 2 && l + operand < begin + width) lane = l + operand;
    if (mode > 2 && (l ^ operand) < begin + width) lane = l ^ operand;
    from.push_back(lane & (kLanes - 1));
  }
  return b_.CreateShuffleVector(lanes(call.value), from);
}

}  // namespace lanescope
