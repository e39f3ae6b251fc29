// Accesses. Where all lanes take part at an address that is uniform + pattern, the bounds are compared
// once, the cost is a number known beforehand, and the data moves as vectors; anything else, and whatever
// is wrong, is the interpreter's.
#include <algorithm>
#include <cstddef>
#include <set>

#include "compiled/emitter.h"
#include "model/cost_fast.h"

namespace lanescope {
namespace {

/// Elements of a stretch of memory that is read as a whole.
constexpr std::int64_t kMostSpan = 128;

std::int64_t most_of(const LanePattern& lanes) {
  return *std::max_element(lanes.begin(), lanes.end());
}

bool is_contiguous(const LanePattern& lanes, std::int64_t step) {
  for (std::size_t l = 0; l < kLanes; ++l)
    if (lanes[l] != static_cast<std::int64_t>(l) * step) return false;
  return true;
}

}  // namespace

/// Matrices, and copies whose cost depends on both of their sides.
bool Emitter::is_served_apart(const MemRef& ref) {
  return matrices_of(ref.service) != 0 || ref.service == Service::bypass ||
         ref.service == Service::copy;
}

bool Emitter::is_quick(const Op& op, const ShapedResult& address) const {
  const MemRef& ref = code_.refs[op.a];
  if (!address.shape.is_affine() || op.code == Code::atomic || ref.predicate_value ||
      ref.space == MemorySpace::texture || is_served_apart(ref))
    return false;
  const LanePattern& lanes = shapes_.patterns[address.shape.pattern];
  if (ref.space == MemorySpace::local)
    return address.shape.pattern == 0 && ref.component_bytes == 4;
  if (ref.space == MemorySpace::shared && most_of(lanes) >= cost::kSharedReach - 64) return false;
  return std::all_of(lanes.begin(), lanes.end(),
                     [&](std::int64_t lane) { return lane % ref.bytes == 0; });
}

/// The uniform part of an address; `holds` says that no index wraps, where that has to be looked at.
llvm::Value* Emitter::first_address(const MemRef& ref, std::int64_t plus, Value& holds) {
  Value sum = i64(static_cast<std::uint64_t>(ref.constant + plus));
  if (ref.base != kNone) sum = b_.CreateAdd(sum, scalar(ref.base));
  for (const MemTerm& term : ref.terms) {
    Value row = scalar(term.row);
    const bool is_signed = term.kind == MemTerm::Kind::s32;
    if (term.kind != MemTerm::Kind::i64) {
      if (!keeps_pattern(shape(term.row), shapes_.patterns, is_signed)) {
        const auto most =
            static_cast<std::uint64_t>(shapes_.patterns.most(shape(term.row).pattern));
        const Value inside = is_signed ? b_.CreateICmpSLE(row, i32(0x7fffffffu - most))
                                       : b_.CreateICmpULE(row, i32(0xffffffffu - most));
        holds = holds == nullptr ? inside : b_.CreateAnd(holds, inside);
      }
      row = is_signed ? b_.CreateSExt(row, i64_) : b_.CreateZExt(row, i64_);
    }
    sum = b_.CreateAdd(sum, b_.CreateMul(row, i64(static_cast<std::uint64_t>(term.scale))));
  }
  return sum;
}

void Emitter::emit_access(std::uint32_t pc, const Op& op) {
  const MemRef& ref = code_.refs[op.a];
  const ShapedResult address = shape_of_address(ref, shapes_.rows, shapes_.patterns, true);
  if (is_quick(op, address)) return set_results(op, quick(pc, op, address));
  if (is_loose(op)) return set_results(op, loose(pc, op));
  emit_called(pc, op);
}

llvm::Value* Emitter::of_region(const Op& op, std::size_t offset, llvm::Type* type) {
  return b_.CreateLoad(type, step(regions_, op.a * sizeof(Region) + offset));
}

/// There is one region of shared memory: where the access is not in it after all, is_in_space says so.
llvm::Value* Emitter::base_of_region(const Op& op) {
  return expected_space(code_.refs[op.a]) == MemorySpace::shared
             ? i64(kSharedWindow)
             : of_region(op, offsetof(Region, base), i64_);
}

llvm::Value* Emitter::is_in_space(const Op& op, MemorySpace space) {
  return b_.CreateICmpEQ(of_region(op, offsetof(Region, space), i8_),
                         b_.getInt8(static_cast<std::uint8_t>(space)));
}

/// Do `reach` bytes from the offset on, or from each of 32, lie in the region of the operation's last access,
/// and does it begin where an access may?
llvm::Value* Emitter::is_inside(const Op& op, Value offset, std::uint64_t reach) {
  const std::uint64_t bytes = code_.refs[op.a].bytes;
  const Value size = of_region(op, offsetof(Region, size), i64_);
  Value room =
      b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, b_.CreateAdd(size, i64(1)), i64(reach));
  const bool is_narrow = offset->getType() == row32_;
  if (is_narrow) room = b_.CreateTrunc(room, i32_);
  if (offset->getType()->isVectorTy()) room = b_.CreateVectorSplat(kLanes, room);
  const Value inside = b_.CreateICmpULT(offset, room);
  if (bytes == 1 || is_narrow) return inside;
  const Value beyond = b_.CreateAnd(offset, like(offset, bytes - 1));
  return b_.CreateAnd(inside, b_.CreateICmpEQ(beyond, like(offset, 0)));
}

MemorySpace Emitter::expected_space(const MemRef& ref) {
  return ref.space == MemorySpace::generic ? MemorySpace::global : ref.space;
}

Emitter::Values Emitter::quick(std::uint32_t pc, const Op& op, const ShapedResult& address) {
  const MemRef& ref = code_.refs[op.a];
  Place place;
  place.reference = op.a;
  place.lanes = shapes_.patterns[address.shape.pattern];
  place.space = expected_space(ref);
  Value holds = nullptr;
  place.address = first_address(ref, address.plus, holds);
  const bool may_wrap = holds != nullptr;
  place.offset = b_.CreateSub(place.address, base_of_region(op));
  const auto reach = static_cast<std::uint64_t>(most_of(place.lanes)) + ref.bytes;
  const Value inside = is_inside(op, place.offset, reach);
  holds = holds == nullptr ? inside : b_.CreateAnd(holds, inside);
  holds = b_.CreateAnd(holds, is_in_space(op, place.space));
  place.data = of_region(op, offsetof(Region, data), pointer_);
  const Value all = b_.CreateICmpEQ(mask(), full());
  // A few lanes of local memory, and of bytes, are the interpreter's.
  const bool in_part = place.space != MemorySpace::local && ref.component_bytes >= 4;
  if (!in_part) holds = b_.CreateAnd(holds, all);
  const auto way = [&] {
    return in_part ? whole_or_part(pc, op, place, all) : whole_quick(op, place);
  };
  // Lanes that are off may have an index below 0, as those before the first element have.
  return may_wrap && is_loose(op) ? branch(holds, way, [&] { return loose(pc, op); })
                                  : either_way(pc, op, holds, way);
}

Emitter::Values Emitter::whole_quick(const Op& op, const Place& place) {
  const MemRef& ref = code_.refs[op.a];
  count_one(op.a, slot_of(ref, place));
  if (op.code == Code::load) return load_quick(ref, place);
  store_quick(ref, place);
  return {};
}

/// Asks for what the access comes to soon, if it goes on as it went from the warp's last time to this: round a loop,
/// or block after block, in steps that the processor does not follow by itself.
void Emitter::fetch_ahead(const Place& place) {
  constexpr std::int64_t kLine = 64, kFewLines = 4;
  if (place.space != MemorySpace::global) return;
  std::set<std::int64_t> lines;
  for (const std::int64_t lane : place.lanes) lines.insert(lane / kLine);
  const Value gone = gone_since(place.reference, place.offset);
  const Value first = b_.CreateGEP(i8_, place.data, b_.CreateAdd(place.offset, gone));
  for (const std::int64_t line : lines)
    fetch(step(first, static_cast<std::uint64_t>(line * kLine)), lines.size() <= kFewLines);
}

/// How far the reference's offset is from that of the warp's last time.
llvm::Value* Emitter::gone_since(std::uint32_t reference, Value offset) {
  const Value noted = step(last_offsets_, std::uint64_t{reference} * 2 * sizeof(std::uint64_t));
  const Value gone = b_.CreateSub(offset, b_.CreateLoad(i64_, noted));
  b_.CreateStore(offset, noted);
  return gone;
}

/// Many lines would push each other out of the nearest cache before they are used.
void Emitter::fetch(Value address, bool is_near) {
  b_.CreateIntrinsic(llvm::Intrinsic::prefetch, {pointer_},
                     {address, i32(0), i32(is_near ? 3 : 2), i32(1)});
}

/// By all lanes, or by some at the same addresses.
Emitter::Values Emitter::whole_or_part(std::uint32_t pc, const Op& op, const Place& place,
                                       Value all) {
  const MemRef& ref = code_.refs[op.a];
  return branch(
      all, [&] { return whole_quick(op, place); },
      [&] {
        count_part(pc, ref, place);
        if (is_row(ref, place.lanes)) return move_part(pc, op, place);
        const Value offsets = b_.CreateAdd(b_.CreateVectorSplat(kLanes, place.offset),
                                           constant_lanes(place.lanes, i64_));
        if (op.code == Code::load)
          return gather(ref, place.data, offsets, shapes_.keeps_others[pc]);
        scatter(ref, place.data, offsets);
        return Values{};
      });
}

/// Lanes side by side, from the first on.
bool Emitter::is_row(const MemRef& ref, const LanePattern& lanes) {
  return ref.components == 1 && is_contiguous(lanes, ref.bytes);
}

Emitter::Values Emitter::move_part(std::uint32_t pc, const Op& op, const Place& place) {
  const MemRef& ref = code_.refs[op.a];
  llvm::FixedVectorType* type = ref.bytes == 8 ? row64_ : row32_;
  const llvm::Align align(ref.bytes);
  return where_there_is(place.data, [&] {
    const Value at = b_.CreateInBoundsGEP(i8_, place.data, place.offset), active = bits(mask());
    if (op.code != Code::load) {
      b_.CreateMaskedStore(lanes(ref.value[0]), at, align, active);
      return Values{};
    }
    const Value others =
        shapes_.keeps_others[pc] ? lanes(ref.value[0]) : llvm::Constant::getNullValue(type);
    return Values{b_.CreateMaskedLoad(type, at, align, active, others)};
  });
}

/// Where the first lane lies in its sector or word.
llvm::Value* Emitter::slot_of(const MemRef& ref, const Place& place) {
  if (place.space == MemorySpace::global) return b_.CreateAnd(place.address, i64(kSlots - 1));
  if (place.space == MemorySpace::shared && ref.bytes < 4)
    return b_.CreateAnd(place.offset, i64(3));
  return i64(0);
}

/// One more of a reference at its place in a sector or word, or so many; settle_counts knows what that costs.
void Emitter::count_one(std::uint32_t reference, Value slot, Value times) {
  const Value at = b_.CreateInBoundsGEP(
      i64_, step(fast_, std::uint64_t{reference} * kSlots * sizeof(std::uint64_t)), slot);
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(i64_, at), times != nullptr ? times : i64(1)), at);
}

/// Words of shared memory in banks of their own.
bool Emitter::is_apart(const MemRef& ref, const LanePattern& lanes) {
  std::uint32_t banks = 0;
  for (const std::int64_t lane : lanes) banks |= 1u << (lane / 4 % kLanes);
  return ref.space == MemorySpace::shared && ref.bytes == 4 && banks == kAllLanes;
}

void Emitter::count_part(std::uint32_t pc, const MemRef& ref, const Place& place) {
  if (is_apart(ref, place.lanes)) return count_one(code_.ops[pc].a, i64(kApartSlot));
  call(&called::count_part, {frame_, i32(pc), b_.CreateTrunc(slot_of(ref, place), i32_), mask()});
}

// ---- data ----

LanePattern Emitter::component_lanes(const MemRef& ref, const Place& place,
                                     std::uint32_t component) {
  LanePattern lanes = place.lanes;
  for (std::int64_t& lane : lanes) lane += std::int64_t{component} * ref.component_bytes;
  return lanes;
}

Emitter::Values Emitter::load_quick(const MemRef& ref, const Place& place) {
  if (place.space == MemorySpace::local) return load_local(ref, place);
  return where_there_is(place.data, [&] {
    fetch_ahead(place);
    Values values;
    const Value from = b_.CreateInBoundsGEP(i8_, place.data, place.offset);
    for (std::uint32_t c = 0; c < ref.components; ++c) {
      const Value value = load_lanes(from, component_lanes(ref, place, c), ref.component_bytes);
      values.push_back(ref.component_bytes < 4 ? b_.CreateZExt(value, row32_) : value);
    }
    return values;
  });
}

void Emitter::store_quick(const MemRef& ref, const Place& place) {
  if (place.space == MemorySpace::local) return store_local(ref, place);
  where_there_is(place.data, [&] {
    fetch_ahead(place);
    const Value to = b_.CreateInBoundsGEP(i8_, place.data, place.offset);
    for (std::uint32_t c = 0; c < ref.components; ++c)
      store_lanes(to, component_lanes(ref, place, c), ref, lanes(ref.value[c]));
    return Values{};
  });
}

/// `lanes`: bytes from `from`, multiples of the element's size from the least of them.
llvm::Value* Emitter::load_lanes(Value from, const LanePattern& lanes, std::uint32_t bytes) {
  llvm::Type* element = b_.getIntNTy(bytes * 8);
  const llvm::Align align(bytes);
  const std::int64_t low = *std::min_element(lanes.begin(), lanes.end());
  const std::int64_t span = (most_of(lanes) - low) / bytes + 1;
  const Value first = step(from, static_cast<std::uint64_t>(low));
  if (span == 1) return b_.CreateVectorSplat(kLanes, b_.CreateAlignedLoad(element, first, align));
  if (span <= kMostSpan) {
    auto* type = llvm::FixedVectorType::get(element, static_cast<unsigned>(span));
    const Value all = b_.CreateAlignedLoad(type, first, align);
    llvm::SmallVector<int, kLanes> order;
    for (const std::int64_t lane : lanes) order.push_back(static_cast<int>((lane - low) / bytes));
    return b_.CreateShuffleVector(all, order);
  }
  std::map<std::int64_t, Value> loaded;
  Value row = llvm::PoisonValue::get(lanes_of(element));
  for (std::size_t l = 0; l < kLanes; ++l) {
    Value& value = loaded[lanes[l]];
    if (value == nullptr)
      value =
          b_.CreateAlignedLoad(element, step(from, static_cast<std::uint64_t>(lanes[l])), align);
    row = b_.CreateInsertElement(row, value, l);
  }
  return row;
}

/// Of lanes that store to one place one's value stays.
void Emitter::store_lanes(Value to, const LanePattern& lanes, const MemRef& ref, Value value) {
  const std::uint32_t bytes = ref.component_bytes;
  llvm::Type* element = b_.getIntNTy(bytes * 8);
  const llvm::Align align(bytes);
  if (bytes < 4) value = b_.CreateTrunc(value, lanes_of(element));
  LanePattern relative = lanes;
  for (std::int64_t& lane : relative) lane -= lanes[0];
  if (is_contiguous(relative, bytes)) {
    b_.CreateAlignedStore(value, step(to, static_cast<std::uint64_t>(lanes[0])), align);
    return;
  }
  std::map<std::int64_t, std::size_t> stays;
  in_store_order(kAllLanes, ref.bytes, [&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    stays[lanes[l]] = l;
  });
  for (const auto& [place, l] : stays)
    b_.CreateAlignedStore(b_.CreateExtractElement(value, l),
                          step(to, static_cast<std::uint64_t>(place)), align);
}

// ---- local memory: all lanes at one word of theirs is a row ----

llvm::Value* Emitter::local_row(const Place& place, std::uint32_t component) {
  const Value word = b_.CreateAdd(b_.CreateLShr(place.offset, 2), i64(component));
  return b_.CreateInBoundsGEP(i32_, local_, b_.CreateMul(word, i64(kLanes)));
}

Emitter::Values Emitter::load_local(const MemRef& ref, const Place& place) {
  Values values;
  for (std::uint32_t c = 0; c < ref.components; ++c)
    values.push_back(b_.CreateAlignedLoad(row32_, local_row(place, c), llvm::Align(4)));
  return values;
}

void Emitter::store_local(const MemRef& ref, const Place& place) {
  for (std::uint32_t c = 0; c < ref.components; ++c)
    b_.CreateAlignedStore(lanes(ref.value[c]), local_row(place, c), llvm::Align(4));
}

}  // namespace lanescope
