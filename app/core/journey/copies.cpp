#include "core/journey/copies.h"

#include <algorithm>
#include <bit>
#include <map>

namespace lanescope::app {
namespace {

constexpr std::uint32_t kChunk = ChunkLine::kChunk;

/// By address of the sector.
using Sectors = std::map<std::uint64_t, Sector>;

void add_bytes(Sectors& sectors, std::uint64_t at, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t first = (at + i) / kSectorBytes * kSectorBytes;
    Sector& sector = sectors[first];
    sector.address = first;
    sector.byte_mask |= 1u << (at + i - first);
  }
}

}  // namespace

std::vector<BulkStep> copies_at(const KernelInfo& kernel, const BlockTrace& trace,
                                std::uint32_t warp, std::size_t step) {
  const WarpTrack& track = trace.warps[warp];
  const int access = kernel.ops[track.op[step]].access;
  if (access < 0 || track.rows[step] == WarpTrack::kNoRows) return {};
  const AccessInfo& info = kernel.accesses[static_cast<std::size_t>(access)];
  if (info.op != AccessOp::bulk_load && info.op != AccessOp::bulk_store) return {};
  return bulk_steps(trace.rows, track.rows[step], track.mask[step], info.components > 0);
}

std::vector<BulkChunk> chunks_at(const KernelInfo& kernel, const BlockTrace& trace,
                                 std::uint32_t warp, std::size_t step) {
  std::vector<BulkChunk> all;
  for (const BulkStep& copy : copies_at(kernel, trace, warp, step)) {
    const std::vector<BulkChunk> chunks = bulk_chunks(copy);
    all.insert(all.end(), chunks.begin(), chunks.end());
  }
  return all;
}

std::vector<ChunkLine> shared_lines(const std::vector<BulkChunk>& chunks) {
  std::map<std::uint32_t, ChunkLine> found;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::uint32_t at = chunks[i].shared;
    ChunkLine& line = found[at / ChunkLine::kBytes];
    line.number = at / ChunkLine::kBytes;
    line.chunk[at % ChunkLine::kBytes / kChunk] = static_cast<int>(i);
  }
  std::vector<ChunkLine> lines;
  for (const auto& [number, line] : found) lines.push_back(line);
  return lines;
}

SectorPlan plan_copies(const std::vector<BulkStep>& copies, bool to_shared) {
  SectorPlan plan;
  Sectors sectors;
  for (const BulkStep& copy : copies) {
    plan.cost += copy.map ? TensorTile(*copy.map, copy.first, copy.offset).cost(to_shared)
                          : bulk_cost(copy.global, copy.shared, copy.bytes);
    for (const BulkChunk& chunk : bulk_chunks(copy))
      if (chunk.global != 0) add_bytes(sectors, chunk.global, kChunk);
  }
  plan.bytes_moved = plan.cost.sectors * kSectorBytes;
  for (auto& [address, sector] : sectors) {
    sector.bytes_used = static_cast<std::uint32_t>(std::popcount(sector.byte_mask));
    plan.bytes_used += sector.bytes_used;
    const std::uint64_t line = address / kLineBytes * kLineBytes;
    if (plan.lines.empty() || plan.lines.back().address != line)
      plan.lines.push_back({.address = line, .sectors = {}});
    plan.lines.back().sectors.push_back(sector);
  }
  return plan;
}

}  // namespace lanescope::app
