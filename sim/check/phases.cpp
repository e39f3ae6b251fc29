// What the checker is told of mbarriers and of barriers for a part of the block.
#include <bit>
#include <cstring>

#include "check/checker.h"
#include "machine/mbarrier.h"
#include "model/messages.h"

namespace lanescope {
namespace {

/// Numbered barriers stand behind all of shared memory.
std::uint64_t place_of_part(std::uint32_t id) { return std::uint64_t{1} << 32 | id; }

}  // namespace

void Checker::meets_part(std::uint32_t warp, std::uint32_t id, bool is_met) {
  meet_warp(warp);
  clocks_.arrive(place_of_part(id), warp, kAllLanes, happens_before_.tick(), is_met);
}

void Checker::met_part(std::uint32_t warp, std::uint32_t id) {
  clocks_.wait(place_of_part(id), warp);
}

void Checker::waited_for(std::uint32_t warp, const Awaited& awaited) {
  for (LaneMask left = awaited.lanes; left != 0; left &= left - 1)
    clocks_.wait(awaited.offset[static_cast<std::size_t>(std::countr_zero(left))], warp);
}

/// One lane after the other, as they change the word.
void Checker::change_mbarriers(const Access& access) {
  const auto* changes = reinterpret_cast<const std::uint64_t*>(
      access.machine.rows + std::size_t{access.ref.operand} * kLanes);
  std::unordered_map<std::uint64_t, std::uint64_t> words;
  for (LaneMask left = access.mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t offset = access.address[lane] - access.region.base;
    const auto [at, is_first] = words.try_emplace(offset);
    if (is_first) std::memcpy(&at->second, access.region.data + offset, sizeof at->second);
    std::uint64_t& word = at->second;
    const std::uint32_t arrivals = mbarrier::pending(changes[lane]);
    if (mbarrier::is_valid(word) && arrivals > mbarrier::pending(word) &&
        is_new(DiagnosticKind::overflow, MemorySpace::shared, access.op.info)) {
      Finding& f = add(DiagnosticKind::overflow, MemorySpace::shared, access.warp, access.op, lane,
                       access.address[lane], access.ref);
      f.message = say::mbarrier_too_often(arrivals, mbarrier::pending(word));
      f.hint = say::init_with_all;
    }
    const std::uint64_t next = mbarrier::changed(word, changes[lane]);
    clocks_.arrive(offset, access.by.warp, 1u << lane, happens_before_.phase(),
                   mbarrier::is_next_phase(word, next));
    word = next;
  }
  happens_before_.tick();
}

}  // namespace lanescope
