// A tile twice: as its matrix, in the colours of the banks that its elements lie in; and as memory, in
// lines of 32 banks, in the colours of the columns that lie there.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lanescope/banks.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"
#include "views/swizzle/swizzle_view.h"

namespace lanescope::app {
namespace {

constexpr float kLeastRow = 7, kMostRow = 26;  // units
constexpr float kFaint = 0.3f;

/// What is drawn as one cell: the elements of a word, one where it is wider.
struct Grid {
  ImVec2 min;
  float cell = 0, row = 0, text = 0;
  int columns = 0, rows = 0;  // that are drawn
  /// Words have room for numbers of their own
  bool wide = false;
  [[nodiscard]] ImVec2 corner(int x, int y) const {
    return {min.x + cell * static_cast<float>(x), min.y + row * static_cast<float>(y)};
  }
};

int per_cell(const TileAddresses& tile) {
  return tile.element_bytes >= 4 ? 1 : static_cast<int>(4 / tile.element_bytes);
}

int bank_of(std::uint64_t address) { return static_cast<int>(address / kBankBytes % kBanks); }

/// The bank that a column has in a row that begins at bank 0.
int bank_alone(const TileAddresses& tile, int column) {
  return bank_of(static_cast<std::uint64_t>(column) * tile.element_bytes);
}

bool contains(const std::vector<TileElement>& all, TileElement cell, int width) {
  return std::any_of(all.begin(), all.end(), [&](const TileElement& e) {
    return e.row == cell.row && e.column >= cell.column && e.column < cell.column + width;
  });
}

/// Elements that are read together with the lit one, all that each lane takes.
struct Together {
  std::vector<TileElement> first;
  int width = 1;
  [[nodiscard]] bool any() const { return !first.empty(); }
  [[nodiscard]] bool holds(TileElement cell, int cell_width) const {
    return std::any_of(first.begin(), first.end(), [&](const TileElement& e) {
      return e.row == cell.row && cell.column < e.column + width &&
             e.column < cell.column + cell_width;
    });
  }
};

Together together(const SwizzleState& state, const TileAddresses& tile) {
  Together out;
  const bool wide = state.read != TileRead::rows && state.read != TileRead::columns;
  out.width = wide ? tile.chunk() : 1;
  if (const auto lit = state.lit()) out.first = read_together(tile, state.read, *lit);
  return out;
}

Grid grid_of(const ViewContext& ctx, ImVec2 origin, ImVec2 size, int columns, int rows) {
  const float font = ImGui::GetFontSize(), left = font * 2.0f, top = font * 2.3f;
  Grid grid;
  grid.min = {origin.x + left, origin.y + top};
  grid.cell = std::floor(std::min((size.x - left) / static_cast<float>(columns), 40 * ctx.scale));
  grid.columns = columns;
  const float room = std::max(0.0f, size.y - top - 2);
  grid.row = std::floor(std::clamp(room / static_cast<float>(std::max(1, rows)),
                                   kLeastRow * ctx.scale, kMostRow * ctx.scale));
  grid.rows = std::min(rows, static_cast<int>(room / grid.row));
  grid.text = fitting_size(ctx.fonts.text, font * 0.85f, grid.cell - 1, grid.row, kWidestLane);
  grid.wide = grid.text >= 8 * ctx.scale;
  return grid;
}

void title_above(const ViewContext& ctx, const Grid& grid, const std::string& text, float width) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float font = ImGui::GetFontSize();
  list.AddText(ctx.fonts.strong, font, {grid.min.x, grid.min.y - font * 2.3f}, ctx.theme.text,
               shortened(text, width).c_str());
}

void number_rows(const ViewContext& ctx, const Grid& grid, int first) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = std::round(ImGui::GetFontSize() * 0.75f);
  const int every = std::max(1, static_cast<int>(std::ceil(size * 1.2f / grid.row)));
  for (int row = 0; row < grid.rows; row += every) {
    const std::string text = std::to_string(first + row);
    const float wide = ctx.fonts.text->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x;
    list.AddText(ctx.fonts.text, size,
                 {grid.min.x - wide - 4 * ctx.scale,
                  std::round(grid.corner(0, row).y + (grid.row - size) / 2)},
                 ctx.theme.dim, text.c_str());
  }
}

void number_columns(const ViewContext& ctx, const Grid& grid, int step, int each) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = std::round(ImGui::GetFontSize() * 0.75f);
  const std::string widest = std::to_string(grid.columns * each);
  const float room = ctx.fonts.text->CalcTextSizeA(size, FLT_MAX, 0, (widest + " ").c_str()).x;
  while (step * grid.cell < room) step *= 2;
  for (int column = 0; column < grid.columns; column += step)
    list.AddText(ctx.fonts.text, size,
                 {grid.corner(column, 0).x + 1, grid.min.y - size - 3 * ctx.scale}, ctx.theme.dim,
                 std::to_string(column * each).c_str());
}

void fill_cell(const ViewContext& ctx, const Grid& grid, int x, int y, int gap_every, ImU32 color,
               bool faint, const std::string& text) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 min = grid.corner(x, y);
  // Chunks of 16 bytes stand apart.
  const float gap = (x + 1) % gap_every == 0 ? 2.0f : grid.cell > 9 * ctx.scale ? 1.0f : 0.0f;
  const ImVec2 max{min.x + grid.cell - gap,
                   min.y + grid.row - (grid.row > 5 * ctx.scale ? 1.0f : 0.0f)};
  const ImU32 shown = faint ? mixed(ctx.theme.empty, color, kFaint) : color;
  list.AddRectFilled(min, max, shown);
  if (!text.empty())
    text_in_box(list, ctx.fonts.text, grid.text, 7.5f * ctx.scale, min, max,
                faint ? ctx.theme.dim : text_on(shown), text);
}

// A text over the words of a chunk, where words are too narrow for their own.
void label_chunk(const ViewContext& ctx, const Grid& grid, int x, int y, int words, ImU32 ground,
                 bool faint, const std::string& text) {
  const ImVec2 min = grid.corner(x, y), max = grid.corner(x + words, y + 1);
  text_in_box(*ImGui::GetWindowDrawList(), ctx.fonts.text,
              std::min(ImGui::GetFontSize() * 0.85f, grid.row), 7.5f * ctx.scale, min, max,
              faint ? ctx.theme.dim : text_on(ground), text);
}

void mark(const ViewContext& ctx, const Grid& grid, int x, int y, bool strong) {
  const ImVec2 min = grid.corner(x, y), max = grid.corner(x + 1, y + 1);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (strong)
    outline(list, min, {max.x - 1, max.y - 1}, ctx.theme.selection, 2.5f * ctx.scale);
  else
    list.AddRect(min, {max.x - 1, max.y - 1}, ctx.theme.text, 0, 0, 1.2f * ctx.scale);
}

void point_tooltip(const TileAddresses& tile, TileElement at) {
  const std::int64_t offset = tile.at(at.row, at.column);
  if (offset == TileAddresses::kUnknown) return;
  const std::uint64_t address = tile.address(at.row, at.column);
  const std::string text = tr("row {0}, column {1}", {at.row, at.column}) + "\n" +
                           tr("element {0}, bank {1}, chunk {2} of its line",
                              {offset, bank_of(address), address % 128 / 16});
  tooltip(text);
}

std::optional<ImVec2> cell_under(const char* id, const Grid& grid, bool& clicked) {
  ImGui::SetCursorScreenPos(grid.min);
  const ImVec2 end = grid.corner(grid.columns, grid.rows);
  clicked = ImGui::InvisibleButton(
      id, {std::max(1.0f, end.x - grid.min.x), std::max(1.0f, end.y - grid.min.y)});
  if (!ImGui::IsItemHovered()) return std::nullopt;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return ImVec2{std::floor((mouse.x - grid.min.x) / grid.cell),
                std::floor((mouse.y - grid.min.y) / grid.row)};
}

void point(SwizzleState& state, const TileAddresses& tile, TileElement at, bool clicked) {
  state.pointed = at;
  if (clicked) state.pinned = state.pinned == at ? std::nullopt : std::optional(at);
  point_tooltip(tile, at);
}

bool follow_each_other(const TileAddresses& tile, TileElement first, int count) {
  if (first.column + count > tile.columns) return false;
  const std::int64_t at = tile.at(first.row, first.column);
  for (int i = 1; i < count; ++i)
    if (tile.at(first.row, first.column + i) != at + i) return false;
  return at != TileAddresses::kUnknown;
}

void draw_matrix(const ViewContext& ctx, SwizzleState& state, const TileAddresses& tile,
                 const Together& lit, ImVec2 origin, ImVec2 size) {
  const int each = per_cell(tile), columns = (tile.columns + each - 1) / each;
  const Grid grid = grid_of(ctx, origin, size, columns, tile.rows);
  if (grid.cell < 1 || grid.rows < 1) return;
  title_above(ctx, grid, tr("tile: the bank of each word"), size.x);
  number_rows(ctx, grid, 0);
  const int words = std::max(1, static_cast<int>(16 / std::max(4u, tile.element_bytes)));
  number_columns(ctx, grid, words, each);
  for (int y = 0; y < grid.rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const TileElement at{y, x * each};
      if (tile.at(at.row, at.column) == TileAddresses::kUnknown) {
        const ImVec2 min = grid.corner(x, y);
        hatch(*ImGui::GetWindowDrawList(), min, {min.x + grid.cell - 1, min.y + grid.row - 1},
              4 * ctx.scale, ctx.theme.hatch);
        continue;
      }
      const int bank = bank_of(tile.address(at.row, at.column));
      const bool faint = lit.any() && !lit.holds(at, each);
      fill_cell(ctx, grid, x, y, words, bank_color(bank), faint,
                grid.wide ? std::to_string(bank) : "");
      const bool chunk_ends = x % words == words - 1 && words > 1 && !grid.wide;
      if (chunk_ends && follow_each_other(tile, {y, (x - words + 1) * each}, tile.chunk()))
        label_chunk(ctx, grid, x - words + 1, y, words, bank_color(bank), faint,
                    fmt::format("{}–{}", bank - words + 1, bank));
    }
  const auto now = state.lit();
  for (const TileElement& e : lit.first)
    if (e.row < grid.rows)
      for (int x = e.column / each; x <= (e.column + lit.width - 1) / each; ++x)
        mark(ctx, grid, x, e.row,
             now && e.row == now->row && contains({*now}, {e.row, x * each}, each));
  bool clicked = false;
  if (const auto under = cell_under("matrix", grid, clicked))
    point(state, tile,
          {std::clamp(static_cast<int>(under->y), 0, tile.rows - 1),
           std::clamp(static_cast<int>(under->x) * each, 0, tile.columns - 1)},
          clicked);
}

/// By word from the first line: the element that begins in it.
struct Memory {
  std::uint64_t first_word = 0;
  std::vector<std::optional<TileElement>> words;
  [[nodiscard]] int lines() const { return static_cast<int>((words.size() + kBanks - 1) / kBanks); }
};

Memory memory_of(const TileAddresses& tile) {
  Memory memory;
  constexpr std::size_t kMostWords = 64 * 1024;
  memory.first_word = tile.base / 128 * kBanks;
  for (int row = tile.rows - 1; row >= 0; --row)
    for (int column = tile.columns - 1; column >= 0; --column) {
      if (tile.at(row, column) == TileAddresses::kUnknown) continue;
      const std::uint64_t from = tile.address(row, column) / kBankBytes - memory.first_word;
      const std::uint64_t to =
          (tile.address(row, column) + tile.element_bytes - 1) / kBankBytes - memory.first_word;
      for (std::uint64_t word = from; word <= to && word < kMostWords; ++word) {
        if (word >= memory.words.size()) memory.words.resize(word + 1);
        memory.words[word] = TileElement{row, column};
      }
    }
  return memory;
}

void draw_memory(const ViewContext& ctx, SwizzleState& state, const TileAddresses& tile,
                 const Together& lit, ImVec2 origin, ImVec2 size) {
  const Memory memory = memory_of(tile);
  const Grid grid = grid_of(ctx, origin, size, kBanks, memory.lines());
  if (grid.cell < 1 || grid.rows < 1) return;
  title_above(ctx, grid, tr("memory: the column of each word"), size.x);
  number_rows(ctx, grid, 0);
  number_columns(ctx, grid, 4, 1);
  const auto now = state.lit();
  const auto word_at = [&](int x, int y) -> std::optional<TileElement> {
    const auto word = static_cast<std::size_t>(y * kBanks + x);
    return word < memory.words.size() ? memory.words[word] : std::nullopt;
  };
  const int each = per_cell(tile);
  for (int y = 0; y < grid.rows; ++y)
    for (int x = 0; x < kBanks; ++x) {
      const auto at = word_at(x, y);
      if (!at) {
        fill_cell(ctx, grid, x, y, 4, ctx.theme.empty, false, {});
        continue;
      }
      const ImU32 color = bank_color(bank_alone(tile, at->column));
      const bool faint = lit.any() && !lit.holds(*at, each);
      fill_cell(ctx, grid, x, y, 4, color, faint, grid.wide ? std::to_string(at->column) : "");
      const auto first = x % 4 == 3 ? word_at(x - 3, y) : std::nullopt;
      if (!grid.wide && first && first->row == at->row &&
          at->column - first->column == 3 * per_cell(tile))
        label_chunk(ctx, grid, x - 3, y, 4, color, faint,
                    fmt::format("{}–{}", first->column, at->column + each - 1));
    }
  for (int y = 0; y < grid.rows && lit.any(); ++y)
    for (int x = 0; x < kBanks; ++x)
      if (const auto at = word_at(x, y); at && lit.holds(*at, each))
        mark(ctx, grid, x, y, now && contains({*now}, *at, each));
  bool clicked = false;
  if (const auto under = cell_under("memory", grid, clicked))
    if (const auto at = word_at(std::clamp(static_cast<int>(under->x), 0, kBanks - 1),
                                static_cast<int>(under->y)))
      point(state, tile, *at, clicked);
}

// How many of those that are read together want one bank.
void tell_together(const ViewContext& ctx, const SwizzleState& state, const TileAddresses& tile,
                   const Together& lit) {
  if (!lit.any()) {
    if (ctx.still) return;
    const std::string what =
        tr("Point at a word: those that are read together with it light up in both pictures");
    return hint(ctx, shortened(what, ImGui::GetContentRegionAvail().x - ImGui::GetFontSize()));
  }
  LaneRow address{};
  LaneMask mask = 0;
  for (std::size_t i = 0; i < lit.first.size(); ++i) {
    const TileElement at = lit.first[i];
    if (tile.at(at.row, at.column) == TileAddresses::kUnknown) continue;
    address[i] = tile.address(at.row, at.column) / tile.element_bytes * tile.element_bytes;
    mask |= LaneMask{1} << i;
  }
  const std::uint32_t bytes = lit.width > 1 ? 16 : tile.element_bytes;
  const SharedCounts cost = shared_cost(address, mask, bytes, true);
  ImGui::PushStyleColor(ImGuiCol_Text, cost.conflicts ? ctx.theme.warning : ctx.theme.good);
  ImGui::TextUnformatted(tr("{0}: {1} wavefronts, {2} conflicts",
                            {read_title(state.read), cost.wavefronts, cost.conflicts})
                             .c_str());
  ImGui::PopStyleColor();
}

}  // namespace

void draw_swizzle_pictures(const ViewContext& ctx, SwizzleState& state, const TileAddresses& tile) {
  const Together lit = together(state, tile);
  tell_together(ctx, state, tile, lit);
  const ImVec2 origin = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
  const float gap = 14 * ctx.scale;
  const ImVec2 beside{(size.x - gap) / 2, size.y}, below{size.x, (size.y - gap) / 2};
  const auto legible = [&](ImVec2 half) {
    const int columns = (tile.columns + per_cell(tile) - 1) / per_cell(tile);
    const Grid grid = grid_of(ctx, origin, half, std::max(columns, kBanks), tile.rows);
    return std::min(grid.cell, grid.row * 1.2f) * static_cast<float>(std::max(0, grid.rows));
  };
  const bool wide = legible(beside) >= legible(below);
  const ImVec2 half = wide ? beside : below;
  draw_matrix(ctx, state, tile, lit, origin, half);
  const ImVec2 second =
      wide ? ImVec2{origin.x + half.x + gap, origin.y} : ImVec2{origin.x, origin.y + half.y + gap};
  draw_memory(ctx, state, tile, lit, second, half);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({std::max(1.0f, size.x), std::max(1.0f, size.y)});
}

}  // namespace lanescope::app
