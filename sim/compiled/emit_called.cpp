// Operations that the interpreter executes, and the lanes of a warp together.
#include <bit>

#include "compiled/emitter.h"
#include "lower/operands.h"

namespace lanescope {

void Emitter::spill_operands(const Op& op) {
  const auto spill_number = [this](std::uint32_t number) {
    if (is_predicate_number(code_, number))
      spill_predicate(predicate_of_number(code_, number));
    else
      spill(number);
  };
  for_each_use(code_, op, spill_number);
  // Lanes that are off keep what they have.
  const OperationKind kind = operation_info(op.code).kind;
  if (kind == OperationKind::warp || kind == OperationKind::access)
    for_each_result(code_, op, spill_number);
}

void Emitter::take_results(const Op& op) {
  for_each_result(code_, op, [this](std::uint32_t number) {
    if (!is_predicate_number(code_, number)) return set_lanes(number, machine_value(number));
    const std::uint32_t p = predicate_of_number(code_, number);
    set_predicate(p, b_.CreateLoad(i32_, step(predicates_, std::uint64_t{p} * 4)));
  });
}

void Emitter::call_interpreter(std::uint32_t pc, const Op& op) {
  spill_operands(op);
  if (op.code == Code::clock)
    b_.CreateStore(b_.CreateLoad(i64_, executed_), field_place(offsetof(Frame, executed)));
  unless_going_on(call(&called::operation, {frame_, i32(pc), mask()}));
}

void Emitter::emit_called(std::uint32_t pc, const Op& op) {
  call_interpreter(pc, op);
  take_results(op);
}

/// The quick way where `holds`, the interpreter's otherwise: of operations whose results are rows.
Emitter::Values Emitter::either_way(std::uint32_t pc, const Op& op, Value holds, Way quick_way) {
  return branch(holds, quick_way, [&] {
    call_interpreter(pc, op);
    Values results;
    for_each_result(code_, op, [&](std::uint32_t row) { results.push_back(machine_value(row)); });
    return results;
  });
}

void Emitter::set_results(const Op& op, const Values& values) {
  std::size_t next = 0;
  for_each_result(code_, op, [&](std::uint32_t row) { set_lanes(row, values[next++]); });
}

// ---- warp operations in which all lanes take part, as the text says they do ----

bool Emitter::names_all_lanes(std::uint32_t row) const {
  const LaneShape& s = shape(row);
  return s.known && s.is_uniform() && static_cast<std::uint32_t>(s.value) == kAllLanes;
}

void Emitter::emit_warp(std::uint32_t pc, const Op& op) {
  if (!is_quick_warp(op)) return emit_called(pc, op);
  set_results(op,
              either_way(pc, op, b_.CreateICmpEQ(mask(), full()), [&] { return quick_warp(op); }));
}

bool Emitter::is_quick_warp(const Op& op) const {
  if (op.code == Code::activemask || op.code == Code::whole_warp) return true;
  if (op.code == Code::syncwarp || op.code == Code::ballot) return names_all_lanes(op.a);
  if (op.code == Code::shuffle32 || op.code == Code::shuffle64)
    return is_quick_shuffle(code_.calls[op.a]);
  return false;
}

bool Emitter::is_quick_shuffle(const WarpCall& call) const {
  const LaneShape &by = shape(call.operand), &width_shape = shape(call.width);
  const LaneShape& mode = shape(call.mode);
  if (!names_all_lanes(call.mask) || !mode.known || !width_shape.known ||
      !width_shape.is_uniform() || !by.is_affine())
    return false;
  const auto width = static_cast<std::int32_t>(width_shape.value);
  if (width <= 0 || width > kLanes || !std::has_single_bit(static_cast<unsigned>(width)))
    return false;
  const bool is_one_for_all = by.is_uniform() && width == kLanes && mode.value == 0;
  return by.known || is_one_for_all;
}

/// Of an operation that is_quick_warp. Nothing comes of the first two.
Emitter::Values Emitter::quick_warp(const Op& op) {
  if (op.code == Code::syncwarp || op.code == Code::whole_warp) return {};
  if (op.code == Code::activemask) return {b_.CreateVectorSplat(kLanes, full())};
  if (op.code == Code::ballot) return {b_.CreateVectorSplat(kLanes, predicate(op.b))};
  return {quick_shuffle(code_.calls[op.a])};
}

llvm::Value* Emitter::quick_shuffle(const WarpCall& call) {
  const LaneShape& by = shape(call.operand);
  if (!by.known) {  // one lane's value for all
    const Value from = b_.CreateAnd(scalar(call.operand), i32(kLanes - 1));
    return b_.CreateVectorSplat(kLanes, b_.CreateExtractElement(lanes(call.value), from));
  }
  const auto width = static_cast<std::int32_t>(shape(call.width).value);
  const auto mode = static_cast<std::uint32_t>(shape(call.mode).value);
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
