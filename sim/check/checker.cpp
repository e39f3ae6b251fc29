#include "check/checker.h"

#include <algorithm>
#include <bit>

#include "lanescope/trace.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostFindings = 32;
constexpr std::uint64_t kMostShadowBytes = 512u << 20;

bool narrow_shared_access(const FlatCode& code) {
  return std::any_of(code.refs.begin(), code.refs.end(), [](const MemRef& ref) {
    return ref.component_bytes < 4 && ref.space != MemorySpace::global &&
           ref.space != MemorySpace::local && ref.space != MemorySpace::texture;
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

}  // namespace

Checker::Checker(const FlatProgram& program, const Launch& launch, const GlobalMemory& memory)
    : program_(program), launch_(launch) {
  granule_ = narrow_shared_access(program.lean) ? 1 : 4;
  const std::size_t bytes =
      std::size_t{program.info().static_shared_bytes} + launch.dynamic_shared_bytes;
  shared_.resize(bytes / granule_ + 1);
  shared_written_.resize(shared_.size());
  const std::uint32_t warps = warps_per_block(launch.block);
  warp_sync_.resize(warps);
  local_written_.assign(warps, std::vector<LaneMask>(program.local_bytes / 4 + 1));
  local_ended_ = local_written_;
  judge_blocks_ = !program.has_global_atomics;
  std::uint64_t total = 0;
  for (const Buffer& buffer : memory.buffers()) total += buffer.bytes * 2;
  for (const Buffer& buffer : memory.buffers()) {
    GlobalShadow shadow{buffer.base, buffer.bytes, buffer.spec.fill == Fill::poison, {}};
    if (total <= kMostShadowBytes)
      shadow.cells.reset(
          static_cast<GlobalCell*>(std::calloc(buffer.bytes / 4 + 1, sizeof(GlobalCell))));
    global_.push_back(std::move(shadow));
  }
}

void Checker::begin_block(Dim3 block, std::uint64_t index) {
  block_ = block;
  block_index_ = static_cast<std::uint32_t>(index) + 1;
  ++epoch_;
  for (std::vector<LaneMask>& words : local_written_) std::fill(words.begin(), words.end(), 0);
  for (std::vector<LaneMask>& words : local_ended_) std::fill(words.begin(), words.end(), 0);
}

bool Checker::is_new(DiagnosticKind kind, MemorySpace space, std::uint32_t info) const {
  return findings_.size() < kMostFindings &&
         std::none_of(findings_.begin(), findings_.end(), [&](const Finding& f) {
           return f.kind == kind && f.space == space && f.info == info;
         });
}

Finding& Checker::add(DiagnosticKind kind, MemorySpace space, const WarpState& warp, const Op& op,
                      int lane, std::uint64_t address, const MemRef& ref) {
  Finding f;
  f.kind = kind;
  f.space = space;
  f.info = op.info;
  f.block = block_;
  f.thread = thread_of(launch_.block, warp.index, lane);
  f.address = address;
  f.bytes = ref.bytes;
  f.is_store = !directions(op).reads;
  return findings_.emplace_back(f);
}

void Checker::access(const WarpState& warp, const Op& op, const MemRef& ref, const Region& region,
                     const std::uint64_t* address, LaneMask mask) {
  const bool loads = op.code == Code::load;
  std::uint64_t before = ~0ull;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t at = address[lane];
    if (region.space == MemorySpace::shared)
      access_shared(warp, op, ref, at - region.base, lane);
    else if (region.space == MemorySpace::global && !(loads && at == before))
      access_global(warp, op, ref, at, lane);  // what the first of several lanes loads, all have
    else if (region.space == MemorySpace::local)
      access_local(warp, op, ref, at - region.base, lane);
    else if (region.space == MemorySpace::constant && directions(op).writes)
      write_to_constant(warp, op, ref, region, at, lane);
    if (!heap_.empty() && !ref.of_heap) judge_heap(warp, op, ref, at, lane);
    before = at;
  }
}

/// An earlier access of this epoch by another thread that nothing orders before this one.
bool Checker::conflicts(const Toucher& before, const WarpState& warp, std::uint32_t thread) const {
  if (before.epoch != epoch_ || before.thread == thread) return false;
  const bool same_warp = before.thread / kLanes == warp.index;
  return !same_warp || before.sync == warp_sync_[warp.index];
}

void Checker::access_shared(const WarpState& warp, const Op& op, const MemRef& ref,
                            std::uint64_t offset, int lane) {
  const auto [reads, writes] = directions(op);
  const bool is_atomic = reads && writes;
  const std::uint32_t thread = warp.index * kLanes + static_cast<std::uint32_t>(lane);
  const Toucher now{thread, epoch_, warp_sync_[warp.index], op.info};
  for (std::uint64_t at = offset / granule_, end = (offset + ref.bytes + granule_ - 1) / granule_;
       at < end; ++at) {
    SharedCell& cell = shared_[at];
    if (reads && shared_written_[at] != block_index_ &&
        uses_value(ref, at * granule_ - offset, granule_) &&
        is_new(DiagnosticKind::uninitialised, MemorySpace::shared, op.info))
      add(DiagnosticKind::uninitialised, MemorySpace::shared, warp, op, lane,
          kSharedWindow + offset, ref);
    const bool both_atomic = is_atomic && cell.atomic;
    const Toucher* rival =
        !both_atomic && conflicts(cell.writer, warp, thread) ? &cell.writer : nullptr;
    bool rival_writes = rival != nullptr;
    if (rival == nullptr && writes)
      for (const Toucher* reader : {&cell.reader, &cell.other_reader})
        if (rival == nullptr && conflicts(*reader, warp, thread)) rival = reader;
    if (rival != nullptr && is_new(DiagnosticKind::race, MemorySpace::shared, op.info)) {
      Finding& f = add(DiagnosticKind::race, MemorySpace::shared, warp, op, lane,
                       kSharedWindow + offset, ref);
      f.other_info = rival->info;
      f.other_block = block_;
      f.other_thread = thread_of(launch_.block, rival->thread / kLanes,
                                 static_cast<int>(rival->thread % kLanes));
      f.other_is_store = rival_writes;
    }
    if (writes) {
      cell.writer = now;
      cell.atomic = is_atomic;
      shared_written_[at] = block_index_;
    } else if (cell.reader.epoch != epoch_) {
      cell.reader = now;
    } else if (cell.reader.thread != thread &&
               (cell.other_reader.epoch != epoch_ ||
                cell.other_reader.thread / kLanes == cell.reader.thread / kLanes)) {
      cell.other_reader = now;
    } else if (cell.reader.thread == thread) {
      cell.reader = now;
    }
  }
}

void Checker::access_global(const WarpState& warp, const Op& op, const MemRef& ref,
                            std::uint64_t address, int lane) {
  const auto [reads, writes] = directions(op);
  if (watch_ != 0 && writes && watch_ - address < ref.bytes) {
    findings_.reserve(findings_.size() + 1);
    watched_ = add(DiagnosticKind::wrong_result, MemorySpace::global, warp, op, lane, address, ref);
    findings_.pop_back();
  }
  const auto shadow =
      std::find_if(global_.begin(), global_.end(),
                   [address](const GlobalShadow& s) { return address - s.base < s.bytes; });
  if (shadow == global_.end() || !shadow->cells) return;
  const std::uint64_t offset = address - shadow->base;
  for (std::uint64_t at = offset / 4, end = (offset + ref.bytes + 3) / 4; at < end; ++at) {
    GlobalCell& cell = shadow->cells[at];
    if (reads && shadow->starts_empty && cell.writer == 0 &&
        uses_value(ref, at * 4 - offset, 4) &&
        is_new(DiagnosticKind::uninitialised, MemorySpace::global, op.info))
      add(DiagnosticKind::uninitialised, MemorySpace::global, warp, op, lane, address, ref);
    const bool by_other = cell.writer != 0 && cell.writer != block_index_;
    const bool read_by_other = writes && cell.reader != 0 && cell.reader != block_index_;
    if (judge_blocks_ && ref.bytes >= 4 && (by_other || read_by_other) &&
        is_new(DiagnosticKind::race, MemorySpace::global, op.info)) {
      Finding& f = add(DiagnosticKind::race, MemorySpace::global, warp, op, lane, address, ref);
      const std::uint64_t rival = (by_other ? cell.writer : cell.reader) - 1;
      const Dim3 grid = launch_.grid;
      f.other_block = {static_cast<std::uint32_t>(rival % grid.x),
                       static_cast<std::uint32_t>(rival / grid.x % grid.y),
                       static_cast<std::uint32_t>(rival / grid.x / grid.y)};
      f.other_is_store = by_other;
    }
    if (writes) cell.writer = block_index_;
    if (reads) cell.reader = block_index_;
  }
}

void Checker::access_local(const WarpState& warp, const Op& op, const MemRef& ref,
                           std::uint64_t offset, int lane) {
  const auto [reads, writes] = directions(op);
  judge_scope(warp, op, ref, offset, lane);
  std::vector<LaneMask>& words = local_written_[warp.index];
  for (std::uint64_t at = offset / 4, end = (offset + ref.bytes + 3) / 4;
       at < end && at < words.size(); ++at) {
    if (reads && (words[at] >> lane & 1) == 0 && uses_value(ref, at * 4 - offset, 4) &&
        is_new(DiagnosticKind::uninitialised, MemorySpace::local, op.info))
      add(DiagnosticKind::uninitialised, MemorySpace::local, warp, op, lane, kLocalWindow + offset,
          ref);
    if (writes) words[at] |= 1u << lane;
  }
}

}  // namespace lanescope
