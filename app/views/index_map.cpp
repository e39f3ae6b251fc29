#include "views/index_map.h"

#include <algorithm>
#include <cmath>

#include "session/formula.h"
#include "views/tr.h"
#include "views/widgets.h"

namespace lanescope::app {
namespace {

using Drawn = IndexMapState::Drawn;
constexpr std::uint64_t kMaxSide = 96;  // cells shown a side
constexpr float kMaxCell = 26;
constexpr float kSmall = 0.85f;     // of the text size, for the less important words
constexpr float kOverview = 1.95f;  // side of the little matrix, in text sizes

struct Rect {
  ImVec2 min, max;
  [[nodiscard]] ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};

// Where a cell is on screen; nullopt if this panel does not show it.
std::optional<Rect> rect_of(const Drawn& drawn, const Cell& cell) {
  const auto at = drawn.panel.at(cell.address);
  if (!at || !drawn.window.contains(at->row, at->col)) return std::nullopt;
  const float x = drawn.min.x + drawn.cell * static_cast<float>(at->col - drawn.window.col);
  const float y = drawn.min.y + drawn.cell * static_cast<float>(at->row - drawn.window.row);
  const auto wide =
      static_cast<float>(std::max<std::uint32_t>(1, cell.bytes / drawn.panel.element_bytes));
  return Rect{{x, y}, {std::min(x + drawn.cell * wide, drawn.max.x), y + drawn.cell}};
}

ImU32 base_color(const ViewContext& ctx, const MapPanel& panel, std::uint64_t row,
                 std::uint64_t col) {
  if (!panel.is_touched(row, col)) return ctx.theme.empty;
  if (panel.role != PanelRole::tile) return ctx.theme.cell;
  const int bank = static_cast<int>(panel.address(row, col) / kBankBytes % kBanks);
  return mixed(bank_color(bank), ctx.theme.canvas, 0.62f);
}

void refresh_texture(const ViewContext& ctx, Drawn& drawn) {
  if (drawn.fresh) return;
  std::vector<std::uint32_t> pixels;
  pixels.reserve(drawn.window.rows * drawn.window.cols);
  for (std::uint64_t r = 0; r < drawn.window.rows; ++r) {
    for (std::uint64_t c = 0; c < drawn.window.cols; ++c) {
      pixels.push_back(base_color(ctx, drawn.panel, drawn.window.row + r, drawn.window.col + c));
    }
  }
  drawn.texture->upload(static_cast<int>(drawn.window.cols), static_cast<int>(drawn.window.rows),
                        pixels);
  drawn.fresh = true;
}

void rebuild(const ViewContext& ctx, IndexMapState& state) {
  const bool same = state.serial == ctx.picture->serial && state.dark == ctx.theme.dark;
  if (!same) {
    state.panels.clear();
    for (MapPanel& panel : make_panels(*ctx.picture)) {
      state.panels.push_back(
          {std::move(panel), {}, std::make_unique<Texture>(), false, {}, {}, 0, {}});
    }
    state.serial = ctx.picture->serial;
    state.dark = ctx.theme.dark;
  }
  for (Drawn& drawn : state.panels) {
    MapPanel::At wanted{drawn.panel.box.row, drawn.panel.box.col};
    bool found = false;
    for (const auto& chain : ctx.focus.chains) {
      for (const ChainLink& link : chain) {
        const auto at = found ? std::nullopt : drawn.panel.at(link.cell.address);
        if (at) wanted = *at, found = true;
      }
    }
    const CellWindow window = visible_window(drawn.panel, kMaxSide, wanted.row, wanted.col);
    if (window != drawn.window) drawn.window = window, drawn.fresh = false;
    refresh_texture(ctx, drawn);
  }
}

std::string range(std::uint64_t first, std::uint64_t count) {
  return count <= 1 ? std::to_string(first)
                    : std::to_string(first) + "–" + std::to_string(first + count - 1);
}

bool has_overview(const MapPanel& panel) { return panel.role != PanelRole::tile && !panel.wrapped; }

std::string window_text(const MapPanel& panel, const CellWindow& window) {
  if (panel.role == PanelRole::tile) {
    return panel.pitched ? tr("shared, pitch {0}", {std::to_string(panel.cols)})
                         : tr("shared, shown {0} a row", {std::to_string(panel.cols)});
  }
  if (panel.wrapped)
    return tr("elements {0}", {range(window.row * panel.cols, window.rows * panel.cols)});
  return "[" + range(window.row, window.rows) + "][" + range(window.col, window.cols) + "]";
}

float header_width(const ViewContext& ctx, const Drawn& drawn) {
  const float size = ImGui::GetFontSize();
  const auto width = [](ImFont* font, float px, const std::string& text) {
    return font->CalcTextSizeA(px, FLT_MAX, 0, text.c_str()).x;
  };
  const float title =
      width(ctx.fonts.strong, size, drawn.panel.name) + 6 * ctx.scale +
      width(ctx.fonts.text, size * kSmall, drawn.panel.shape + " " + drawn.panel.type);
  const float overview = has_overview(drawn.panel) ? size * kOverview + 7 * ctx.scale : 0;
  return overview + std::max(title, width(ctx.fonts.text, size * kSmall, drawn.where));
}

// Three columns of panels; cells as large as width and height allow, the same size where they can
// be.
void lay_out(const ViewContext& ctx, IndexMapState& state, ImVec2 space) {
  const float gap = 30 * ctx.scale, header = ImGui::GetTextLineHeight() * 2.35f;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  std::array<float, 3> cols{}, rows{}, count{}, words{};
  for (Drawn& drawn : state.panels) {
    const auto k = static_cast<std::size_t>(drawn.panel.role);
    drawn.where = window_text(drawn.panel, drawn.window);
    words[k] = std::max(words[k], header_width(ctx, drawn));
    cols[k] = std::max(cols[k], static_cast<float>(drawn.window.cols));
    rows[k] += static_cast<float>(drawn.window.rows);
    count[k] += 1;
  }
  const auto size = [&](std::size_t k, float cell) {
    return std::min(cell, (space.y - (header + 6) * count[k]) / std::max(1.0f, rows[k]));
  };
  const auto width = [&](std::size_t k, float cell) {
    return count[k] > 0 ? std::max(cols[k] * size(k, cell), words[k]) : 0.0f;
  };
  const auto total = [&](float cell) {
    float sum = -gap;
    for (std::size_t k = 0; k < 3; ++k) sum += count[k] > 0 ? width(k, cell) + gap : 0;
    return sum;
  };
  float cell = kMaxCell * ctx.scale;
  while (cell > 1.5f && total(cell) > space.x) cell -= cell > 6 ? 1.0f : 0.25f;
  float x = origin.x + std::max(0.0f, (space.x - total(cell)) / 2);
  for (std::size_t k = 0; k < 3; ++k) {
    const float side = size(k, cell), whole = side > 6 ? std::floor(side) : std::max(1.0f, side);
    float y = origin.y;
    for (Drawn& drawn : state.panels) {
      if (static_cast<std::size_t>(drawn.panel.role) != k) continue;
      drawn.cell = whole;
      drawn.min = {std::round(x), std::round(y + header)};
      drawn.max = {drawn.min.x + whole * static_cast<float>(drawn.window.cols),
                   drawn.min.y + whole * static_cast<float>(drawn.window.rows)};
      y = drawn.max.y + 6;
    }
    if (count[k] > 0) x += width(k, cell) + gap;
  }
}

// Where the window sits in the whole matrix; returns how much room it took.
float draw_overview(const ViewContext& ctx, const Drawn& drawn, ImVec2 min, float side) {
  const auto rows = static_cast<float>(drawn.panel.rows),
             cols = static_cast<float>(drawn.panel.cols);
  const float unit = side / std::max(rows, cols), least = 3 * ctx.scale;
  const ImVec2 max{min.x + std::max(least, cols * unit), min.y + std::max(least, rows * unit)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, max, ctx.theme.cell);
  const auto place = [least](float from, float to, float scale, std::uint64_t first,
                             std::uint64_t count) {
    const float size = std::max(least, scale * static_cast<float>(count));
    const float start = std::min(from + scale * static_cast<float>(first), to - size);
    return std::pair{start, start + size};
  };
  const auto [left, right] = place(min.x, max.x, unit, drawn.window.col, drawn.window.cols);
  const auto [top, bottom] = place(min.y, max.y, unit, drawn.window.row, drawn.window.rows);
  list.AddRectFilled({left, top}, {right, bottom}, ctx.theme.lane);
  return max.x - min.x + 7 * ctx.scale;
}

void draw_header(const ViewContext& ctx, const Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = ImGui::GetFontSize(), small = size * kSmall;
  ImVec2 at{drawn.min.x, drawn.min.y - ImGui::GetTextLineHeight() * 2.25f};
  if (has_overview(drawn.panel))
    at.x += draw_overview(ctx, drawn, {at.x, at.y + 2 * ctx.scale}, size * kOverview);
  list.AddText(ctx.fonts.strong, size, at, ctx.theme.text, drawn.panel.name.c_str());
  const float name = ctx.fonts.strong->CalcTextSizeA(size, FLT_MAX, 0, drawn.panel.name.c_str()).x;
  list.AddText(ctx.fonts.text, small, {at.x + name + 6 * ctx.scale, at.y + (size - small) * 0.8f},
               ctx.theme.dim, (drawn.panel.shape + " " + drawn.panel.type).c_str());
  list.AddText(ctx.fonts.text, small, {at.x, at.y + size * 1.2f}, ctx.theme.dim,
               drawn.where.c_str());
}

void draw_cells(const ViewContext& ctx, const Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  drawn.texture->draw_sharp(list, drawn.min, drawn.max);
  if (drawn.panel.role == PanelRole::tile) {
    // Runs of columns that nobody touches in a row are hatched as one.
    for (std::uint64_t r = 0; r < drawn.window.rows; ++r) {
      for (std::uint64_t c = 0; c < drawn.window.cols; ++c) {
        std::uint64_t end = c;
        while (end < drawn.window.cols &&
               !drawn.panel.is_touched(drawn.window.row + r, drawn.window.col + end))
          ++end;
        if (end == c) continue;
        const float y = drawn.min.y + drawn.cell * static_cast<float>(r);
        hatch(list, {drawn.min.x + drawn.cell * static_cast<float>(c), y},
              {drawn.min.x + drawn.cell * static_cast<float>(end), y + drawn.cell}, 4 * ctx.scale,
              ctx.theme.hatch);
        c = end;
      }
    }
  }
  if (drawn.cell < 5) return;
  const ImU32 color = drawn.cell < 8 ? faded(ctx.theme.canvas, 0.6f) : ctx.theme.canvas;
  for (std::uint64_t c = 0; c <= drawn.window.cols; ++c) {
    const float x = drawn.min.x + drawn.cell * static_cast<float>(c);
    list.AddLine({x, drawn.min.y}, {x, drawn.max.y}, color);
  }
  for (std::uint64_t r = 0; r <= drawn.window.rows; ++r) {
    const float y = drawn.min.y + drawn.cell * static_cast<float>(r);
    list.AddLine({drawn.min.x, y}, {drawn.max.x, y}, color);
  }
}

void draw_lanes(const ViewContext& ctx, const Drawn& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool tile = drawn.panel.role == PanelRole::tile;
  const float gap = drawn.cell >= 5 ? 1.0f : 0.0f, rim = 1.5f * ctx.scale;
  const float size =
      fitting_size(ctx.fonts.text, ImGui::GetFontSize() * 0.85f, drawn.cell, drawn.cell, "88");
  // All rims first, then the cells: neighbours share one outline.
  for (const bool fill : {false, true}) {
    for (int lane = 0; lane < kLanes; ++lane) {
      for (const ChainLink& link : ctx.focus.chains[static_cast<std::size_t>(lane)]) {
        const auto rect = rect_of(drawn, link.cell);
        if (!rect) continue;
        const ImVec2 max{rect->max.x - gap, rect->max.y - gap};
        if (!fill) {
          list.AddRectFilled({rect->min.x - rim, rect->min.y - rim}, {max.x + rim, max.y + rim},
                             tile ? ctx.theme.text : ctx.theme.canvas);
          continue;
        }
        const ImU32 color =
            tile ? bank_color(static_cast<int>(link.cell.address / kBankBytes % kBanks))
                 : ctx.theme.lane;
        list.AddRectFilled(rect->min, max, color);
        text_in_box(list, ctx.fonts.text, size, 8 * ctx.scale, rect->min, max, text_on(color),
                    std::to_string(lane));
      }
    }
  }
}

const Drawn* panel_of(const IndexMapState& state, const Cell& cell) {
  for (const Drawn& drawn : state.panels) {
    if (rect_of(drawn, cell)) return &drawn;
  }
  return nullptr;
}

void draw_path(const ViewContext& ctx, const IndexMapState& state,
               const std::vector<ChainLink>& chain, bool lit) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    const Drawn* from = panel_of(state, chain[i].cell);
    const Drawn* to = panel_of(state, chain[i + 1].cell);
    if (!from || !to || from == to) continue;
    const Rect a = *rect_of(*from, chain[i].cell), b = *rect_of(*to, chain[i + 1].cell);
    const bool rightwards = a.centre().x < b.centre().x;
    const ImVec2 start{rightwards ? a.max.x : a.min.x, a.centre().y},
        end{rightwards ? b.min.x : b.max.x, b.centre().y};
    if (lit) {
      list.AddLine(start, end, ctx.theme.canvas, 4.5f * ctx.scale);
      arrow(list, start, end, ctx.theme.selection, 2.2f * ctx.scale);
    } else {
      list.AddLine(start, end, faded(ctx.theme.lane, ctx.focus.lit.empty() ? 0.4f : 0.15f), 1);
    }
  }
}

void draw_lit(const ViewContext& ctx, const IndexMapState& state) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_path(ctx, state, ctx.focus.lit, true);
  for (const ChainLink& link : ctx.focus.lit) {
    for (const Drawn& drawn : state.panels) {
      const auto rect = rect_of(drawn, link.cell);
      if (!rect) continue;
      outline(list, rect->min, rect->max, ctx.theme.selection, 2.5f * ctx.scale);
      ctx.lit.add("index_map", ctx.focus.lit_lane, link.cell.address);
    }
  }
}

int lane_at(const ViewContext& ctx, std::uint64_t address) {
  for (int lane = 0; lane < kLanes; ++lane) {
    for (const ChainLink& link : ctx.focus.chains[static_cast<std::size_t>(lane)]) {
      if (address - link.cell.address < link.cell.bytes) return lane;
    }
  }
  return -1;
}

void interact(const ViewContext& ctx, const Drawn& drawn, Actions& actions) {
  ImGui::SetCursorScreenPos(drawn.min);
  const ImVec2 size{std::max(1.0f, drawn.max.x - drawn.min.x),
                    std::max(1.0f, drawn.max.y - drawn.min.y)};
  const bool clicked = ImGui::InvisibleButton(("panel " + drawn.panel.name).c_str(), size);
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const auto index = [&](float v, std::uint64_t count) {
    return std::min(static_cast<std::uint64_t>(std::max(0.0f, v / drawn.cell)), count - 1);
  };
  const std::uint64_t row = drawn.window.row + index(mouse.y - drawn.min.y, drawn.window.rows);
  const std::uint64_t col = drawn.window.col + index(mouse.x - drawn.min.x, drawn.window.cols);
  const Cell cell{drawn.panel.address(row, col), drawn.panel.element_bytes};
  const int lane = lane_at(ctx, cell.address);
  std::string text = locate(*ctx.picture, cell.address).text();
  if (drawn.panel.role == PanelRole::tile) {
    text += " · " + tr("bank {0}", {std::to_string(cell.address / kBankBytes % kBanks)});
  }
  if (!drawn.panel.is_touched(row, col))
    text += std::string("\n") + tr("this block never touches it");
  if (lane >= 0) {
    actions.push_back(HoverLane{lane});
    if (clicked) actions.push_back(SelectLane{ctx.selection.lane == lane ? -1 : lane});
    text += "\n" + tr("on the way of lane {0} of warp {1}",
                      {std::to_string(lane), std::to_string(ctx.focus.warp)});
  } else {
    actions.push_back(HoverCell{cell});
    if (clicked)
      actions.push_back(
          SelectCell{ctx.selection.cell == cell ? std::nullopt : std::optional<Cell>(cell)});
  }
  ImGui::SetTooltip("%s", text.c_str());
}

// "warp 0 lane 5: in[64][37] → tile[0][5]    warp 5 lane 0: tile[0][5] → out[37][64]"
std::string chain_text(const ViewContext& ctx, const std::vector<ChainLink>& chain) {
  std::string text;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const ChainLink& link = chain[i];
    const std::string place = locate(*ctx.picture, link.cell.address).text();
    if (place.empty()) continue;
    const bool same_thread =
        i > 0 && chain[i - 1].warp == link.warp && chain[i - 1].lane == link.lane;
    if (same_thread && !text.empty()) {
      text += " → ";
    } else {
      text += (text.empty() ? "" : "    ") +
              tr("warp {0} lane {1}: ", {std::to_string(link.warp), std::to_string(link.lane)});
    }
    text += place;
  }
  return text;
}

void draw_formula(const ViewContext& ctx) {
  int lane = ctx.focus.lit_lane;
  std::vector<ChainLink> chain = ctx.focus.lit;
  if (chain.empty() && ctx.focus.shown && ctx.focus.shown->mask) {
    lane = std::countr_zero(ctx.focus.shown->mask);
    chain = ctx.focus.chains[static_cast<std::size_t>(lane)];
  }
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * 0.85f);
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, 1);
  ImGui::PushTextWrapPos(0);
  std::optional<Formula> formula;
  if (ctx.focus.active(lane))
    formula = formula_of(*ctx.picture, ctx.focus.warp, ctx.focus.shown->step, lane);
  else if (!chain.empty())
    formula = formula_of(*ctx.picture, chain.front().warp, chain.front().step, chain.front().lane);
  if (formula) {
    ImGui::PushStyleColor(ImGuiCol_Text,
                          ctx.focus.lit.empty() ? ctx.theme.text : ctx.theme.selection);
    ImGui::TextUnformatted(formula->text().c_str());
    ImGui::PopStyleColor();
  }
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.dim);
  ImGui::TextUnformatted(chain_text(ctx, chain).c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace

void draw_index_map(const ViewContext& ctx, IndexMapState& state, Actions& actions) {
  if (!ctx.picture || !ctx.focus.trace)
    return nothing_to_show(ctx, tr("No block has been recorded yet."));
  rebuild(ctx, state);
  if (state.panels.empty()) return nothing_to_show(ctx, tr("This block touches no array."));
  const float words = ImGui::GetTextLineHeight() * 3.1f;
  const ImVec2 space{ImGui::GetContentRegionAvail().x, ImGui::GetContentRegionAvail().y - words};
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  lay_out(ctx, state, space);
  // Under the panels, so that the ways show between them only.
  if (state.paths) {
    for (const auto& chain : ctx.focus.chains) draw_path(ctx, state, chain, false);
  }
  for (const Drawn& drawn : state.panels) {
    draw_header(ctx, drawn);
    draw_cells(ctx, drawn);
    draw_lanes(ctx, drawn);
  }
  draw_lit(ctx, state);
  for (const Drawn& drawn : state.panels) interact(ctx, drawn, actions);
  ImGui::SetCursorScreenPos({origin.x, origin.y + space.y});
  ImGui::BeginChild("formula", {0, 0}, 0,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_formula(ctx);
  ImGui::EndChild();
}

}  // namespace lanescope::app
