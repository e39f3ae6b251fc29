// Small pieces that several views draw.
#pragma once

#include <initializer_list>
#include <string>

#include "imgui.h"
#include "views/draw/view_context.h"

namespace lanescope::app {

/// Whether the control that comes next is held and has been moved since it was taken hold of: what
/// it changes now is one change with what it changed before. Ask before it is drawn.
bool still_held(const char* id);

/// A sentence that states the result: larger, strong, wrapped.
void headline(const ViewContext& ctx, const std::string& text, ImU32 color);
/// Dim, wrapped.
void hint(const ViewContext& ctx, const std::string& text);
/// Centred in what is left of the window, for a view that has nothing to show.
void nothing_to_show(const ViewContext& ctx, const char* why);
/// The same for a view of a launch; a program that has not run says what to do about it.
void nothing_recorded(const ViewContext& ctx, const char* why);

/// Centred text in a box, at `size` pixels or smaller down to `smallest`; drawn only where it fits.
bool text_in_box(ImDrawList& list, ImFont* font, float size, float smallest, ImVec2 min, ImVec2 max,
                 ImU32 color, const std::string& text);
/// The lane number that takes most room in the text font: what fits it fits all of 0 to 31.
inline constexpr char kWidestLane[] = "30";
/// The largest size, up to `size`, at which `sample` fits the box; for numbers that should all be
/// of one size.
float fitting_size(ImFont* font, float size, float width, float height, const char* sample);
/// As much of a text as fits `width` pixels, with an ellipsis where it was cut.
std::string shortened(const std::string& text, float width);
/// Height of each of `rows` rows in `space` pixels: whole pixels unless they are thin, within the
/// given bounds.
float row_height(float space, float rows, float least, float most);
void hatch(ImDrawList& list, ImVec2 min, ImVec2 max, float spacing, ImU32 color);
/// A line that ends in an arrow head.
void arrow(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color, float thickness);
/// A box drawn twice, so that it shows on every background.
void outline(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 color, float thickness);

struct LegendEntry {
  ImU32 color;
  const char* text;
  bool hatched = false;
};
void legend(const ViewContext& ctx, std::initializer_list<LegendEntry> entries);

/// An item over a lane's cell: hovering and clicking it mean that lane. True while hovered.
bool lane_item(const ViewContext& ctx, int lane, const Execution* execution, ImVec2 min, ImVec2 max,
               Actions& actions);
/// Lane, thread, address, bank or sector; `execution` may be null.
void lane_tooltip(const ViewContext& ctx, int lane, const Execution* execution);

enum class Icon {
  first,
  back,
  forward,
  last,
  next_access,
  previous_access,
  next_barrier,
  play,
  pause
};
bool icon_button(const ViewContext& ctx, const char* id, Icon icon, const char* tooltip);

/// "32×8", and the third only where it is more than 1.
std::string extent_text(Dim3 extent);
/// "lane 3 of warp 0: thread (3, 0)".
std::string lane_and_thread(const ViewContext& ctx, std::uint32_t warp, int lane);
/// "0–3, 7": the lanes of a mask in words.
std::string lanes_text(LaneMask mask);
/// "tile[threadIdx.y][threadIdx.x]  store", as a person names an access.
std::string access_title(const AccessInfo& access);

}  // namespace lanescope::app
