// The matrices of an instruction: a cell for each element, or for each register where elements would
// be too small to see.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/fragments/fragments_view.h"

namespace lanescope::app {
namespace {

constexpr float kSmallest = 7;                // units: of a cell that is an element
constexpr float kWidest = 64, kTallest = 40;  // units
constexpr float kFaint = 0.22f, kRelated = 0.75f;

/// Elements that one cell stands for: a whole register, or one.
struct Grain {
  int rows = 1, columns = 1;
};

struct Shape {
  float columns = 0, rows = 0;  // of cells
};

/// One matrix on the screen.
struct Placed {
  const FragmentPanel* panel = nullptr;
  int number = 0;
  Grain grain;
  ImVec2 min;  // of its first cell
};

struct Layout {
  std::vector<Placed> matrices;
  float width = 0, height = 0;  // of a cell
  bool on_board = false;
};

Grain grain_of(const FragmentPanel& panel, bool merged) {
  if (!merged) return {};
  return panel.parts_downwards() ? Grain{panel.parts(), 1} : Grain{1, panel.parts()};
}

Shape shape_of(const FragmentPanel& panel, bool merged) {
  const Grain grain = grain_of(panel, merged);
  return {static_cast<float>(panel.columns() / grain.columns),
          static_cast<float>(panel.rows() / grain.rows)};
}

struct Margins {
  float left, top, gap;
};

Margins margins_of() {
  const float font = ImGui::GetFontSize();
  return {font * 1.6f, font * 1.35f, font * 0.7f};
}

// As a product is written on a blackboard: B over D, A beside D. Or one beside the other.
void place(Layout& layout, const FragmentsState& state, bool merged, bool board, ImVec2 origin,
           ImVec2 size) {
  const Margins margin = margins_of();
  const std::size_t count = state.panels.size();
  Shape all;
  for (std::size_t i = 0; i < count; ++i) {
    const Shape shape = shape_of(state.panels[i], merged);
    all.columns += board && i == 1 ? 0 : shape.columns;
    all.rows = board ? all.rows + (i == 0 ? 0 : shape.rows) : std::max(all.rows, shape.rows);
  }
  const float across = board ? 2 : static_cast<float>(count), down = board ? 2 : 1;
  layout.width = (size.x - across * (margin.left + margin.gap)) / std::max(1.0f, all.columns);
  layout.height = (size.y - down * margin.top - (down - 1) * margin.gap) / std::max(1.0f, all.rows);
  layout.matrices.clear();
  float x = origin.x + margin.left;
  for (std::size_t i = 0; i < count; ++i) {
    const Shape shape = shape_of(state.panels[i], merged);
    layout.matrices.push_back({.panel = &state.panels[i],
                               .number = static_cast<int>(i),
                               .grain = grain_of(state.panels[i], merged),
                               .min = {x, origin.y + margin.top}});
    if (!board) x += shape.columns * layout.width + margin.left + margin.gap;
  }
}

void place_on_board(Layout& layout, const FragmentsState& state, bool merged) {
  const Margins margin = margins_of();
  const Shape a = shape_of(state.panels[0], merged), b = shape_of(state.panels[1], merged);
  const float x = a.columns * layout.width + margin.left + margin.gap;
  const float y = b.rows * layout.height + margin.top + margin.gap;
  layout.matrices[0].min.y += y;
  layout.matrices[1].min.x += x;
  layout.matrices[2].min.x += x, layout.matrices[2].min.y += y;
}

// A cell that can be read wants to be somewhat wider than high.
float legibility(const Layout& layout) { return std::min(layout.width / 1.7f, layout.height); }

Layout arrange(const ViewContext& ctx, const FragmentsState& state, ImVec2 size) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  // The four products of quad pairs are no product of what is drawn of them.
  const bool product =
      state.shown.operation == MatrixOperation::multiply && !state.shown.form.of_quads();
  Layout best;
  for (const bool merged : {false, true}) {
    Layout beside, board;
    place(beside, state, merged, false, origin, size);
    best = beside;
    if (product) {
      place(board, state, merged, true, origin, size);
      if (legibility(board) > legibility(beside)) best = board, best.on_board = true;
    }
    best.width = std::floor(std::min(best.width, kWidest * ctx.scale));
    best.height = std::floor(std::min(best.height, kTallest * ctx.scale));
    const float width = best.width, height = best.height;
    // Once more with the cells as they are, so that matrices stand close to each other.
    const Margins margin = margins_of();
    float x = origin.x + margin.left;
    for (std::size_t i = 0; i < best.matrices.size(); ++i) {
      best.matrices[i].min = {x, origin.y + margin.top};
      if (!best.on_board)
        x += shape_of(state.panels[i], merged).columns * width + margin.left + margin.gap;
    }
    if (best.on_board) place_on_board(best, state, merged);
    if (std::min(width, height) >= kSmallest * ctx.scale) break;
  }
  return best;
}

/// What a cell says: nothing, one of its lane and its register, or both in one or two lines.
enum class Label { none, one, line, lines };

struct Labels {
  Label kind = Label::none;
  float size = 0;
};

std::string place_text(const Placed& placed, FragmentSlot slot) {
  const bool merged = placed.grain.rows * placed.grain.columns > 1;
  return merged ? placed.panel->register_name(slot.reg) : slot_name(*placed.panel, slot);
}

std::string cell_value(const FragmentsState& state, const Placed& placed, MatrixElement element) {
  const FragmentPanel& panel = *placed.panel;
  const MatrixOperands& held = state.held.operands;
  const std::vector<LaneRow>& of = panel.role() == MatrixRole::b             ? held.b
                                   : panel.role() == MatrixRole::accumulator ? state.held.d
                                                                             : held.a;
  if (of.empty() || placed.grain.rows * placed.grain.columns > 1) return {};
  return shortest(element_value(panel.type(), panel.bits(of, element)), 3);
}

bool shows_values(const FragmentsState& state) {
  return state.values && !state.held.operands.a.empty();
}

// The same for all cells of a matrix: what differs from cell to cell is what they hold.
Labels labels_of(const ViewContext& ctx, const FragmentsState& state, const Layout& layout,
                 const Placed& placed) {
  const float font = ImGui::GetFontSize(), least = 8 * ctx.scale;
  const std::string place = place_text(
      placed, {0, placed.panel->registers() - 1, std::min(placed.panel->parts() - 1, 9)});
  const auto size = [&](ImFont* with, float height, const std::string& sample) {
    return fitting_size(with, font, layout.width - 2, height, sample.c_str());
  };
  if (shows_values(state)) {
    const float value = size(ctx.fonts.text, layout.height - 1, "-0.0123");
    return {value >= least ? Label::one : Label::none, value};
  }
  const float lines = size(ctx.fonts.text, layout.height * 0.47f, place);
  if (lines >= 1.2f * least) return {Label::lines, lines};
  const float line = size(ctx.fonts.text, layout.height - 1, "30 " + place);
  if (line >= 1.4f * least) return {Label::line, line};
  const float one =
      size(ctx.fonts.text, layout.height - 1, state.by_register ? place : kWidestLane);
  return {one >= 0.8f * least ? Label::one : Label::none, one};
}

void label_cell(const ViewContext& ctx, const FragmentsState& state, const Labels& labels,
                const Placed& placed, FragmentSlot slot, MatrixElement element, ImVec2 min,
                ImVec2 max, ImU32 ink) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto write = [&](ImFont* font, ImVec2 from, ImVec2 to, const std::string& text) {
    text_in_box(list, font, labels.size, 5 * ctx.scale, from, to, ink, text);
  };
  if (labels.kind == Label::none) return;
  if (shows_values(state))
    return write(ctx.fonts.text, min, max, cell_value(state, placed, element));
  const std::string lane = std::to_string(slot.lane), place = place_text(placed, slot);
  if (labels.kind == Label::one)
    return write(ctx.fonts.text, min, max, state.by_register ? place : lane);
  if (labels.kind == Label::line) return write(ctx.fonts.text, min, max, lane + " " + place);
  const float middle = std::round((min.y + max.y) / 2);
  write(ctx.fonts.strong, {min.x, min.y}, {max.x, middle + 1}, lane);
  write(ctx.fonts.text, {min.x, middle - 1}, {max.x, max.y}, place);
}

void draw_cell(const ViewContext& ctx, const FragmentsState& state, const Labels& labels,
               const Placed& placed, MatrixElement element, ImVec2 min, ImVec2 max) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  FragmentSlot slot = placed.panel->slot(element);
  FragmentGlow glow = glow_of(state, placed.number, slot);
  // A cell that is a whole register glows as the brightest of its parts.
  const int parts = placed.grain.rows * placed.grain.columns;
  for (int part = 1; part < parts; ++part)
    glow = std::max(glow, glow_of(state, placed.number, {slot.lane, slot.reg, part}));
  const ImU32 full = fragment_color(state, placed.number, slot);
  const float alpha = glow == FragmentGlow::faint     ? kFaint
                      : glow == FragmentGlow::related ? kRelated
                                                      : 1.0f;
  const ImU32 color = alpha < 1 ? mixed(ctx.theme.empty, full, alpha) : full;
  list.AddRectFilled(min, max, color);
  const bool faint = glow == FragmentGlow::faint;
  label_cell(ctx, state, labels, placed, slot, element, min, max,
             faint ? ctx.theme.dim : text_on(color));
  if (ctx.theme.outlined) list.AddRect(min, max, ctx.theme.hatch);
  if (glow == FragmentGlow::related) list.AddRect(min, max, ctx.theme.text, 0, 0, 1.2f * ctx.scale);
  if (glow == FragmentGlow::same_lane)
    list.AddRect(min, max, ctx.theme.selection, 0, 0, 2 * ctx.scale);
  if (glow == FragmentGlow::lit) outline(list, min, max, ctx.theme.selection, 3 * ctx.scale);
}

// Numbers of rows and columns, as many as there is room for; of ldmatrix the lanes that address rows.
void draw_axes(const ViewContext& ctx, const Layout& layout, const Placed& placed, Shape shape) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Margins margin = margins_of();
  const float size = std::round(ImGui::GetFontSize() * 0.72f);
  const auto every = [&](float cell) {
    return std::max(1, static_cast<int>(std::ceil(size * 1.15f / std::max(1.0f, cell))));
  };
  const int by_row = every(layout.height), by_column = every(layout.width);
  for (int row = 0; row < static_cast<int>(shape.rows); row += by_row) {
    const float y = placed.min.y + layout.height * static_cast<float>(row);
    const int lane = placed.panel->address_lane(row * placed.grain.rows);
    const std::string text =
        lane >= 0 ? fmt::format("→{}", lane) : std::to_string(row * placed.grain.rows);
    const float wide = ctx.fonts.text->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x;
    list.AddText(ctx.fonts.text, size,
                 {placed.min.x - wide - 3 * ctx.scale, std::round(y + (layout.height - size) / 2)},
                 lane >= 0 ? ctx.theme.text : ctx.theme.dim, text.c_str());
  }
  const ImVec2 title{placed.min.x - margin.left + 2 * ctx.scale, placed.min.y - margin.top};
  list.AddText(ctx.fonts.strong, ImGui::GetFontSize(), title, ctx.theme.text,
               placed.panel->title().c_str());
  const float titled =
      title.x + ctx.fonts.strong
                    ->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, placed.panel->title().c_str())
                    .x;
  for (int column = 0; column < static_cast<int>(shape.columns); column += by_column) {
    const std::string text = std::to_string(column * placed.grain.columns);
    const float wide = ctx.fonts.text->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x;
    const float x = placed.min.x + layout.width * (static_cast<float>(column) + 0.5f) - wide / 2;
    if (x < titled + 3 * ctx.scale) continue;
    list.AddText(ctx.fonts.text, size, {std::round(x), placed.min.y - size - 2 * ctx.scale},
                 ctx.theme.dim, text.c_str());
  }
}

void point_at(FragmentsState& state, const Layout& layout, const Placed& placed, Shape shape) {
  ImGui::SetCursorScreenPos(placed.min);
  ImGui::PushID(placed.number);
  const bool clicked =
      ImGui::InvisibleButton("matrix", {std::max(1.0f, shape.columns * layout.width),
                                        std::max(1.0f, shape.rows * layout.height)});
  ImGui::PopID();
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const int column = static_cast<int>((mouse.x - placed.min.x) / layout.width),
            row = static_cast<int>((mouse.y - placed.min.y) / layout.height);
  const FragmentPanel& panel = *placed.panel;
  const MatrixElement at{std::clamp(row * placed.grain.rows, 0, panel.rows() - 1),
                         std::clamp(column * placed.grain.columns, 0, panel.columns() - 1)};
  state.pointed = {FragmentSpot::Kind::element, placed.number, panel.slot(at)};
  if (clicked) state.pinned = state.pinned == state.pointed ? FragmentSpot{} : state.pointed;
}

}  // namespace

ImVec4 draw_fragment_panels(const ViewContext& ctx, FragmentsState& state, ImVec2 size) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const Layout layout = arrange(ctx, state, size);
  // All matrices say the same of their cells, in the same size.
  Labels labels = labels_of(ctx, state, layout, layout.matrices.front());
  for (const Placed& placed : layout.matrices) {
    const Labels own = labels_of(ctx, state, layout, placed);
    if (own.kind < labels.kind || (own.kind == labels.kind && own.size < labels.size)) labels = own;
  }
  float bottom = origin.y;
  for (const Placed& placed : layout.matrices) {
    const Shape shape = shape_of(*placed.panel, placed.grain.rows * placed.grain.columns > 1);
    bottom = std::max(bottom, placed.min.y + shape.rows * layout.height);
    if (layout.width < 1 || layout.height < 1) continue;
    draw_axes(ctx, layout, placed, shape);
    const float gap = layout.width > 10 * ctx.scale && layout.height > 8 * ctx.scale ? 1.0f : 0.0f;
    for (int row = 0; row < static_cast<int>(shape.rows); ++row)
      for (int column = 0; column < static_cast<int>(shape.columns); ++column) {
        const ImVec2 min{placed.min.x + layout.width * static_cast<float>(column),
                         placed.min.y + layout.height * static_cast<float>(row)};
        draw_cell(ctx, state, labels, placed,
                  {row * placed.grain.rows, column * placed.grain.columns}, min,
                  {min.x + layout.width - gap, min.y + layout.height - gap});
      }
    point_at(state, layout, placed, shape);
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({size.x, std::min(size.y, bottom - origin.y)});
  if (!layout.on_board) return {};
  const Margins margin = margins_of();
  return {origin.x, origin.y, layout.matrices[1].min.x - margin.left - margin.gap,
          layout.matrices[0].min.y - margin.top - margin.gap};
}

}  // namespace lanescope::app
