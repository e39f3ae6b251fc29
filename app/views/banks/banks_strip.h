// Every recorded execution of the block's shared accesses: a row an access, worst first, and within
// it an execution a cell, worst first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/picture/trace_index.h"
#include "platform/texture.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

struct StripRow {
  int access = -1;
  /// In TraceIndex::shared(), worst first
  std::vector<std::uint32_t> executions;
  std::uint64_t wavefronts = 0, conflicts = 0;
  /// Executions with a conflict
  std::size_t conflicting = 0;
};
/// By conflicts, the most first.
std::vector<StripRow> strip_rows(const KernelInfo& kernel, const TraceIndex& index);

struct BanksStrip {
  std::uint64_t serial = 0;
  std::vector<StripRow> rows;
  /// A row of texels for each of `rows`
  Texture heat;
  // The selected execution, and where it is among its row's; -1 if it is none.
  int selected_access = -1;
  std::uint32_t selected_warp = 0;
  std::size_t selected_step = 0;
  std::ptrdiff_t place = -1;
};

/// The height that the strip takes; 0 if the block has no shared access.
float strip_height(const ViewContext& ctx, BanksStrip& strip);
void draw_strip(const ViewContext& ctx, BanksStrip& strip, Actions& actions);

}  // namespace lanescope::app
