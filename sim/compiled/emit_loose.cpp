// Accesses at 32 addresses of their own, by any lanes: bounds and alignment are compared for all at once,
// the data is gathered and scattered, the cost counted by a call.
#include <cstddef>

#include "compiled/emitter.h"

namespace lanescope {

bool Emitter::is_loose(const Op& op) const {
  const MemRef& ref = code_.refs[op.a];
  return op.code != Code::atomic && !ref.predicate_value && ref.space != MemorySpace::texture &&
         ref.space != MemorySpace::local && ref.component_bytes >= 4;
}

void Emitter::emit_loose(std::uint32_t pc, const Op& op) {
  const MemRef& ref = code_.refs[op.a];
  const Value addresses = lane_addresses(ref), active = mask();
  const Value base = of_region(op, offsetof(Region, base), i64_),
              size = of_region(op, offsetof(Region, size), i64_),
              data = of_region(op, offsetof(Region, data), pointer_);
  const Value offsets = b_.CreateSub(addresses, b_.CreateVectorSplat(kLanes, base));
  const Value room = b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat,
                                              b_.CreateAdd(size, i64(1)), i64(ref.bytes));
  const Value inside =
      b_.CreateAnd(b_.CreateICmpULT(offsets, b_.CreateVectorSplat(kLanes, room)),
                   b_.CreateICmpEQ(b_.CreateAnd(offsets, like(offsets, ref.bytes - 1u)),
                                   like(offsets, 0)));
  const Value outside = b_.CreateAnd(b_.CreateNot(mask_of(inside)), active);
  const Value holds = b_.CreateAnd(b_.CreateICmpEQ(outside, i32(0)),
                                   is_in_space(op, expected_space(ref)));
  either_way(pc, op, holds, [&] {
    count_loose(pc, ref, addresses, offsets);
    if (op.code == Code::load) return gather(ref, data, offsets, shapes_.keeps_others[pc]);
    scatter(ref, data, offsets);
    return std::vector<Value>{};
  });
}

void Emitter::count_loose(std::uint32_t pc, const MemRef& ref, Value addresses, Value offsets) {
  const MemorySpace space = expected_space(ref);
  const bool is_shared = space == MemorySpace::shared;
  b_.CreateAlignedStore(is_shared ? offsets : addresses, lanes_, llvm::Align(64));
  call(is_shared ? &called::count_shared
       : space == MemorySpace::global ? &called::count_global
                                      : &called::count_execution,
       {frame_, i32(pc), lanes_, mask()});
}

std::vector<llvm::Value*> Emitter::gather(const MemRef& ref, Value data, Value offsets,
                                          bool keeps) {
  llvm::FixedVectorType* type = ref.component_bytes == 8 ? row64_ : row32_;
  std::vector<Value> values;
  Block some = new_block("data"), join = new_block("loaded"), none = b_.GetInsertBlock();
  b_.CreateCondBr(b_.CreateIsNull(data), join, some);
  b_.SetInsertPoint(some);
  const Value active = bits(mask());
  for (std::uint32_t c = 0; c < ref.components; ++c) {
    const Value from = b_.CreateGEP(i8_, step(data, std::uint64_t{c} * ref.component_bytes), offsets);
    const Value others =
        keeps ? lanes(ref.value[c]) : llvm::Constant::getNullValue(type);
    values.push_back(b_.CreateMaskedGather(type, from, llvm::Align(ref.component_bytes), active,
                                           others));
  }
  Block after = b_.GetInsertBlock();
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
  for (Value& value : values) {
    auto* either = b_.CreatePHI(type, 2);
    either->addIncoming(llvm::Constant::getNullValue(type), none);
    either->addIncoming(value, after);
    value = either;
  }
  return values;
}

void Emitter::scatter(const MemRef& ref, Value data, Value offsets) {
  Block some = new_block("data"), join = new_block("stored");
  b_.CreateCondBr(b_.CreateIsNull(data), join, some);
  b_.SetInsertPoint(some);
  const Value active = bits(mask());
  for (std::uint32_t c = 0; c < ref.components; ++c) {
    const Value to = b_.CreateGEP(i8_, step(data, std::uint64_t{c} * ref.component_bytes), offsets);
    b_.CreateMaskedScatter(lanes(ref.value[c]), to, llvm::Align(ref.component_bytes), active);
  }
  b_.CreateBr(join);
  b_.SetInsertPoint(join);
}

}  // namespace lanescope
