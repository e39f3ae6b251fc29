#include "views/banks/banks_tile.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "lanescope/memory.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

constexpr std::size_t kMostRows = 32;
constexpr float kQuick = 7;  // how fast rows slide: the part of the way in a second, as a rate

std::uint64_t word_of(std::uint64_t address) { return (address - kSharedWindow) / kBankBytes; }

// The array that the lanes are in, where it has rows of whole words.
int array_of(const KernelInfo& kernel, const Execution& shown, std::uint64_t& pitch) {
  if (!shown.mask) return -1;
  const std::uint64_t at =
      shown.address[static_cast<std::size_t>(std::countr_zero(shown.mask))] - kSharedWindow;
  for (std::size_t i = 0; i < kernel.shared_arrays.size(); ++i) {
    const SharedArray& array = kernel.shared_arrays[i];
    if (array.dims.size() < 2 || at < array.offset || at - array.offset >= array.bytes) continue;
    const std::uint64_t bytes = std::uint64_t{array.dims.back()} * array.element_bytes;
    if (bytes == 0 || bytes % kBankBytes != 0) return -1;
    pitch = bytes / kBankBytes;
    return static_cast<int>(i);
  }
  return -1;
}

// The rows that the lanes touch, and neighbours as far as there is room for them.
void choose_rows(BanksTile& tile, const SharedArray& array, const Execution& shown) {
  const std::uint64_t first_word = array.offset / kBankBytes;
  const std::uint64_t rows = array.bytes / kBankBytes / tile.pitch;
  std::uint64_t lowest = rows, highest = 0;
  std::array<std::uint64_t, kLanes> row{};
  for (LaneMask rest = shown.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    row[lane] = (word_of(shown.address[lane]) - first_word) / tile.pitch;
    lowest = std::min(lowest, row[lane]), highest = std::max(highest, row[lane]);
  }
  const std::uint64_t count = std::min<std::uint64_t>(rows, kMostRows);
  tile.first = std::min(lowest / kMostRows * kMostRows, rows - count);
  if (highest >= tile.first + count) tile.first = std::min(lowest, rows - count);
  tile.wanted.clear();
  // Whole lines of banks before the first row are left out, so that a slide is not a long journey.
  const std::uint64_t start = (first_word + tile.first * tile.pitch) % kBanks;
  for (std::uint64_t i = 0; i < count; ++i)
    tile.wanted.push_back(static_cast<float>(start + i * tile.pitch));
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const bool in = shown.active(static_cast<int>(lane)) && row[lane] >= tile.first &&
                    row[lane] - tile.first < count;
    tile.row[lane] = in ? static_cast<int>(row[lane] - tile.first) : -1;
  }
}

void slide(const ViewContext& ctx, BanksTile& tile) {
  const float part = 1 - std::exp(-kQuick * ImGui::GetIO().DeltaTime);
  for (std::size_t i = 0; i < tile.wanted.size(); ++i) {
    const float way = tile.wanted[i] - tile.drawn[i];
    if (std::abs(way) < 0.02f) {
      tile.drawn[i] = tile.wanted[i];
    } else {
      tile.drawn[i] += way * part;
      ctx.animating = true;
    }
  }
}

// The row's words, a line of banks of them; where it begins stands out, so that a slope shows.
void draw_tile_row(const ViewContext& ctx, const BanksTile& tile, std::size_t row,
                   const BankColumns& columns, float top, float bottom) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float bank = std::fmod(tile.drawn[row], static_cast<float>(kBanks));
  list.AddRectFilled({columns.x(0), top}, {columns.x(kBanks), bottom}, ctx.theme.empty);
  const float words = std::min<float>(kBanks, static_cast<float>(tile.pitch));
  const float end = std::min<float>(kBanks, bank + words);
  // Every other row is paler: thin ones have no room for lines between them.
  const ImU32 color = faded(ctx.theme.cell, row % 2 ? 0.6f : 1.0f);
  list.AddRectFilled({columns.x(bank), top}, {columns.x(end), bottom}, color);
  if (bank + words > kBanks)
    list.AddRectFilled({columns.x(0), top}, {columns.x(bank + words - kBanks), bottom}, color);
  list.AddRectFilled({columns.x(bank), top},
                     {columns.x(bank) + std::max(2.0f, 2 * ctx.scale), bottom}, ctx.theme.text);
}

}  // namespace

void follow_tile(const ViewContext& ctx, BanksTile& tile, const Execution& shown) {
  const bool same =
      tile.serial == ctx.picture->serial && tile.warp == ctx.focus.warp && tile.step == shown.step;
  if (!same) {
    const int before = tile.array;
    const std::uint64_t first = tile.first;
    tile.serial = ctx.picture->serial;
    tile.warp = ctx.focus.warp;
    tile.step = shown.step;
    const KernelInfo& kernel = ctx.picture->kernel();
    tile.array = array_of(kernel, shown, tile.pitch);
    if (tile.array < 0) return;
    choose_rows(tile, kernel.shared_arrays[static_cast<std::size_t>(tile.array)], shown);
    const bool known =
        before == tile.array && first == tile.first && tile.drawn.size() == tile.wanted.size();
    if (!known) tile.drawn = tile.wanted;
  }
  if (tile.array >= 0) slide(ctx, tile);
}

std::array<int, kLanes> stack_heights(const BankPlan& plan) {
  std::array<int, kLanes> heights{};
  for (std::size_t group = 0; group < plan.groups.size(); ++group) {
    std::array<int, kBanks> words{};
    std::array<LaneMask, kBanks> lanes{};
    for (const Wavefront& wavefront : plan.wavefronts) {
      if (wavefront.group != static_cast<int>(group)) continue;
      for (const BankWord& word : wavefront.words) {
        ++words[static_cast<std::size_t>(word.bank)];
        lanes[static_cast<std::size_t>(word.bank)] |= word.lanes;
      }
    }
    for (std::size_t bank = 0; bank < kBanks; ++bank) {
      for (LaneMask rest = lanes[bank]; rest != 0; rest &= rest - 1) {
        int& height = heights[static_cast<std::size_t>(std::countr_zero(rest))];
        height = std::max(height, words[bank]);
      }
    }
  }
  return heights;
}

void draw_tile(const ViewContext& ctx, const BanksTile& tile, const Execution& shown, int serving,
               const BankColumns& columns, float height, Actions& actions) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const auto rows = static_cast<float>(std::max<std::size_t>(1, tile.drawn.size()));
  const float each = std::min(height / rows, 20 * ctx.scale), gap = each > 4 ? 1.0f : 0.0f;
  const auto top = [&](std::size_t row) { return origin.y + each * static_cast<float>(row); };
  for (std::size_t row = 0; row < tile.drawn.size(); ++row)
    draw_tile_row(ctx, tile, row, columns, top(row), top(row + 1) - gap);
  const std::string name =
      ctx.picture->kernel().shared_arrays[static_cast<std::size_t>(tile.array)].name;
  text_in_box(list, ctx.fonts.text, ImGui::GetFontSize() * 0.8f, 7 * ctx.scale, origin,
              {columns.x(0) - 2, origin.y + ImGui::GetTextLineHeight()}, ctx.theme.dim, name);
  const std::array<int, kLanes> heights = stack_heights(*shown.banks);
  LaneMask now = 0;
  if (serving > 0)
    for (const BankWord& word :
         shown.banks->wavefronts[static_cast<std::size_t>(serving - 1)].words)
      now |= word.lanes;
  const float words = std::max(1.0f, static_cast<float>(shown.access->bytes / kBankBytes));
  const float size =
      fitting_size(ctx.fonts.text, ImGui::GetFontSize() * 0.8f, columns.cell, each, kWidestLane);
  ImGui::PushID("tile");
  for (int lane = 0; lane < kLanes; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    if (tile.row[i] < 0) continue;
    const auto row = static_cast<std::size_t>(tile.row[i]);
    // As far from its bank as the row is from where it belongs.
    const float bank = static_cast<float>(word_of(shown.address[i]) % kBanks) +
                       std::fmod(tile.drawn[row] - tile.wanted[row], static_cast<float>(kBanks)) +
                       kBanks;
    const float at = std::fmod(bank, static_cast<float>(kBanks));
    const ImVec2 min{columns.x(at), top(row)},
        max{std::min(columns.x(at + words), columns.x(kBanks)) - 1, top(row + 1) - gap};
    const bool waits = serving > 0 && (now >> lane & 1u) == 0;
    const ImU32 color = faded(heat_color(heights[i]), waits ? 0.35f : 1.0f);
    list.AddRectFilled(min, max, color);
    text_in_box(list, ctx.fonts.text, size, 8 * ctx.scale, min, max,
                waits ? ctx.theme.dim : text_on(color), std::to_string(lane));
    if (lane == ctx.focus.lit_lane) outline(list, min, max, ctx.theme.selection, 2 * ctx.scale);
    lane_item(ctx, lane, &shown, min, max, actions);
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({columns.x(kBanks) - origin.x, each * rows});
}

}  // namespace lanescope::app
