// Where rows and predicates are: variables, memory, registers.
#include "compiled/emitter.h"

namespace lanescope {

llvm::Value* Emitter::step(Value pointer, std::uint64_t bytes) {
  return bytes == 0 ? pointer : b_.CreateConstInBoundsGEP1_64(i8_, pointer, bytes);
}

llvm::Value* Emitter::field_place(std::size_t offset) { return step(frame_, offset); }

llvm::Value* Emitter::field(std::size_t offset, llvm::Type* type, const char* name) {
  return b_.CreateLoad(type, field_place(offset), name);
}

llvm::Value* Emitter::mask() { return b_.CreateLoad(i32_, mask_); }

llvm::Value* Emitter::constant_lanes(const LanePattern& lanes, llvm::Type* element) {
  std::vector<llvm::Constant*> values;
  for (const std::int64_t lane : lanes)
    values.push_back(llvm::ConstantInt::get(element, static_cast<std::uint64_t>(lane)));
  return llvm::ConstantVector::get(values);
}

llvm::Value* Emitter::with_pattern(Value scalar, std::uint32_t pattern) {
  const Value all = b_.CreateVectorSplat(kLanes, scalar);
  return pattern == 0
             ? all
             : b_.CreateAdd(all, constant_lanes(shapes_.patterns[pattern], scalar->getType()));
}

llvm::Value* Emitter::scalar(std::uint32_t row) {
  const LaneShape& s = shape(row);
  if (s.known) return llvm::ConstantInt::get(lane_type(row), s.value);
  if (s.kind == LaneShape::Kind::none) return llvm::ConstantInt::get(lane_type(row), 0);
  return b_.CreateLoad(lane_type(row), variables_[row], in_memory_);
}

llvm::Value* Emitter::lanes(std::uint32_t row) {
  const LaneShape& s = shape(row);
  if (s.kind != LaneShape::Kind::rows) return with_pattern(scalar(row), s.pattern);
  Value& here = here_[row];
  if (here == nullptr) here = b_.CreateAlignedLoad(row_type(row), home(row), llvm::Align(64));
  return here;
}

void Emitter::set_scalar(std::uint32_t row, Value value) {
  if (!shape(row).known) b_.CreateStore(value, variables_[row], in_memory_);
}

void Emitter::set_lanes(std::uint32_t row, Value value) {
  here_[row] = value;
  if (exposed_[row]) b_.CreateAlignedStore(value, home(row), llvm::Align(64));
}

llvm::Value* Emitter::predicate(std::uint32_t predicate) {
  for (const auto& [constant, lanes] : code_.constant_predicates)
    if (constant == predicate) return i32(lanes);
  return b_.CreateLoad(i32_, predicate_variables_[predicate], in_memory_);
}

void Emitter::set_predicate(std::uint32_t predicate, Value value) {
  b_.CreateStore(value, predicate_variables_[predicate], in_memory_);
}

llvm::Value* Emitter::home(std::uint32_t row) {
  return step(row < code_.kept_rows ? kept_ : rows_, std::uint64_t{row} * kLanes * 4);
}

llvm::Value* Emitter::machine_row(std::uint32_t row) {
  return step(rows_, std::uint64_t{row} * kLanes * 4);
}

void Emitter::spill(std::uint32_t row) {
  const bool at_home = shape(row).kind == LaneShape::Kind::rows && exposed_[row];
  if (is_prefilled(row) || (at_home && row >= code_.kept_rows)) return;
  if (shape(row).kind == LaneShape::Kind::rows && !exposed_[row] && here_.count(row) == 0) return;
  b_.CreateAlignedStore(lanes(row), machine_row(row), llvm::Align(64));
}

void Emitter::spill_predicate(std::uint32_t predicate) {
  b_.CreateStore(this->predicate(predicate), step(predicates_, std::uint64_t{predicate} * 4));
}

llvm::Value* Emitter::machine_value(std::uint32_t row) {
  return b_.CreateAlignedLoad(row_type(row), machine_row(row), llvm::Align(64));
}

}  // namespace lanescope
