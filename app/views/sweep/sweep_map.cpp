#include "views/sweep/sweep_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

// Everything that is the same for all tables of the map.
struct Look {
  /// Width of the rows' labels
  float label = 0;
  /// Size of a cell
  float cell = 0, row = 0;
  /// Heights
  float header = 0, title = 0;
  /// Size of the numbers
  float text = 0;
  /// "1.1M" for want of room
  bool compact = false;
  /// Tables side by side
  int across = 1;
  std::size_t rows = 0, columns = 1;
  [[nodiscard]] float width() const { return label + cell * static_cast<float>(columns); }
  [[nodiscard]] float height() const { return title + header + row * static_cast<float>(rows); }
};

std::string compact_text(SweepMetric metric, double value) {
  char text[32];
  if (metric == SweepMetric::efficiency || metric == SweepMetric::occupancy) {
    std::snprintf(text, sizeof text, "%.0f%%", 100 * value);
  } else if (metric == SweepMetric::time) {
    std::snprintf(text, sizeof text, "%.3g", value);
  } else if (value < 1e4) {
    std::snprintf(text, sizeof text, "%.0f", value);
  } else {
    const int step = value < 1e6 ? 0 : value < 1e9 ? 1 : 2;
    const double part = value / std::array{1e3, 1e6, 1e9}[static_cast<std::size_t>(step)];
    std::snprintf(text, sizeof text, part < 10 ? "%.1f%c" : "%.0f%c", part, "kMG"[step]);
  }
  return text;
}

// Full figures without their unit, which is said once above the map.
std::string plain_text(SweepMetric metric, double value) {
  if (metric == SweepMetric::time) return decimal(value, 4);
  return metric_text(metric, value);
}

std::string shown_text(const Look& look, SweepMetric metric, double value) {
  return look.compact ? compact_text(metric, value) : plain_text(metric, value);
}

float widest(const ViewContext& ctx, const Sweep& sweep, SweepMetric metric, bool compact) {
  float width = ctx.fonts.text->CalcTextSizeA(ImGui::GetFontSize(), 1e9f, 0, "000").x;
  for (const SweepCell& cell : sweep.cells) {
    const auto value = metric_value(cell, metric);
    if (!value) continue;
    const std::string text = compact ? compact_text(metric, *value) : plain_text(metric, *value);
    width = std::max(width,
                     ctx.fonts.text->CalcTextSizeA(ImGui::GetFontSize(), 1e9f, 0, text.c_str()).x);
  }
  return width;
}

float label_width(const SweepPlan& plan) {
  float width = ImGui::CalcTextSize(plan.axes[0].name.c_str()).x;
  for (const std::string& value : plan.axes[0].values)
    width = std::max(width, ImGui::CalcTextSize(value.c_str()).x);
  return width + ImGui::GetFontSize() * 0.8f;
}

Look look_at(const ViewContext& ctx, const Sweep& sweep, SweepMetric metric) {
  const SweepPlan& plan = sweep.plan;
  Look look;
  const float text = ImGui::GetFontSize(), room = ImGui::GetContentRegionAvail().x;
  look.rows = plan.axes[0].values.size();
  look.columns = plan.axes.size() > 1 ? plan.axes[1].values.size() : 1;
  const auto columns = static_cast<float>(look.columns);
  const std::size_t tables = plan.axes.size() > 2 ? plan.axes[2].values.size() : 1;
  look.label = label_width(plan);
  look.title = plan.axes.size() > 2 ? text * 1.6f : 0;
  look.header = text * (plan.axes.size() > 1 ? 2.7f : 1.4f);
  const float pad = text * 1.1f, gap = text * 1.2f;
  const float full = widest(ctx, sweep, metric, false) + pad;
  const float small = widest(ctx, sweep, metric, true) + pad;
  look.compact = look.label + columns * full > room;
  const float least = look.compact ? std::min(small, text * 3.4f) : full;
  const float table = look.label + columns * least;
  look.across =
      std::clamp(static_cast<int>((room + gap) / (table + gap)), 1, static_cast<int>(tables));
  const float each =
      (room - gap * static_cast<float>(look.across - 1)) / static_cast<float>(look.across);
  look.cell = std::floor(std::clamp((each - look.label) / columns, std::min(least, small * 0.6f),
                                    std::max(full, text * 7.0f)));
  const float lines = std::ceil(static_cast<float>(tables) / static_cast<float>(look.across));
  const float space = ImGui::GetContentRegionAvail().y / lines - look.title - look.header - gap;
  look.row = row_height(space, static_cast<float>(look.rows), text * 1.1f, text * 3.2f);
  look.text = text;
  return look;
}

void star(ImDrawList& list, ImVec2 centre, float radius, ImU32 color) {
  std::array<ImVec2, 10> points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const float angle = static_cast<float>(i) * 3.14159265f / 5 - 3.14159265f / 2;
    const float r = i % 2 == 0 ? radius : radius * 0.45f;
    points[i] = {centre.x + r * std::cos(angle), centre.y + r * std::sin(angle)};
  }
  list.AddConcavePolyFilled(points.data(), static_cast<int>(points.size()), color);
}

struct MapDrawing {
  const ViewContext& ctx;
  const Sweep& sweep;
  SweepMetric metric;
  const SweepScale& scale;
  std::optional<std::size_t> current;
  Look look;
  std::optional<std::size_t> clicked;

  void hole(ImVec2 min, ImVec2 max, const SweepCell& cell) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, ctx.theme.empty);
    if (cell.state == SweepCell::State::pending) return;
    if (!cell.counted()) hatch(list, min, max, 7 * ctx.scale, ctx.theme.hatch);
    const bool wrong = cell.state == SweepCell::State::failed;
    text_in_box(list, ctx.fonts.strong, look.text, 7 * ctx.scale, min, max,
                wrong ? ctx.theme.error : ctx.theme.dim,
                wrong            ? "!"
                : cell.counted() ? "–"
                                 : "×");
  }

  void draw_cell(std::size_t index, ImVec2 min, ImVec2 max) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const SweepCell& cell = sweep.cells[index];
    const auto value = metric_value(cell, metric);
    if (value) {
      const ImU32 color = heat_color(*sweep_heat(scale, metric, cell));
      list.AddRectFilled(min, max, color);
      text_in_box(list, scale.best == index ? ctx.fonts.strong : ctx.fonts.text, look.text,
                  7 * ctx.scale, min, max, text_on(color), shown_text(look, metric, *value));
      if (scale.best == index) {
        const float radius = std::min({look.text * 0.42f, look.row * 0.3f, look.cell * 0.2f});
        star(list, {max.x - radius * 1.2f, min.y + radius * 1.25f}, radius, text_on(color));
      }
    } else {
      hole(min, max, cell);
    }
    if (current == index) outline(list, min, max, ctx.theme.selection, 2.5f * ctx.scale);
    ImGui::SetCursorScreenPos(min);
    const std::string id = fmt::format("cell {}", index);
    if (ImGui::InvisibleButton(id.c_str(), {max.x - min.x, max.y - min.y})) clicked = index;
    if (ImGui::IsItemHovered()) {
      outline(list, min, max, ctx.theme.text, 1.5f * ctx.scale);
      sweep_tooltip(ctx, sweep, index);
    }
  }

  void centred(float x, float y, float width, ImU32 color, const std::string& text) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    text_in_box(list, ctx.fonts.text, look.text, 6 * ctx.scale, {x, y},
                {x + width, y + look.text * 1.25f}, color, text);
  }

  void draw_table(std::size_t third, ImVec2 at) {
    const auto& axes = sweep.plan.axes;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (look.title > 0)
      list.AddText(ctx.fonts.strong, look.text, at, ctx.theme.text,
                   (axes[2].name + " = " + axes[2].values[third]).c_str());
    const float top = at.y + look.title, left = at.x + look.label;
    if (axes.size() > 1) {
      list.AddText(ctx.fonts.text, look.text, {left, top}, ctx.theme.dim, axes[1].name.c_str());
      for (std::size_t column = 0; column < look.columns; ++column)
        centred(left + look.cell * static_cast<float>(column), top + look.text * 1.25f, look.cell,
                ctx.theme.text, axes[1].values[column]);
    }
    list.AddText(ctx.fonts.text, look.text, {at.x, top + look.header - look.text * 1.35f},
                 ctx.theme.dim, axes[0].name.c_str());
    for (std::size_t row = 0; row < look.rows; ++row) {
      const float y = top + look.header + look.row * static_cast<float>(row);
      list.AddText(ctx.fonts.text, look.text, {at.x, y + (look.row - look.text) / 2},
                   ctx.theme.text, axes[0].values[row].c_str());
      for (std::size_t column = 0; column < look.columns; ++column) {
        std::vector<std::size_t> where = {row, column, third};
        where.resize(axes.size());
        const float x = left + look.cell * static_cast<float>(column);
        draw_cell(sweep.plan.index(where), {x, y}, {x + look.cell - 1, y + look.row - 1});
      }
    }
  }
};

}  // namespace

const char* metric_title(SweepMetric metric) {
  switch (metric) {
  case SweepMetric::wavefronts:
    return tr("wavefronts");
  case SweepMetric::conflicts:
    return tr("bank conflicts");
  case SweepMetric::sectors:
    return tr("sectors");
  case SweepMetric::efficiency:
    return tr("efficiency");
  case SweepMetric::shared_bytes:
    return tr("shared bytes a block");
  case SweepMetric::occupancy:
    return tr("occupancy");
  case SweepMetric::time:
    break;
  }
  return tr("measured time");
}

std::string metric_text(SweepMetric metric, double value) {
  if (metric == SweepMetric::efficiency || metric == SweepMetric::occupancy)
    return decimal(100 * value) + " %";
  if (metric == SweepMetric::time) return decimal(value, 4) + " ms";
  return grouped(static_cast<unsigned long long>(value));
}

std::optional<std::size_t> draw_sweep_map(const ViewContext& ctx, const Sweep& sweep,
                                          SweepMetric metric, const SweepScale& scale,
                                          std::optional<std::size_t> current) {
  MapDrawing drawing{ctx, sweep, metric, scale, current, look_at(ctx, sweep, metric), {}};
  const Look& look = drawing.look;
  const std::size_t tables = sweep.plan.axes.size() > 2 ? sweep.plan.axes[2].values.size() : 1;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float gap = ImGui::GetFontSize() * 1.2f;
  const auto across = static_cast<std::size_t>(look.across);
  for (std::size_t third = 0; third < tables; ++third) {
    drawing.draw_table(third,
                       {origin.x + static_cast<float>(third % across) * (look.width() + gap),
                        origin.y + static_cast<float>(third / across) * (look.height() + gap)});
  }
  ImGui::SetCursorScreenPos(origin);
  const auto lines = static_cast<float>((tables + across - 1) / across);
  ImGui::Dummy({static_cast<float>(look.across) * (look.width() + gap) - gap,
                lines * (look.height() + gap) - gap});
  return drawing.clicked;
}

}  // namespace lanescope::app
