// What one global-memory request moves: lines, sectors, and how many of their bytes were asked for.
#include "lanescope/sectors.h"

#include <algorithm>
#include <bit>
#include <map>

#include "model/cost_service.h"

namespace lanescope {

GlobalCounts& GlobalCounts::operator+=(const GlobalCounts& other) {
  cost::add(*this, other);
  return *this;
}

GlobalCounts global_cost(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                         Service service) {
  if (mask == 0) return {};
  return cost::served_global(address.data(), mask, bytes, service);
}

CopyCounts copy_cost(const LaneRow& from, const LaneRow& to, LaneMask mask, std::uint32_t bytes,
                     Service service) {
  if (mask == 0) return {};
  std::array<std::uint32_t, kLanes> offset;
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    offset[lane] = static_cast<std::uint32_t>(to[lane]);
  const cost::Copied counts = cost::copied(from.data(), offset.data(), mask, bytes, service);
  return {counts.shared, counts.global};
}

SectorPlan plan_sectors(const LaneRow& address, LaneMask mask, std::uint32_t bytes,
                        Service service) {
  std::map<std::uint64_t, Sector> touched;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1)) continue;
    const std::uint64_t base = address[lane] / kSectorBytes * kSectorBytes;
    Sector& sector = touched[base];
    sector.address = base;
    sector.lanes |= 1u << lane;
    const std::uint64_t run = (std::uint64_t{1} << bytes) - 1;
    sector.byte_mask |= static_cast<std::uint32_t>(run << (address[lane] - base));
  }
  SectorPlan plan;
  for (auto& [base, sector] : touched) {
    sector.bytes_used = static_cast<std::uint32_t>(std::popcount(sector.byte_mask));
    plan.bytes_used += sector.bytes_used;
    const std::uint64_t line = base / kLineBytes * kLineBytes;
    if (plan.lines.empty() || plan.lines.back().address != line) plan.lines.push_back({line, {}});
    plan.lines.back().sectors.push_back(sector);
  }
  const std::uint64_t sectors = touched.size();
  const std::uint64_t asked = static_cast<std::uint64_t>(active_lanes(mask)) * bytes;
  plan.bytes_moved = sectors * kSectorBytes;
  plan.cost = {mask != 0, sectors, std::min(sectors, (asked + kSectorBytes - 1) / kSectorBytes),
               asked};
  plan.cost.sectors = global_cost(address, mask, bytes, service).sectors;
  return plan;
}

}  // namespace lanescope
