#include "check/checker.h"

#include <algorithm>
#include <bit>

#include "check/place.h"
#include "lanescope/trace.h"
#include "machine/flow.h"
#include "model/simulator_messages.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostFindings = 32;
constexpr std::uint64_t kMostShadowBytes = 512u << 20;
/// Touched from one end to the other
constexpr std::uint64_t kLargeShadow = 4u << 20;
/// Lanes' accesses of one block: a block that goes on for longer is in an endless loop, or has shown
/// what it does. Nothing behind it is looked at, since what it wrote is not known.
constexpr std::uint64_t kMostLookedAt = 30'000'000;

bool narrow_shared_access(const FlatCode& code) {
  return std::any_of(code.refs.begin(), code.refs.end(), [](const MemRef& ref) {
    return ref.component_bytes < 4 && ref.space != MemorySpace::global &&
           ref.space != MemorySpace::local && ref.space != MemorySpace::texture;
  });
}

bool narrow_local_access(const FlatCode& code) {
  return std::any_of(code.refs.begin(), code.refs.end(), [](const MemRef& ref) {
    return ref.component_bytes < 4 &&
           (ref.space == MemorySpace::local || ref.space == MemorySpace::generic);
  });
}

bool narrow_global_access(const FlatCode& code) {
  return std::any_of(code.refs.begin(), code.refs.end(), [](const MemRef& ref) {
    return ref.bytes < 4 && (ref.space == MemorySpace::global || ref.space == MemorySpace::generic);
  });
}

/// Which way an access moves data; an atomic operation both ways.
struct Directions {
  bool reads, writes;
};
Directions directions(const Op& op) {
  const OperationInfo& info = operation_info(op.code);
  return {info.reads, info.writes};
}

/// Whether any of the `bytes` from `first` of an access, which may lie before or behind it, counts.
bool uses_value(const MemRef& ref, std::uint64_t first, std::uint32_t bytes) {
  if (ref.keeps_bits) return false;
  if (ref.padding == 0) return true;
  for (std::uint64_t at = first; at != first + bytes; ++at)
    if (at < ref.bytes && (ref.padding >> at & 1) == 0) return true;
  return false;
}

bool is_of_library(const KernelInfo& kernel) {
  return kernel.declared.line == 0 || std::none_of(kernel.ops.begin(), kernel.ops.end(),
                                                   [](const auto& op) { return op.pos.line != 0; });
}

/// Of a block, or of all blocks of a cluster
std::uint32_t all_warps(const FlatProgram& program, const Launch& launch) {
  return warps_per_block(launch.block) * static_cast<std::uint32_t>(program.cluster.count());
}

}  // namespace

Checker::Checker(const FlatProgram& program, const Launch& launch, const GlobalMemory& memory)
    : program_(program), is_of_library_(is_of_library(program.info())), launch_(launch),
      memory_(memory), warps_(warps_per_block(launch.block)), touches_(program.info().ops.size()),
      settled_(program.info().ops.size()), meetings_(all_warps(program, launch)),
      clocks_(all_warps(program, launch)) {
  granule_ = narrow_shared_access(program.lean) ? 1 : 4;
  const std::size_t bytes =
      std::size_t{program.info().static_shared_bytes} + launch.dynamic_shared_bytes;
  const std::size_t blocks = program.cluster.count();
  cells_ = bytes / granule_ + 1;
  shared_.resize(cells_ * blocks);
  shared_written_.resize(shared_.size());
  local_granule_ = narrow_local_access(program.lean) ? 1 : 4;
  own_.local_written.assign(warps_,
                            std::vector<LaneMask>(program.local_bytes / local_granule_ + 1));
  own_.local_ended = own_.local_written;
  if (blocks > 1) {
    others_.assign(blocks, own_);
    arrived_.resize(blocks * warps_);
    foreign_readers_.resize(shared_.size());
    happens_before_.in_cluster(blocks, warps_ * kLanes);
  }
  std::uint64_t total = program.image.size();
  for (const Buffer& buffer : memory.buffers()) total += buffer.bytes;
  if (narrow_global_access(program.lean) && total * sizeof(GlobalCell) <= kMostShadowBytes)
    global_granule_ = 1;
  total *= sizeof(GlobalCell) / global_granule_;
  const auto add_shadow = [&](std::uint64_t base, std::uint64_t size, bool starts_empty) {
    GlobalShadow shadow{base, size, starts_empty, {}};
    if (total <= kMostShadowBytes) {
      const std::uint64_t cells = (size / global_granule_ + 1) * sizeof(GlobalCell);
      shadow.pages = Pages(cells);
      if (cells >= kLargeShadow) shadow.pages.large(true);
      shadow.cells = reinterpret_cast<GlobalCell*>(shadow.pages.data());
    }
    global_.push_back(std::move(shadow));
  };
  for (const Buffer& buffer : memory.buffers())
    add_shadow(buffer.base, buffer.bytes, buffer.spec.fill == Fill::poison);
  if (!program.image.empty()) add_shadow(kConstantWindow, program.image.size(), false);
}

void Checker::begin_block(Dim3 block, std::uint64_t index) {
  begin_own(block, index);
  block_begin_ = own_.epoch_begin;
  if (looked_at_ <= kMostLookedAt) looked_at_ = 0;
  happens_before_.begin_block();
  clocks_.begin_block();
  engines_.clear(), multipliers_.clear(), bulk_groups_.clear(), proxy_fences_.clear();
}

void Checker::begin_own(Dim3 block, std::uint64_t index) {
  own_.block = block;
  own_.index = static_cast<std::uint32_t>(index) + 1;
  own_.epoch = ++epochs_;
  own_.epoch_begin = touches_.next();
  own_.reached.clear(), own_.has_ended = false;
  own_.copies.begin_block();
  own_.undefined.begin_block();
  own_.sums.begin_block();
  for (std::vector<LaneMask>& words : own_.local_written) std::fill(words.begin(), words.end(), 0);
  for (std::vector<LaneMask>& words : own_.local_ended) std::fill(words.begin(), words.end(), 0);
}

void Checker::barrier() {
  next_epoch();
  if (is_in_cluster())
    clocks_.meet(number(0), warps_, happens_before_.tick());
  else
    clocks_.barrier();
}

void Checker::next_epoch() {
  own_.epoch = ++epochs_;
  own_.epoch_begin = touches_.next();
  happens_before_.barrier(own_.index, own_.epoch);
}

void Checker::meet_warp(std::uint32_t warp) {
  meetings_.meet_all(warp);
  happens_before_.warp_sync(warp, kAllLanes);
  clocks_.warp_sync(warp, happens_before_.tick());
}

void Checker::warp_sync(const Machine& machine, const WarpState& warp, const Op& op,
                        LaneMask mask) {
  const std::uint32_t* masks = machine.rows + std::size_t{mask_row(*machine.code, op)} * kLanes;
  LaneMask living = warp.existing & ~warp.exited;
  if (mask != living) living &= ~ended_lanes(*machine.code, warp);
  LaneMask some = 0, every = kAllLanes;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    some |= masks[std::countr_zero(left)];
    every &= masks[std::countr_zero(left)];
  }
  const bool all = mask == living && (warp.existing & ~every) == 0;
  const std::uint32_t own = number(warp.index);
  meetings_.meet(own, mask, all, masks, op.code == Code::syncwarp);
  for (LaneMask left = mask; left != 0;) {
    const LaneMask group = masks[std::countr_zero(left)] & mask;
    happens_before_.warp_sync(own, group);
    left &= ~group & (left - 1);
  }
  clocks_.warp_sync(own, happens_before_.tick());
  // A kernel that returns early may well end in __syncwarp(); a result that is asked of the lanes that have
  // ended is hardly meant.
  const bool names_ended = op.code != Code::syncwarp && (some & warp.existing & ~living) != 0;
  if (names_ended || ((some ^ every) & living) != 0) judge_masks(warp, op, mask, living, masks);
}

/// Who meets names the same lanes (CUDA C++ Programming Guide, "Warp Vote Functions"). The hardware does not
/// wait for those that have ended.
void Checker::judge_masks(const WarpState& warp, const Op& op, LaneMask active, LaneMask living,
                          const std::uint32_t* masks) {
  for (LaneMask left = active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const LaneMask ended = masks[lane] & warp.existing & ~living;
    if (ended != 0 && op.code != Code::syncwarp)
      return say_of(DiagnosticKind::divergent_barrier, Severity::warning, warp.index, op.info, lane,
                    say::mask_names_ended(std::countr_zero(ended)), say::pass_mask_of_lanes);
    for (LaneMask with = masks[lane] & active; with != 0; with &= with - 1) {
      const int other = std::countr_zero(with);
      if (((masks[other] ^ masks[lane]) & living) == 0) continue;
      return say_of(DiagnosticKind::divergent_barrier, Severity::error, warp.index, op.info, lane,
                    say::masks_differ(lane, other, hex(masks[lane]), hex(masks[other])),
                    say::pass_mask_of_lanes);
    }
  }
}

void Checker::shuffle(const Machine& machine, const WarpState& warp, const Op& op, LaneMask mask) {
  const WarpCall& call = machine.code->calls[op.a];
  const std::uint32_t* width = machine.rows + std::size_t{call.width} * kLanes;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (std::has_single_bit(width[lane]) && width[lane] <= kLanes) continue;
    say_of(DiagnosticKind::divergent_barrier, Severity::error, warp.index, op.info, lane,
           say::shuffle_width(static_cast<std::int32_t>(width[lane])), say::give_power_of_two);
    break;
  }
  own_.undefined.shuffle(machine, warp, op, mask);
}

bool Checker::is_new(DiagnosticKind kind, MemorySpace space, std::uint32_t info) const {
  // A library's own kernels copy values that they have not set, and compilers keep none of that.
  if (kind == DiagnosticKind::uninitialised && is_of_library_) return false;
  return findings_.size() < kMostFindings &&
         std::none_of(findings_.begin(), findings_.end(), [&](const Finding& f) {
           return f.kind == kind && f.space == space && f.info == info;
         });
}

/// Of a read and a write by one expression, as `s[i] += 1` or a bit-field's store, each is in a race with the
/// other's lanes; of two in one line, as `s[i] += s[i + 1]`, each with the other: once is enough.
bool Checker::is_same_race(const Finding& a, const Finding& b) const {
  if (a.kind != DiagnosticKind::race || b.kind != DiagnosticKind::race || a.other_info == kNone ||
      b.other_info == kNone)
    return false;
  const auto at = [&](std::uint32_t info) { return program_.info().ops[info].pos; };
  const SourcePos own = at(a.info), other = at(a.other_info);
  if (own.line == 0) return false;
  return (own == at(b.info) && other == at(b.other_info)) ||
         (own.line == other.line && own == at(b.other_info) && other == at(b.info));
}

/// One for each operation and kind: the first, or the first that is worse.
void Checker::put(const Finding& finding) {
  const auto known = std::find_if(findings_.begin(), findings_.end(), [&](const Finding& other) {
    return other.kind == finding.kind && other.space == finding.space &&
           (other.info == finding.info || is_same_race(other, finding));
  });
  if (known != findings_.end()) {
    if (known->severity < finding.severity) *known = finding;
  } else if (findings_.size() < kMostFindings) {
    findings_.push_back(finding);
  }
}

void Checker::say_of(DiagnosticKind kind, Severity severity, std::uint32_t warp, std::uint32_t info,
                     int lane, const Message& message, const Message& hint) {
  Finding f;
  f.kind = kind;
  f.severity = severity;
  f.space = MemorySpace::generic;
  f.info = info;
  f.block = own_.block;
  f.thread = thread_of(launch_.block, warp, lane);
  f.message = message;
  f.hint = hint;
  put(f);
}

Finding& Checker::add(DiagnosticKind kind, MemorySpace space, const WarpState& warp, const Op& op,
                      int lane, std::uint64_t address, const MemRef& ref) {
  Finding f;
  f.kind = kind;
  f.space = space;
  f.info = op.info;
  f.block = own_.block;
  f.thread = thread_of(launch_.block, warp.index, lane);
  f.address = address;
  f.bytes = ref.bytes;
  f.is_store = !directions(op).reads;
  return findings_.emplace_back(f);
}

Checker::Access Checker::looked_at(const Machine& machine, const WarpState& warp, const Op& op,
                                   const MemRef& ref, const Region& region,
                                   const std::uint64_t* address, LaneMask mask) {
  const auto [reads, writes] = directions(op);
  const std::uint32_t own = number(warp.index);
  const TouchedBy by{
      own_.index, own,          own,   own_.epoch, meetings_.count(own), happens_before_.phase(),
      op.info,    ref.strength, reads, writes,     ref.in_block};
  const std::uint64_t window = (region.base - kSharedWindow) / kClusterStride;
  const std::size_t rank = region.base == kSharedWindow ? rank_ : window - 1;
  return {machine, warp, op, ref, region, address, mask, reads, writes, by, touches_.number(by),
          rank};
}

void Checker::access(const Machine& machine, const WarpState& warp, const Op& op, const MemRef& ref,
                     const Region& region, const std::uint64_t* address, LaneMask mask) {
  if (region.space == MemorySpace::local) {
    for (LaneMask left = mask; left != 0; left &= left - 1)
      access_local(warp, op, ref, address[std::countr_zero(left)] - region.base,
                   std::countr_zero(left));
    return;
  }
  if (!heap_.empty() && !ref.of_heap)
    for (LaneMask left = mask; left != 0; left &= left - 1)
      judge_heap(warp, op, ref, address[std::countr_zero(left)], std::countr_zero(left));
  if (region.space == MemorySpace::constant && directions(op).writes)
    for (LaneMask left = mask; left != 0; left &= left - 1)
      write_to_constant(warp, op, ref, region, address[std::countr_zero(left)],
                        std::countr_zero(left));
  if (ref.of_heap || looked_at_ > kMostLookedAt) return;
  looked_at_ += static_cast<std::uint64_t>(std::popcount(mask));
  const Access access = looked_at(machine, warp, op, ref, region, address, mask);
  if (region.space == MemorySpace::shared) {
    for (LaneMask left = mask; left != 0; left &= left - 1)
      access_shared(access, address[std::countr_zero(left)] - region.base, std::countr_zero(left));
  } else {
    if (watch_ != 0 && access.writes && region.space == MemorySpace::global) watch(access);
    GlobalShadow* shadow = shadow_of(region, address[std::countr_zero(mask)]);
    if (shadow == nullptr || access.touch == 0) return;
    // What two of several lanes load, all of them do.
    std::uint64_t before = ~0ull, before_that = ~0ull;
    for (LaneMask left = mask; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const std::uint64_t at = address[lane];
      if (access.writes || at != before || at != before_that)
        access_global(access, *shadow, at - shadow->base, lane);
      before_that = before;
      before = at;
    }
  }
  if (ref.is_async) begin_copies(access);
  if (ref.atomic == AtomicOp::mbarrier && region.space == MemorySpace::shared)
    change_mbarriers(access);
  if (ref.strength != Strength::plain) synchronise(access);
}

Checker::GlobalShadow* Checker::shadow_of(const Region& region, std::uint64_t address) {
  if (region.space != MemorySpace::global && region.base != kConstantWindow) return nullptr;
  return shadow_at(address);
}

Checker::GlobalShadow* Checker::shadow_at(std::uint64_t address) {
  const auto shadow =
      std::find_if(global_.begin(), global_.end(),
                   [address](const GlobalShadow& s) { return address - s.base < s.bytes; });
  return shadow == global_.end() || shadow->cells == nullptr ? nullptr : &*shadow;
}

bool Checker::is_past(const Access& access, const Cell& cell, Touch foreign_reader,
                      bool in_shared) const {
  if (own_.copies.any() || !engines_.empty()) return false;
  if (!is_past(cell.writer, in_shared) || !is_past(cell.atomic, in_shared)) return false;
  return !access.writes ||
         (is_past(cell.reader, in_shared) && is_past(cell.other_reader, in_shared) &&
          is_past(foreign_reader, in_shared));
}

void Checker::keep(const Access& access, int lane, Cell& cell) {
  if (access.writes || cell.reader >= (is_in_cluster() ? block_begin_ : own_.epoch_begin))
    return note(access, lane, cell, touches_);
  cell.reader = access.touch + static_cast<Touch>(lane);
}

void Checker::access_shared(const Access& access, std::uint64_t offset, int lane) {
  const std::uint64_t end = (offset + access.ref.bytes + granule_ - 1) / granule_,
                      base = access.region.base;
  const std::size_t first = access.rank * cells_;
  const bool is_foreign = access.rank != rank_;
  const std::uint32_t owner = of(access.rank).index;
  if (is_foreign && !reaches(access.rank, access.touch + static_cast<Touch>(lane), base + offset))
    return;
  if (program_.local_bytes != 0)
    judge_pointer(access, shared_[first + offset / granule_], base + offset, lane);
  for (std::uint64_t at = offset / granule_; at < end; ++at) {
    Cell& cell = shared_[first + at];
    if (access.reads && shared_written_[first + at] != owner &&
        uses_value(access.ref, at * granule_ - offset, granule_) &&
        is_new(DiagnosticKind::uninitialised, MemorySpace::shared, access.op.info))
      add(DiagnosticKind::uninitialised, MemorySpace::shared, access.warp, access.op, lane,
          base + std::max(offset, at * granule_), access.ref);
    const Spot spot{lane, base + offset, base + at * granule_, granule_};
    const Touch foreign = is_in_cluster() ? foreign_readers_[first + at] : 0;
    if (!is_past(access, cell, foreign, true)) judge_all(access, spot, cell, foreign);
    if (is_foreign && !access.writes)
      foreign_readers_[first + at] = access.touch + static_cast<Touch>(lane);
    else
      keep(access, lane, cell);
    if (access.writes) shared_written_[first + at] = owner;
  }
}

void Checker::watch(const Access& access) {
  in_store_order(access.mask, access.ref.bytes, [&](int lane) {
    if (watch_ - access.address[lane] < access.ref.bytes)
      watched_ = seen(access, lane), watched_->kind = DiagnosticKind::wrong_result;
  });
}

void Checker::access_global(const Access& access, GlobalShadow& shadow, std::uint64_t offset,
                            int lane) {
  const std::uint64_t end = (offset + access.ref.bytes + global_granule_ - 1) / global_granule_;
  if (program_.local_bytes != 0)
    judge_pointer(access, shadow.cells[offset / global_granule_], shadow.base + offset, lane);
  for (std::uint64_t at = offset / global_granule_; at < end; ++at) {
    GlobalCell& cell = shadow.cells[at];
    const std::uint64_t address = shadow.base + offset;
    const bool is_written = cell.writer != 0 || cell.atomic != 0;
    if (access.reads && !is_written && (shadow.starts_empty || !heap_.empty()) &&
        uses_value(access.ref, at * global_granule_ - offset, global_granule_))
      judge_unwritten(access, shadow, std::max(address, shadow.base + at * global_granule_), lane);
    const Spot spot{lane, address, shadow.base + at * global_granule_, global_granule_};
    if (access.ref.bytes >= global_granule_) {
      if (!is_past(access, cell, cell.foreign_reader, false))
        judge_all(access, spot, cell, cell.foreign_reader);
      if (access.ref.incoherent) judge_coherence(access, spot, cell);
    }
    if (access.reads && cell.reader != 0 && (cell.reader < block_begin_ || is_in_cluster()) &&
        touches_[cell.reader].block != own_.index)
      cell.foreign_reader = cell.reader;
    keep(access, lane, cell);
  }
}

void Checker::judge_unwritten(const Access& access, const GlobalShadow& shadow,
                              std::uint64_t address, int lane) {
  const auto* block = heap_block(address);
  if ((!shadow.starts_empty && block == nullptr) ||
      !is_new(DiagnosticKind::uninitialised, MemorySpace::global, access.op.info))
    return;
  Finding& f = add(DiagnosticKind::uninitialised, MemorySpace::global, access.warp, access.op, lane,
                   address, access.ref);
  if (block == nullptr) return;
  f.message = say::heap_never_written(address - block->first, block->second.bytes);
  f.hint = say::initialise_it_first;
}

void Checker::access_local(const WarpState& warp, const Op& op, const MemRef& ref,
                           std::uint64_t offset, int lane) {
  const auto [reads, writes] = directions(op);
  judge_scope(warp, op, ref, offset, lane);
  std::vector<LaneMask>& words = own_.local_written[warp.index];
  const std::uint32_t each = local_granule_;
  for (std::uint64_t at = offset / each, end = (offset + ref.bytes + each - 1) / each;
       at < end && at < words.size(); ++at) {
    if (reads && (words[at] >> lane & 1) == 0 && uses_value(ref, at * each - offset, each) &&
        is_new(DiagnosticKind::uninitialised, MemorySpace::local, op.info))
      add(DiagnosticKind::uninitialised, MemorySpace::local, warp, op, lane,
          kLocalWindow + std::max(offset, at * each), ref);
    if (writes) words[at] |= 1u << lane;
  }
}

/// A value that means nothing is used: one finding for each shuffle, or where it is computed with.
void Checker::follow(const Machine& machine, const WarpState& warp, const Op& op, LaneMask mask) {
  const std::optional<UndefinedLanes::Use> use = own_.undefined.operation(machine, warp, op, mask);
  if (!use) return;
  const UndefinedLanes::Source& source = use->source;
  if (source.variable != kNone)
    return say_of(DiagnosticKind::uninitialised, Severity::error, warp.index,
                  source.info == kNone ? op.info : source.info, use->lane,
                  say::used_unset(program_.unset[source.variable]), say::set_it_first);
  Finding f;
  f.kind = DiagnosticKind::divergent_barrier;
  f.severity = source.missing ? Severity::warning : Severity::error;
  f.space = MemorySpace::generic;
  f.info = source.info;
  f.other_info = op.info;
  f.block = own_.block;
  f.thread = thread_of(launch_.block, warp.index, source.lane);
  f.shuffle = source;
  put(f);
}

}  // namespace lanescope
