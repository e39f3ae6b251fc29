// Accesses at 32 addresses of their own, by any lanes: bounds and alignment are compared for all at once,
// the data is gathered and scattered, the cost counted by a call.
#include <algorithm>
#include <cstddef>

#include "compiled/emitter.h"

namespace lanescope {
namespace {

/// Bytes that any sum of terms may reach either way.
constexpr std::int64_t kNarrowReach = 1 << 30;

}  // namespace

bool Emitter::is_loose(const Op& op) const {
  const MemRef& ref = code_.refs[op.a];
  // Of the atomics the sums of words, which histograms are made of.
  const bool is_sum = ref.atomic == AtomicOp::add && ref.bytes == 4;
  return (op.code != Code::atomic || is_sum) && !ref.predicate_value && !is_served_apart(ref) &&
         ref.space != MemorySpace::texture && ref.space != MemorySpace::local &&
         ref.component_bytes >= 4;
}

Emitter::Values Emitter::loose(std::uint32_t pc, const Op& op) {
  const MemRef& ref = code_.refs[op.a];
  const Value active = mask(), data = of_region(op, offsetof(Region, data), pointer_);
  Value offsets = nullptr, inside = nullptr;
  if (is_narrow(ref)) {
    offsets = narrow_offsets(ref, inside);
  } else {
    const Value base = b_.CreateVectorSplat(kLanes, base_of_region(op));
    offsets = b_.CreateSub(lane_addresses(ref), base);
  }
  const Value within = is_inside(op, offsets, ref.bytes);
  inside = inside == nullptr ? within : b_.CreateAnd(inside, within);
  const Value outside = b_.CreateAnd(b_.CreateNot(mask_of(inside)), active);
  const Value holds =
      b_.CreateAnd(b_.CreateICmpEQ(outside, i32(0)), is_in_space(op, expected_space(ref)));
  return either_way(pc, op, holds, [&] {
    if (op.code != Code::atomic && expected_space(ref) == MemorySpace::global)
      fetch_some_ahead(op.a, data, offsets);
    count_loose(pc, op, offsets);
    if (op.code == Code::load) return gather(ref, data, offsets, shapes_.keeps_others[pc]);
    if (op.code == Code::atomic) return add_atomically(ref, data, offsets);
    scatter(ref, data, offsets);
    return Values{};
  });
}

/// As fetch_ahead, of some of the lanes: where the warp has gone as far as this the last time too. Others go anywhere.
void Emitter::fetch_some_ahead(std::uint32_t reference, Value data, Value offsets) {
  constexpr std::uint64_t kEvery = 4;
  const Value gone = gone_since(reference, b_.CreateExtractElement(offsets, std::uint64_t{0}));
  const Value noted = step(last_offsets_, (std::uint64_t{reference} * 2 + 1) * 8);
  const Value is_same = b_.CreateICmpEQ(b_.CreateLoad(i64_, noted), gone);
  b_.CreateStore(gone, noted);
  branch(
      is_same,
      [&] {
        const Value ahead = b_.CreateGEP(i8_, data, gone);
        for (std::uint64_t l = 0; l < kLanes; l += kEvery)
          fetch(b_.CreateGEP(i8_, ahead, b_.CreateExtractElement(offsets, l)), false);
        return Values{};
      },
      [] { return Values{}; });
}

/// Shared memory by 32-bit indices, in steps of what is accessed: 32 bits are enough for offsets, twice as many lanes
/// lie in a register, and none can be misaligned.
bool Emitter::is_narrow(const MemRef& ref) {
  const auto is_step = [&](std::int64_t bytes) {
    return bytes % ref.bytes == 0 && bytes > -kNarrowReach && bytes < kNarrowReach;
  };
  const auto window = static_cast<std::int64_t>(kSharedWindow);
  return ref.space == MemorySpace::shared && ref.base == kNone && is_step(ref.constant - window) &&
         std::all_of(ref.terms.begin(), ref.terms.end(), [&](const MemTerm& term) {
           return term.kind != MemTerm::Kind::i64 && term.scale > 0 && is_step(term.scale);
         });
}

/// Of a reference that is_narrow; `holds` says of which lanes no index is so large that its offset could wrap.
llvm::Value* Emitter::narrow_offsets(const MemRef& ref, Value& holds) {
  const auto first = static_cast<std::uint64_t>(ref.constant) - kSharedWindow;
  Value sum = like(llvm::Constant::getNullValue(row32_), first & 0xffffffffu);
  const auto each = kNarrowReach / std::max<std::int64_t>(1, std::ssize(ref.terms));
  for (const MemTerm& term : ref.terms) {
    const Value row = lanes(term.row);
    const auto most = static_cast<std::uint64_t>(each / term.scale);
    const bool is_signed = term.kind == MemTerm::Kind::s32;
    const Value from = is_signed ? b_.CreateAdd(row, like(row, most)) : row;
    const Value is_small = b_.CreateICmpULT(from, like(row, is_signed ? 2 * most : most));
    holds = holds == nullptr ? is_small : b_.CreateAnd(holds, is_small);
    sum = b_.CreateAdd(sum, b_.CreateMul(row, like(row, static_cast<std::uint64_t>(term.scale))));
  }
  return sum;
}

/// One bit for the bank of each active lane's word in shared memory.
llvm::Value* Emitter::banks_of(Value offsets) {
  const Value none = llvm::Constant::getNullValue(row32_), one = like(none, 1);
  Value words = b_.CreateLShr(offsets, like(offsets, 2));
  if (words->getType() != row32_) words = b_.CreateTrunc(words, row32_);
  const Value banks = b_.CreateShl(one, b_.CreateAnd(words, like(words, kLanes - 1)));
  return b_.CreateSelect(bits(mask()), banks, none);
}

/// How many lanes lie in the bank that most lie in. All banks' counts are added at once, one half of the
/// lanes to the other: each row holds one binary digit of them.
llvm::Value* Emitter::most_in_bank(Value banks) {
  Values digits{banks};
  for (int half = kLanes / 2; half > 0; half /= 2) {
    Value carry = nullptr;
    Values sums;
    for (const Value digit : digits) {
      llvm::SmallVector<int, kLanes> low, high;
      for (int l = 0; l < half; ++l) low.push_back(l), high.push_back(half + l);
      const Value x = b_.CreateShuffleVector(digit, low), y = b_.CreateShuffleVector(digit, high);
      const Value either = b_.CreateXor(x, y), both = b_.CreateAnd(x, y);
      sums.push_back(carry == nullptr ? either : b_.CreateXor(either, carry));
      carry = carry == nullptr ? both : b_.CreateOr(both, b_.CreateAnd(either, carry));
    }
    sums.push_back(carry);
    digits = sums;
  }
  // From the highest digit on: banks that have it, if any do, are those that may have most.
  Value leading = i32(~0u), most = i32(0);
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    const Value having = b_.CreateAnd(leading, b_.CreateExtractElement(*digit, std::uint64_t{0}));
    const Value any = b_.CreateICmpNE(having, i32(0));
    most = b_.CreateOr(b_.CreateShl(most, 1), b_.CreateZExt(any, i32_));
    leading = b_.CreateSelect(any, having, leading);
  }
  return most;
}

/// Lanes of words in banks of their own need no closer look, and mostly they are.
void Emitter::count_loose(std::uint32_t pc, const Op& op, Value offsets) {
  const MemRef& ref = code_.refs[op.a];
  const MemorySpace space = expected_space(ref);
  if (space != MemorySpace::shared || ref.bytes != 4) return call_count(pc, op, offsets);
  const Value banks = banks_of(offsets);
  if (ref.service == Service::atomic) {
    // Sums, and not a slot for each cost: where a store goes must not wait for what it costs.
    count_one(op.a, i64(kRequestsSlot));
    return count_one(op.a, i64(kWavefrontsSlot), b_.CreateZExt(most_in_bank(banks), i64_));
  }
  const Value active = mask(), all = b_.CreateOrReduce(banks);
  const auto count = [&](Value v) { return b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, v); };
  branch(
      b_.CreateICmpEQ(count(all), count(active)),
      [&] {
        count_one(op.a, i64(kApartSlot));
        return Values{};
      },
      [&] {
        call_count(pc, op, offsets);
        return Values{};
      });
}

void Emitter::call_count(std::uint32_t pc, const Op& op, Value offsets) {
  const MemorySpace space = expected_space(code_.refs[op.a]);
  Value lanes = wide(offsets);
  if (space == MemorySpace::global)
    lanes = b_.CreateAdd(lanes, b_.CreateVectorSplat(kLanes, base_of_region(op)));
  b_.CreateAlignedStore(lanes, lanes_, llvm::Align(64));
  call(space == MemorySpace::shared   ? &called::count_shared
       : space == MemorySpace::global ? &called::count_global
                                      : &called::count_execution,
       {frame_, i32(pc), lanes_, mask()});
}

llvm::Value* Emitter::wide(Value offsets) {
  return b_.CreateZExt(offsets, integer_like(offsets, i64_));
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
  const bool is_used = used_[ref.value[0]], is_one = shape(ref.operand).is_uniform();
  const Value added = is_one ? scalar(ref.operand) : lanes(ref.operand);
  const auto put_values = [&] {
    b_.CreateAlignedStore(lanes(ref.operand), values_, llvm::Align(64));
  };
  branch(
      b_.CreateAnd(b_.CreateICmpEQ(mask(), full()), b_.CreateIsNotNull(data)),
      [&] {
        add_each(data, offsets, added, is_used);
        return Values{};
      },
      [&] {
        put_values();
        b_.CreateAlignedStore(wide(offsets), lanes_, llvm::Align(64));
        call(&called::add_atomically, {data, lanes_, values_, mask()});
        return Values{};
      });
  // Words that have just been written one by one are read slowly as a row.
  if (!is_used) return {llvm::Constant::getNullValue(row32_)};
  const Value old = b_.CreateAlignedLoad(row32_, values_, llvm::Align(64));
  return {b_.CreateSelect(bits(mask()), old, lanes(ref.value[0]))};
}

/// What called::add_atomically does, for all lanes; of one value if there is one. Offsets are taken out of their
/// row: reading them from memory between the stores is slower by a tenth.
void Emitter::add_each(Value data, Value offsets, Value value, bool keeps_old) {
  const llvm::Align align(4);
  const bool is_one = !value->getType()->isVectorTy();
  for (std::uint64_t l = 0; l < kLanes; ++l) {
    const Value at = b_.CreateInBoundsGEP(i8_, data, wide(b_.CreateExtractElement(offsets, l)));
    const Value added = is_one ? value : b_.CreateExtractElement(value, l);
    const Value old = b_.CreateAlignedLoad(i32_, at, align);
    b_.CreateAlignedStore(b_.CreateAdd(old, added), at, align);
    if (keeps_old) b_.CreateStore(old, step(values_, l * 4));
  }
}

/// The last of several lanes at one address remains.
void Emitter::scatter(const MemRef& ref, Value data, Value offsets) {
  llvm::SmallVector<int, kLanes> order;
  in_store_order(kAllLanes, ref.bytes, [&](int lane) { order.push_back(lane); });
  where_there_is(data, [&] {
    const Value active = b_.CreateShuffleVector(bits(mask()), order);
    const Value places = b_.CreateShuffleVector(offsets, order);
    for (std::uint32_t c = 0; c < ref.components; ++c) {
      const Value to =
          b_.CreateGEP(i8_, step(data, std::uint64_t{c} * ref.component_bytes), places);
      const Value value = b_.CreateShuffleVector(lanes(ref.value[c]), order);
      b_.CreateMaskedScatter(value, to, llvm::Align(ref.component_bytes), active);
    }
    return Values{};
  });
}

}  // namespace lanescope
