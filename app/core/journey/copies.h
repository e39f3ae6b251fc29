// Bulk copies of a trace: what the copy engine moved for a warp, past all lanes. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/journey/chunk_line.h"
#include "lanescope/tensor_tile.h"
#include "lanescope/trace.h"

namespace lanescope::app {

/// Those that a warp's step asked for, one for each lane that did; none where it is no bulk copy, or was not recorded.
std::vector<BulkStep> copies_at(const KernelInfo& kernel, const BlockTrace& trace,
                                std::uint32_t warp, std::size_t step);
/// The same, in pieces of 16 bytes, one copy's after the other's.
std::vector<BulkChunk> chunks_at(const KernelInfo& kernel, const BlockTrace& trace,
                                 std::uint32_t warp, std::size_t step);

/// Where the pieces of copies lie in shared memory, ascending; chunks are numbered as `chunks_at` gives them.
std::vector<ChunkLine> shared_lines(const std::vector<BulkChunk>& chunks);

/// The lines of global memory that copies take, and what they cost (lanescope/tensor_tile.h). No lane touches a sector.
SectorPlan plan_copies(const std::vector<BulkStep>& copies, bool to_shared);

}  // namespace lanescope::app
