// Accesses at 32 addresses of their own, by any lanes: bounds and alignment are compared for all at once,
// the data is gathered and scattered, the cost counted by a call.
#include <cstddef>

#include "compiled/emitter.h"

namespace lanescope {

bool Emitter::is_loose(const Op& op) const {
  const MemRef& ref = code_.refs[op.a];
  // Of the atomics the sums of words, which histograms are made of.
  const bool is_sum = ref.atomic == AtomicOp::add && ref.bytes == 4;
  return (op.code != Code::atomic || is_sum) && !ref.predicate_value && !is_served_apart(ref) &&
         ref.space != MemorySpace::texture && ref.space != MemorySpace::local &&
         ref.component_bytes >= 4;
}

void Emitter::emit_loose(std::uint32_t pc, const Op& op) {
  const MemRef& ref = code_.refs[op.a];
  const Value addresses = lane_addresses(ref), active = mask();
  const Value base = of_region(op, offsetof(Region, base), i64_),
              data = of_region(op, offsetof(Region, data), pointer_);
  const Value offsets = b_.CreateSub(addresses, b_.CreateVectorSplat(kLanes, base));
  const Value inside = is_inside(op, offsets, ref.bytes);
  const Value outside = b_.CreateAnd(b_.CreateNot(mask_of(inside)), active);
  const Value holds =
      b_.CreateAnd(b_.CreateICmpEQ(outside, i32(0)), is_in_space(op, expected_space(ref)));
  either_way(pc, op, holds, [&] {
    count_loose(pc, ref, addresses, offsets);
    if (op.code == Code::load) return gather(ref, data, offsets, shapes_.keeps_others[pc]);
    if (op.code == Code::atomic) return add_atomically(ref, data, offsets);
    scatter(ref, data, offsets);
    return Values{};
  });
}

/// Lanes of words in banks of their own need no closer look, and mostly they are.
void Emitter::count_loose(std::uint32_t pc, const MemRef& ref, Value addresses, Value offsets) {
  const MemorySpace space = expected_space(ref);
  if (space != MemorySpace::shared || ref.bytes != 4)
    return call_count(pc, space, space == MemorySpace::shared ? offsets : addresses);
  const Value one = like(llvm::Constant::getNullValue(row32_), 1);
  const Value words = b_.CreateTrunc(b_.CreateLShr(offsets, like(offsets, 2)), row32_);
  const Value banks = b_.CreateShl(one, b_.CreateAnd(words, like(words, kLanes - 1)));
  const Value active = mask();
  const Value all =
      b_.CreateOrReduce(b_.CreateSelect(bits(active), banks, llvm::Constant::getNullValue(row32_)));
  const auto count = [&](Value v) { return b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, v); };
  branch(
      b_.CreateICmpEQ(count(all), count(active)),
      [&] {
        count_one(code_.ops[pc].a, i64(kApartSlot));
        return Values{};
      },
      [&] {
        call_count(pc, space, offsets);
        return Values{};
      });
}

void Emitter::call_count(std::uint32_t pc, MemorySpace space, Value lanes) {
  b_.CreateAlignedStore(lanes, lanes_, llvm::Align(64));
  call(space == MemorySpace::shared   ? &called::count_shared
       : space == MemorySpace::global ? &called::count_global
                                      : &called::count_execution,
       {frame_, i32(pc), lanes_, mask()});
}

Emitter::Values Emitter::gather(const MemRef& ref, Value data, Value offsets, bool keeps) {
  llvm::FixedVectorType* type = ref.component_bytes == 8 ? row64_ : row32_;
  return where_there_is(data, [&] {
    Values values;
    const Value active = bits(mask());
    for (std::uint32_t c = 0; c < ref.components; ++c) {
      const Value from =
          b_.CreateGEP(i8_, step(data, std::uint64_t{c} * ref.component_bytes), offsets);
      const Value others = keeps ? lanes(ref.value[c]) : llvm::Constant::getNullValue(type);
      values.push_back(
          b_.CreateMaskedGather(type, from, llvm::Align(ref.component_bytes), active, others));
    }
    return values;
  });
}

/// Lane by lane, in their order.
Emitter::Values Emitter::add_atomically(const MemRef& ref, Value data, Value offsets) {
  b_.CreateAlignedStore(lanes(ref.operand), values_, llvm::Align(64));
  b_.CreateAlignedStore(offsets, lanes_, llvm::Align(64));
  call(&called::add_atomically, {data, lanes_, values_, mask()});
  // Words that have just been written one by one are read slowly as a row.
  if (!used_[ref.value[0]]) return {llvm::Constant::getNullValue(row32_)};
  const Value old = b_.CreateAlignedLoad(row32_, values_, llvm::Align(64));
  return {b_.CreateSelect(bits(mask()), old, lanes(ref.value[0]))};
}

void Emitter::scatter(const MemRef& ref, Value data, Value offsets) {
  where_there_is(data, [&] {
    const Value active = bits(mask());
    for (std::uint32_t c = 0; c < ref.components; ++c) {
      const Value to =
          b_.CreateGEP(i8_, step(data, std::uint64_t{c} * ref.component_bytes), offsets);
      b_.CreateMaskedScatter(lanes(ref.value[c]), to, llvm::Align(ref.component_bytes), active);
    }
    return Values{};
  });
}

}  // namespace lanescope
