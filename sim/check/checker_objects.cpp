// Mistakes about what a pointer belongs to, how long that lives, and what arithmetic leaves undefined.
#include <algorithm>
#include <bit>
#include <cstring>

#include "check/checker.h"
#include "check/place.h"
#include "lanescope/trace.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

const Region* region_at(const Machine& m, std::uint64_t address) {
  const auto found = std::find_if(m.regions.begin(), m.regions.end(),
                                  [address](const Region& r) { return address - r.base < r.size; });
  return found == m.regions.end() ? nullptr : &*found;
}

std::int64_t value_of(const Machine& m, const IndexBound& bound, int lane) {
  if (bound.row == kNone) return bound.constant;
  const std::uint32_t* row = m.rows + std::size_t{bound.row} * kLanes;
  if (bound.kind == MemTerm::Kind::i64) return reinterpret_cast<const std::int64_t*>(row)[lane];
  return bound.kind == MemTerm::Kind::s32 ? static_cast<std::int32_t>(row[lane])
                                          : std::int64_t{row[lane]};
}

/// The lanes of a row that are no index below `count`.
template <class T>
LaneMask lanes_past(const T* row, std::int64_t count) {
  LaneMask lanes = 0;
  for (int l = 0; l < kLanes; ++l) {
    const bool is_past =
        static_cast<std::uint64_t>(std::int64_t{row[l]}) >= static_cast<std::uint64_t>(count);
    lanes |= LaneMask{is_past} << l;
  }
  return lanes;
}

LaneMask lanes_past(const Machine& m, const IndexBound& bound) {
  if (bound.row == kNone)
    return bound.constant < 0 || bound.constant >= bound.count ? kAllLanes : 0;
  const std::uint32_t* row = m.rows + std::size_t{bound.row} * kLanes;
  if (bound.kind == MemTerm::Kind::i64)
    return lanes_past(reinterpret_cast<const std::int64_t*>(row), bound.count);
  return bound.kind == MemTerm::Kind::s32
             ? lanes_past(reinterpret_cast<const std::int32_t*>(row), bound.count)
             : lanes_past(row, bound.count);
}

bool reaches(const MemoryObject& object, std::uint64_t address, std::uint32_t bytes) {
  if (object.bytes == 0) return address >= object.begin;  // as large as the launch says
  return object.bytes >= bytes && address - object.begin <= object.bytes - bytes;
}

/// An access as its guard sees it.
struct Look {
  const Machine& m;
  const Guard& guard;
  const MemRef& ref;
  /// Where the access was last
  const Region& last;

  /// Those that have to be looked at one by one: few ever do.
  [[nodiscard]] LaneMask suspects(const std::uint64_t* address) const {
    if (guard.objects.size() > 1 || guard.parameter_bytes != 0) return kAllLanes;
    LaneMask lanes = 0;
    for (const IndexBound& bound : guard.bounds) lanes |= lanes_past(m, bound);
    if (const MemoryObject* whole = object(); whole != nullptr)
      for (int l = 0; l < kLanes; ++l)
        lanes |= LaneMask{!reaches(*whole, address[l], ref.bytes)} << l;
    if (guard.from_outside)
      for (int l = 0; l < kLanes; ++l)
        lanes |= LaneMask{base(l) - last.base >= last.size || address[l] - last.base >= last.size}
                 << l;
    return lanes;
  }
  [[nodiscard]] const MemoryObject* object() const {
    return guard.objects.size() == 1 ? &m.program->objects[guard.objects[0]] : nullptr;
  }
  [[nodiscard]] bool leaves_objects(std::uint64_t address) const {
    return !guard.objects.empty() &&
           std::none_of(guard.objects.begin(), guard.objects.end(), [&](std::uint32_t index) {
             return reaches(m.program->objects[index], address, ref.bytes);
           });
  }
  /// The first index of an array that has no such element.
  [[nodiscard]] const IndexBound* past(int lane) const {
    const auto found =
        std::find_if(guard.bounds.begin(), guard.bounds.end(), [&](const IndexBound& bound) {
          const std::int64_t index = value_of(m, bound, lane);
          return index < 0 || index >= bound.count;
        });
    return found == guard.bounds.end() ? nullptr : &*found;
  }
  [[nodiscard]] std::uint64_t base(int lane) const {
    return reinterpret_cast<const std::uint64_t*>(m.rows + std::size_t{ref.base} * kLanes)[lane];
  }
  /// It lies in other memory than the pointer that it was computed from. That pointer may be the end
  /// of its memory, where the next begins.
  [[nodiscard]] bool leaves_region(std::uint64_t address, int lane) const {
    if (!guard.from_outside) return false;
    const std::uint64_t from = base(lane);
    if (from - last.base < last.size && address - last.base < last.size) return false;
    const Region* own = region_at(m, from);
    if (own == nullptr || address - own->base < own->size) return false;
    const bool may_be_an_end = from == own->base && address < from;
    return !may_be_an_end && region_at(m, address) != nullptr;
  }
  [[nodiscard]] bool leaves_parameter(std::uint64_t address, int lane) const {
    return guard.parameter_bytes != 0 &&
           address - base(lane) + ref.bytes > std::uint64_t{guard.parameter_bytes};
  }
};

Message index_in_words(const IndexBound& bound, std::int64_t index, const MemoryObject* object) {
  const Message count = say::elements(static_cast<std::uint64_t>(bound.count));
  if (object == nullptr) return say::element_of_array(index, count);
  return bound.whole ? say::element_of_object(index, object->name, count)
                     : say::element_of_part(index, object->name, count);
}

}  // namespace

void Checker::guard(const Machine& m, const WarpState& warp, const Op& op, const MemRef& ref,
                    const std::uint64_t* address, LaneMask mask) {
  const Look look{m, m.code->guards[ref.guard], ref, m.ref_region[op.a]};
  const bool writes = operation_info(op.code).writes;
  for (LaneMask left = mask & look.suspects(address); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t at = address[lane];
    const IndexBound* past = look.past(lane);
    const bool leaves =
        past == nullptr && (look.leaves_objects(at) || look.leaves_region(at, lane) ||
                            look.leaves_parameter(at, lane));
    if (past == nullptr && !leaves) continue;
    if (!is_new(DiagnosticKind::out_of_bounds, MemorySpace::generic, op.info)) break;
    Finding& f = add(DiagnosticKind::out_of_bounds, MemorySpace::generic, warp, op, lane, at, ref);
    const Message place = past != nullptr
                              ? index_in_words(*past, value_of(m, *past, lane), look.object())
                          : look.object() != nullptr ? place_in(*look.object(), at)
                                                     : Message();
    f.base = look.guard.from_outside ? look.base(lane) : 0;
    f.place = place;
    f.hint = say::stays_in_its_array;
    if (past != nullptr && past->flattened && !look.leaves_objects(at))
      f.severity = Severity::warning;
    break;
  }
  const std::uint32_t argument = look.guard.argument;
  if (!writes || argument == kNone || argument >= program_.info().arguments.size()) return;
  const ArgumentInfo& given = program_.info().arguments[argument];
  if (!given.is_const || !is_new(DiagnosticKind::out_of_bounds, MemorySpace::constant, op.info))
    return;
  const int lane = std::countr_zero(mask);
  Finding& f =
      add(DiagnosticKind::out_of_bounds, MemorySpace::constant, warp, op, lane, address[lane], ref);
  f.message = say::write_through_const(given.name);
  f.severity = Severity::warning;
}

void Checker::write_to_constant(const WarpState& warp, const Op& op, const MemRef& ref,
                                const Region& region, std::uint64_t address, int lane) {
  std::string name;
  if (region.base == kConstantWindow) {
    const std::uint64_t offset = address - region.base;
    const auto variable =
        std::find_if(program_.variables.begin(), program_.variables.end(),
                     [offset](const ModuleVariable& v) { return offset - v.offset < v.bytes; });
    if (variable == program_.variables.end() || !variable->read_only) return;
    name = variable->name;
  }
  if (!is_new(DiagnosticKind::out_of_bounds, MemorySpace::constant, op.info)) return;
  Finding& f =
      add(DiagnosticKind::out_of_bounds, MemorySpace::constant, warp, op, lane, address, ref);
  f.message = name.empty() ? Message(say::write_to_constant) : say::write_to_constant_of(name);
  f.hint = say::constant_from_host;
}

// ---- scopes ----

void Checker::scope(std::uint32_t warp, const MemoryObject& object, bool ends, LaneMask mask) {
  std::vector<LaneMask>&written = own_.local_written[warp], &ended = own_.local_ended[warp];
  const std::uint32_t each = local_granule_;
  const std::uint64_t first = (object.begin - kLocalWindow) / each,
                      end = std::min<std::uint64_t>(first + (object.bytes + each - 1) / each,
                                                    ended.size());
  for (std::uint64_t at = first; at < end; ++at) {
    written[at] &= ~mask;
    ended[at] = ends ? ended[at] | mask : ended[at] & ~mask;
  }
}

void Checker::judge_scope(const WarpState& warp, const Op& op, const MemRef& ref,
                          std::uint64_t offset, int lane) {
  std::vector<LaneMask>& ended = own_.local_ended[warp.index];
  const std::uint64_t at = offset / local_granule_;
  if (at >= ended.size() || (ended[at] >> lane & 1) == 0) return;
  // What is read after its scope has nothing written in it either: said once.
  for (std::uint64_t i = at; i < ended.size() && i * local_granule_ < offset + ref.bytes; ++i)
    own_.local_written[warp.index][i] |= 1u << lane;
  if (!is_new(DiagnosticKind::uninitialised, MemorySpace::generic, op.info)) return;
  Finding& f = add(DiagnosticKind::uninitialised, MemorySpace::generic, warp, op, lane,
                   kLocalWindow + offset, ref);
  const MemoryObject* object = object_at(program_, kLocalWindow + offset);
  f.message = say::after_its_scope(f.is_store ? say::write_to : say::read_of,
                                   object != nullptr ? object->name : "");
  f.hint = say::declare_it_outside;
}

// ---- the device's heap ----

void Checker::heap_taken(const WarpState& warp, const Op& op, const std::uint64_t* address,
                         const std::uint64_t* bytes, LaneMask mask) {
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (address[lane] == 0) continue;
    heap_[address[lane]] = {bytes[lane], false, op.info, own_.block,
                            thread_of(launch_.block, warp.index, lane)};
    // What an earlier owner did there is nothing to the new one.
    if (GlobalShadow* shadow = shadow_at(address[lane])) {
      GlobalCell* first = shadow->cells + (address[lane] - shadow->base) / global_granule_;
      std::fill_n(first, (bytes[lane] + global_granule_ - 1) / global_granule_, GlobalCell{});
    }
  }
}

std::pair<const std::uint64_t, Checker::HeapBlock>* Checker::heap_block(std::uint64_t address) {
  const auto after = heap_.upper_bound(address);
  if (after == heap_.begin()) return nullptr;
  auto& block = *std::prev(after);
  return address - block.first < block.second.bytes ? &block : nullptr;
}

/// Marks the blocks that memory leads to.
void Checker::find_pointers(std::span<const std::byte> memory) {
  if (heap_.empty()) return;
  const std::uint64_t begin = heap_.begin()->first;
  const std::uint64_t bytes = heap_.rbegin()->first + heap_.rbegin()->second.bytes - begin;
  for (std::size_t at = 0; at + 8 <= memory.size(); at += 8) {
    std::uint64_t pointer = 0;
    std::memcpy(&pointer, memory.data() + at, sizeof pointer);
    if (pointer - begin >= bytes) continue;
    if (auto* block = heap_block(pointer)) block->second.is_led_to = true;
  }
}

/// A later launch may free what memory still leads to.
void Checker::launch_ended(std::span<const std::byte> image) {
  const auto is_left = [](const auto& block) { return !block.second.freed; };
  if (std::none_of(heap_.begin(), heap_.end(), is_left)) return;
  find_pointers(image);
  for (const Buffer& buffer : memory_.buffers())
    if (buffer.data != nullptr) find_pointers({buffer.data, buffer.bytes});
  for (const auto& [begin, block] : heap_) {
    if (block.freed || block.is_led_to) continue;
    Finding f;
    f.kind = DiagnosticKind::out_of_bounds;
    f.severity = Severity::warning;
    f.space = MemorySpace::generic;
    f.info = block.info;
    f.block = block.block;
    f.thread = block.thread;
    f.message = say::never_freed(block.bytes);
    f.hint = say::free_it;
    put(f);
  }
}

/// A pointer that is read: does it lead to local memory, of another thread?
void Checker::judge_pointer(const Access& access, const Cell& cell, std::uint64_t address,
                            int lane) {
  const Region& region = access.region;
  if (!access.reads || access.writes || cell.writer == 0 || access.ref.component_bytes != 8 ||
      region.data == nullptr)
    return;
  std::uint64_t pointer = 0;
  std::memcpy(&pointer, region.data + (address - region.base), sizeof pointer);
  const TouchedBy& by = touches_[cell.writer];
  const std::uint32_t own = number(access.warp.index) * kLanes + static_cast<std::uint32_t>(lane);
  if (pointer - kLocalWindow >= program_.local_bytes ||
      (by.block == own_.index && touches_.thread(cell.writer) == own))
    return;
  const Dim3 of = thread_of(launch_.block, by.issuer, static_cast<int>(cell.writer % kLanes));
  say_of(DiagnosticKind::out_of_bounds, Severity::error, access.warp.index, access.op.info, lane,
         say::local_of_another(
             say::thread_at_line(of.x, of.y, of.z, program_.info().ops[by.info].pos.line)),
         say::share_through_shared);
}

void Checker::heap_freed(const WarpState& warp, const Op& op, const std::uint64_t* address,
                         LaneMask mask) {
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (address[lane] == 0) continue;
    const auto block = heap_.find(address[lane]);
    const bool known = block != heap_.end();
    const bool again = known && block->second.freed;
    if (known) block->second.freed = true;
    // One that an earlier launch took is not known here.
    if (!again && (known || heap_.empty() || address[lane] - kConstantWindow >= kWindowBytes))
      continue;
    if (!is_new(DiagnosticKind::out_of_bounds, MemorySpace::generic, op.info)) return;
    MemRef none;
    Finding& f = add(DiagnosticKind::out_of_bounds, MemorySpace::generic, warp, op, lane,
                     address[lane], none);
    f.message = again ? say::freed_twice : say::freed_not_taken;
    return;
  }
}

void Checker::judge_heap(const WarpState& warp, const Op& op, const MemRef& ref,
                         std::uint64_t address, int lane) {
  // Blocks are powers of two with 16 bytes in front; what lies further away is another's.
  constexpr std::uint64_t kHead = 16;
  auto after = heap_.upper_bound(address);
  const bool before_next = after != heap_.end() && after->first - address <= kHead;
  if (after == heap_.begin() && !before_next) return;
  const auto block = after == heap_.begin() ? after : std::prev(after);
  const auto [begin, held] = *block;
  const std::uint64_t room = std::bit_ceil(std::max<std::uint64_t>(held.bytes + kHead, 32)) - kHead;
  const std::uint64_t offset = address - begin;
  const bool inside = offset < held.bytes && held.bytes - offset >= ref.bytes;
  if ((inside && !held.freed) || (!before_next && offset >= room) ||
      !is_new(DiagnosticKind::out_of_bounds, MemorySpace::generic, op.info))
    return;
  Finding& f =
      add(DiagnosticKind::out_of_bounds, MemorySpace::generic, warp, op, lane, address, ref);
  const Message what = f.is_store ? say::write_to : say::read_of;
  f.message = inside ? say::heap_after_free(what, held.bytes)
                     : say::heap_byte(what, static_cast<std::int64_t>(offset), held.bytes);
}

// ---- arithmetic ----

void Checker::arithmetic(std::uint32_t warp, const Op& op, int lane, Arithmetic what) {
  if (!is_new(DiagnosticKind::overflow, MemorySpace::generic, op.info)) return;
  Finding f;
  f.kind = DiagnosticKind::overflow;
  f.space = MemorySpace::generic;
  f.info = op.info;
  f.block = own_.block;
  f.thread = thread_of(launch_.block, warp, lane);
  switch (what) {
  case Arithmetic::signed_overflow:
    f.message = say::signed_overflow, f.hint = say::compute_wider;
    break;
  case Arithmetic::product_wraps:
    f.message = say::index_product_wraps, f.hint = say::compute_wider;
    f.severity = Severity::warning;
    break;
  case Arithmetic::zero_divisor:
    f.message = say::division_by_zero, f.hint = say::guard_the_divisor;
    break;
  case Arithmetic::quotient_too_large:
    f.message = say::quotient_too_large, f.hint = say::compute_wider;
    break;
  case Arithmetic::shift_too_far:
    f.message = say::shift_too_far, f.hint = say::shift_less;
    f.severity = Severity::warning;
    break;
  }
  findings_.push_back(std::move(f));
}

}  // namespace lanescope
