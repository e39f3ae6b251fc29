#include "views/sectors/sectors_view.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "core/journey/copies.h"
#include "core/picture/chain.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

constexpr int kSectorsPerLine = static_cast<int>(kLineBytes / kSectorBytes);

constexpr float kFloats = 8;  // in a sector

struct Row {
  float left, top, label, sector, height;
  [[nodiscard]] float x(int index) const {
    return left + label + sector * static_cast<float>(index);
  }
};

void draw_bytes(const ViewContext& ctx, const Sector& sector, ImVec2 min, ImVec2 max) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float byte = (max.x - min.x) / kSectorBytes;
  list.AddRectFilled(min, max, ctx.theme.wasted);
  for (int i = 0; i < static_cast<int>(kSectorBytes); ++i) {
    if (!(sector.byte_mask >> i & 1u)) continue;
    int last = i;
    while (last + 1 < static_cast<int>(kSectorBytes) && (sector.byte_mask >> (last + 1) & 1u))
      ++last;
    list.AddRectFilled({min.x + byte * static_cast<float>(i), min.y},
                       {min.x + byte * static_cast<float>(last + 1), max.y}, ctx.theme.used);
    i = last;
  }
}

// The lanes of a sector that want just what this one wants.
LaneMask lanes_at(const Execution& shown, const Sector& sector, std::uint64_t address) {
  LaneMask same = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    if ((sector.lanes >> lane & 1u) && shown.address[static_cast<std::size_t>(lane)] == address)
      same |= LaneMask{1} << lane;
  return same;
}

// One item for the lanes of an address, over the bytes that they ask for.
void draw_lanes(const ViewContext& ctx, const Execution& shown, const Sector& sector, ImVec2 min,
                ImVec2 max, Actions& actions) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float byte = (max.x - min.x) / kSectorBytes;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(sector.lanes >> lane & 1u)) continue;
    const std::uint64_t address = shown.address[static_cast<std::size_t>(lane)];
    const LaneMask same = lanes_at(shown, sector, address);
    if (std::countr_zero(same) != lane) continue;  // drawn with the first of them
    const float from = min.x + byte * static_cast<float>(address - sector.address);
    const float to = from + byte * static_cast<float>(shown.access->bytes);
    const ImVec2 a{from, min.y}, b{std::max(to, from + 2), max.y};
    if (shown.access->bytes > 1) list.AddLine({from, min.y}, {from, max.y}, ctx.theme.canvas, 1);
    const int count = std::popcount(same);
    const float type = std::max(ImGui::GetFontSize() * 0.85f, 0.4f * (b.y - a.y));
    const float size =
        fitting_size(ctx.fonts.text, type, b.x - a.x, b.y - a.y, count > 1 ? "×32" : kWidestLane);
    text_in_box(list, count > 1 ? ctx.fonts.strong : ctx.fonts.text, size, 7 * ctx.scale, a, b,
                text_on(ctx.theme.used),
                count > 1 ? fmt::format("×{}", count) : std::to_string(lane));
    const int lit = ctx.focus.lit_lane;
    const bool is_lit = lit >= 0 && (same >> lit & 1u) != 0;
    if (is_lit) {
      outline(list, a, {b.x - 1, b.y}, ctx.theme.selection, 2.5f * ctx.scale);
      ctx.lit.add("sectors", lit, address);
    }
    // What is lit already answers for those beside it, so that hovering does not jump about.
    lane_item(ctx, is_lit ? lit : lane, &shown, a, b, actions);
  }
}

void draw_line(const ViewContext& ctx, const Execution* shown, const Line& line, const Row& row,
               bool labelled, Actions& actions) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string name =
      locate(*ctx.picture, std::max(line.address, line.sectors.front().address)).text();
  const float size = ImGui::GetFontSize() * 0.85f;
  if (labelled) {
    list.AddText(ctx.fonts.mono, size,
                 {row.left, row.top + std::max(-2.0f, (row.height - size) / 2 - 1)}, ctx.theme.dim,
                 name.c_str());
  }
  for (int i = 0; i < kSectorsPerLine; ++i) {
    const ImVec2 min{row.x(i) + 1, row.top},
        max{row.x(i + 1) - 2, row.top + row.height - (row.height > 10 ? 3.0f : 1.0f)};
    const std::uint64_t address = line.address + kSectorBytes * static_cast<std::uint64_t>(i);
    const auto sector = std::find_if(line.sectors.begin(), line.sectors.end(),
                                     [&](const Sector& s) { return s.address == address; });
    if (sector == line.sectors.end()) {
      list.AddRect(min, max, ctx.theme.grid);
      continue;
    }
    draw_bytes(ctx, *sector, min, max);
    if (row.height > 10) list.AddRect(min, max, ctx.theme.dim);
    if (shown) draw_lanes(ctx, *shown, *sector, min, max, actions);
  }
  if (row.height > 10) {
    list.AddRect({row.x(0) - 1, row.top - 1}, {row.x(kSectorsPerLine), row.top + row.height - 2},
                 ctx.theme.cell);
  }
}

/// `shown` is null of a bulk copy.
void draw_lines(const ViewContext& ctx, const Execution* shown, const SectorPlan& plan,
                Actions& actions) {
  ImGui::BeginChild("lines", {0, 0});
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetContentRegionAvail().y;
  Row row{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + 2, 0, 0, 0};
  const std::string longest =
      locate(*ctx.picture, plan.lines.empty() ? 0 : plan.lines.back().address).text() + "00";
  row.label =
      ctx.fonts.mono->CalcTextSizeA(ImGui::GetFontSize() * 0.85f, FLT_MAX, 0, longest.c_str()).x;
  row.sector = std::floor((width - row.label - 4) / kSectorsPerLine);
  const auto count = static_cast<float>(std::max<std::size_t>(1, plan.lines.size()));
  // Few lines in a wide view are drawn as large as their cells are wide, for the last row of a hall.
  const float most = std::max(30 * ctx.scale, 1.4f * row.sector / kFloats);
  row.height = row_height(height - 6, count, 4 * ctx.scale, most);
  const float top = row.top, end = top + std::max(height, count * row.height);
  const auto every = static_cast<std::size_t>(std::ceil(ImGui::GetFontSize() / row.height));
  for (std::size_t i = 0; i < plan.lines.size(); ++i) {
    // The last name would be cut off where rows are lower than letters.
    const bool room = i == 0 || row.top + ImGui::GetFontSize() * 0.85f <= end;
    draw_line(ctx, shown, plan.lines[i], row, i % every == 0 && room, actions);
    row.top += row.height;
  }
  ImGui::Dummy({width - 2, row.top - top});
  ImGui::EndChild();
}

void draw_plan(const ViewContext& ctx, const Execution* shown, const SectorPlan& plan,
               const std::string& title, Actions& actions) {
  const bool good = plan.cost.sectors <= plan.cost.ideal_sectors;
  headline(ctx, sectors_headline(plan), good ? ctx.theme.good : ctx.theme.warning);
  hint(ctx, title + " · " +
                tr("{0} bytes asked for, {1} bytes moved, 128-byte lines: {2}",
                   {plan.cost.bytes_asked, plan.bytes_moved, plan.lines.size()}));
  legend(ctx, {{ctx.theme.used, tr("asked for")},
               {ctx.theme.wasted, tr("moved in vain")},
               {ctx.theme.canvas, tr("not moved")}});
  draw_lines(ctx, shown, plan, actions);
}

/// Of the copy that is shown, the lines that its rows lie in.
void draw_copy(const ViewContext& ctx, Actions& actions) {
  const auto step = shown_access_step(*ctx.picture, ctx.selection);
  const auto copies =
      step ? copies_at(ctx.picture->kernel(), *ctx.focus.trace, ctx.focus.warp, *step)
           : std::vector<BulkStep>{};
  if (copies.empty()) return nothing_to_show(ctx, tr("This warp makes no such copy."));
  const SectorPlan plan = plan_copies(copies, ctx.focus.access->op == AccessOp::bulk_load);
  draw_plan(ctx, nullptr, plan, access_title(*ctx.focus.access), actions);
}

}  // namespace

std::string sectors_headline(const SectorPlan& plan) {
  return tr(plan.cost.sectors == 1 ? "{0} sector, ideal {1}: {2} % efficient"
                                   : "{0} sectors, ideal {1}: {2} % efficient",
            {plan.cost.sectors, plan.cost.ideal_sectors, decimal(plan.cost.efficiency() * 100)});
}

void draw_sectors(const ViewContext& ctx, SectorsState&, Actions& actions) {
  if (!ctx.focus.access) return nothing_recorded(ctx, tr("Select an access to see its sectors."));
  if (is_of_engine(ctx.focus.access->op) && ctx.focus.access->space == MemorySpace::global)
    return draw_copy(ctx, actions);
  const Execution* shown = ctx.focus.in(MemorySpace::global);
  if (is_of_engine(ctx.focus.access->op) || (ctx.focus.shown && !shown))
    return nothing_to_show(ctx, tr("The selected access does not reach global memory."));
  if (!shown) return nothing_to_show(ctx, tr("This warp never executes the selected access."));
  draw_plan(ctx, shown, *shown->sectors, access_title(*shown->access), actions);
}

}  // namespace lanescope::app
