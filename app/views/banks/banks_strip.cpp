#include "views/banks/banks_strip.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr int kColumns = 512;            // texels of a row
constexpr std::size_t kMostVisible = 4;  // rows; more are scrolled

// What an execution costs against the same without conflicts.
double heat_of(const SharedExecution& e) {
  const int ideal = std::max(1, static_cast<int>(e.wavefronts) - static_cast<int>(e.conflicts));
  return static_cast<double>(e.wavefronts) / ideal;
}

void rebuild(const ViewContext& ctx, BanksStrip& strip) {
  strip.serial = ctx.picture->serial;
  strip.selected_access = -1;
  strip.place = -1;
  strip.rows.clear();
  if (!ctx.picture->index) return;
  const TraceIndex& index = *ctx.picture->index;
  strip.rows = strip_rows(ctx.picture->kernel(), index);
  if (strip.rows.empty()) return;
  std::vector<std::uint32_t> texels;
  for (const StripRow& row : strip.rows) {
    for (int column = 0; column < kColumns; ++column) {
      const std::size_t i = static_cast<std::size_t>(column) * row.executions.size() / kColumns;
      texels.push_back(heat_color(heat_of(index.shared()[row.executions[i]])));
    }
  }
  strip.heat.upload(kColumns, static_cast<int>(strip.rows.size()), texels);
}

void execution_tooltip(const std::string& name, const StripRow& row, const SharedExecution& e) {
  tooltip(name + "\n" +
          tr("warp {0}, step {1}: {2} wavefronts, {3} conflicts",
             {e.warp, e.step + 1, e.wavefronts, e.conflicts}) +
          "\n" +
          tr("{0} of {1} executions in this block conflict",
             {grouped(row.conflicting), grouped(row.executions.size())}) +
          "\n" + tr("click: look at this warp and step"));
}

// Finds the selected execution, when it is another one than before.
void find_selected(const ViewContext& ctx, BanksStrip& strip) {
  const std::size_t step = ctx.focus.shown ? ctx.focus.shown->step : 0;
  const int access = ctx.focus.shown ? ctx.selection.access : -1;
  if (strip.selected_access == access && strip.selected_warp == ctx.focus.warp &&
      strip.selected_step == step)
    return;
  strip.selected_access = access;
  strip.selected_warp = ctx.focus.warp;
  strip.selected_step = step;
  strip.place = -1;
  const auto& shared = ctx.picture->index->shared();
  for (const StripRow& row : strip.rows) {
    if (row.access != access) continue;
    const auto found =
        std::find_if(row.executions.begin(), row.executions.end(), [&](std::uint32_t i) {
          return shared[i].warp == ctx.focus.warp && shared[i].step == step;
        });
    if (found != row.executions.end()) strip.place = found - row.executions.begin();
  }
}

std::string name_of(const AccessInfo& access) {
  return fmt::format("{}  {}", access.pos.line, access_title(access));
}

float widest_name(const ViewContext& ctx, const BanksStrip& strip) {
  float widest = 0;
  for (const StripRow& row : strip.rows) {
    const AccessInfo& access = ctx.picture->kernel().accesses[static_cast<std::size_t>(row.access)];
    widest = std::max(widest, ImGui::CalcTextSize(name_of(access).c_str()).x);
  }
  return widest;
}

void draw_row(const ViewContext& ctx, BanksStrip& strip, std::size_t number, ImVec2 min, ImVec2 max,
              float label, Actions& actions) {
  const StripRow& row = strip.rows[number];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const AccessInfo& access = ctx.picture->kernel().accesses[static_cast<std::size_t>(row.access)];
  const bool selected = row.access == ctx.selection.access;
  const std::string name = name_of(access);
  list.AddText(min, selected ? ctx.theme.selection : ctx.theme.dim,
               shortened(name, label - 6 * ctx.scale).c_str());

  const float left = min.x + label, width = max.x - left;
  const auto count = static_cast<float>(row.executions.size());
  const auto x = [&](std::ptrdiff_t i) { return left + width * static_cast<float>(i) / count; };
  if (width / count > 4) {  // cells with room for a gap are told apart
    for (std::size_t i = 1; i < row.executions.size(); ++i) {
      const float at = std::round(x(static_cast<std::ptrdiff_t>(i)));
      list.AddLine({at, min.y}, {at, max.y}, ctx.theme.canvas, 1);
    }
  }
  if (const std::ptrdiff_t i = strip.place; selected && i >= 0) {
    const float from = x(i), to = std::max(x(i + 1), from + 3 * ctx.scale);
    outline(list, {from, min.y}, {to, max.y}, ctx.theme.selection, 2 * ctx.scale);
  }
  ImGui::SetCursorScreenPos({left, min.y});
  ImGui::PushID(static_cast<int>(number));
  const bool clicked = ImGui::InvisibleButton("executions", {width, max.y - min.y});
  if (ImGui::IsItemHovered()) {
    const float part = std::clamp((ImGui::GetMousePos().x - left) / width, 0.0f, 0.9999f);
    const SharedExecution& e =
        ctx.picture->index->shared()[row.executions[static_cast<std::size_t>(part * count)]];
    execution_tooltip(name, row, e);
    if (clicked) {
      if (e.warp != ctx.selection.warp) actions.push_back(SelectWarp{e.warp});
      actions.push_back(SelectStep{e.step});
    }
  }
  ImGui::PopID();
}

float row_step(const ViewContext& ctx) { return ImGui::GetTextLineHeight() + 3 * ctx.scale; }

}  // namespace

std::vector<StripRow> strip_rows(const KernelInfo& kernel, const TraceIndex& index) {
  std::vector<StripRow> rows(kernel.accesses.size());
  const auto& shared = index.shared();
  std::uint16_t most = 0;
  for (const SharedExecution& e : shared) most = std::max(most, e.conflicts);
  // Sorted by buckets: there may be hundreds of thousands.
  std::vector<std::vector<std::uint32_t>> buckets(most + std::size_t{1});
  for (std::uint32_t i = 0; i < shared.size(); ++i) buckets[shared[i].conflicts].push_back(i);
  for (auto bucket = buckets.rbegin(); bucket != buckets.rend(); ++bucket) {
    for (const std::uint32_t i : *bucket) {
      StripRow& row = rows[shared[i].access];
      row.access = static_cast<int>(shared[i].access);
      row.executions.push_back(i);
      row.wavefronts += shared[i].wavefronts;
      row.conflicts += shared[i].conflicts;
      row.conflicting += shared[i].conflicts > 0;
    }
  }
  std::erase_if(rows, [](const StripRow& row) { return row.executions.empty(); });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const StripRow& a, const StripRow& b) { return a.conflicts > b.conflicts; });
  return rows;
}

float strip_height(const ViewContext& ctx, BanksStrip& strip) {
  if (strip.serial != ctx.picture->serial) rebuild(ctx, strip);
  const auto rows = static_cast<float>(std::min(strip.rows.size(), kMostVisible));
  return rows > 0 ? rows * row_step(ctx) + 2 * ctx.scale : 0;
}

void draw_strip(const ViewContext& ctx, BanksStrip& strip, Actions& actions) {
  const float height = strip_height(ctx, strip);
  if (height == 0) return;
  find_selected(ctx, strip);
  ImGui::BeginChild("strip", {0, height});
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, step = row_step(ctx);
  const float label = std::min(width * 0.52f, widest_name(ctx, strip) + 8 * ctx.scale);
  const auto rows = static_cast<float>(strip.rows.size());
  const ImVec2 min{origin.x + label, origin.y}, max{origin.x + width, origin.y + step * rows};
  strip.heat.draw_sharp(*ImGui::GetWindowDrawList(), min, max);
  for (std::size_t i = 0; i < strip.rows.size(); ++i) {
    const float top = origin.y + step * static_cast<float>(i);
    // The gap between the rows of one texture.
    ImGui::GetWindowDrawList()->AddLine({min.x, top + step - 1}, {max.x, top + step - 1},
                                        ctx.theme.canvas, 3 * ctx.scale);
    draw_row(ctx, strip, i, {origin.x, top}, {max.x, top + step - 2 * ctx.scale}, label, actions);
  }
  ImGui::SetCursorScreenPos({origin.x, origin.y});
  ImGui::Dummy({width, step * rows});
  ImGui::EndChild();
}

}  // namespace lanescope::app
