// Lines of shared memory as eight chunks of 16 bytes each, under the banks that they lie in.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/journey/chunk_line.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

struct ChunkCell {
  ImU32 color = 0;
  std::string text, tooltip;
  bool lit = false, dim = false;
};
/// As many lines as fit `size` from `min` on, with their offsets; `longest` is a text that all of the cells' are not
/// longer than.
void draw_chunk_lines(const ViewContext& ctx, const std::vector<ChunkLine>& lines,
                      const std::function<ChunkCell(int)>& cell_of, const char* longest, ImVec2 min,
                      ImVec2 size);

}  // namespace lanescope::app
