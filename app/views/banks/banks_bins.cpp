#include "views/banks/banks_bins.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

constexpr int kMatrixRows = 8;
constexpr float kDone = 0.45f, kWaiting = 0.18f;  // alpha of what is served already, or not yet
constexpr float kThinnest = 1.4f;                 // units a wavefront
constexpr float kLeastText = 7;                   // units
constexpr float kApart = 6;    // units from where the words of a stack are told apart
constexpr float kCrowded = 4;  // units a wavefront below which one group is shown instead of all

// The groups that are shown, and their wavefronts: up to, not including, the last.
struct Shown {
  int first_group = 0, last_group = 0;
  std::size_t first = 0, last = 0;
  [[nodiscard]] int groups() const { return last_group - first_group; }
  [[nodiscard]] float rows() const {
    return static_cast<float>(std::max<std::size_t>(1, last - first));
  }
};

// The bins stand on the numbers of their banks and grow upwards, a row a wavefront.
struct Bins {
  BankColumns columns;
  float left, floor, row;
  Shown shown;
  /// Heights of the line that names a group, below its stacks, and of the numbers above them; 0 for none
  float caption = 0, numbers = 0;
  /// Size of the numbers
  float text = 0;
  [[nodiscard]] float x(int bank) const { return columns.x(static_cast<float>(bank)); }
  [[nodiscard]] float bottom(std::size_t wavefront, int group) const {
    const auto below = static_cast<float>(group - shown.first_group);
    return floor - row * static_cast<float>(wavefront - shown.first) - (caption + numbers) * below -
           caption;
  }
  /// Of all stacks, with what names and numbers them
  [[nodiscard]] float height() const {
    const auto groups = static_cast<float>(std::max(1, shown.groups()));
    return row * shown.rows() + (caption + numbers) * groups;
  }
};

// Words of each bank, group by group: [group][bank].
using Heights = std::vector<std::array<int, kBanks>>;

Heights heights_of(const BankPlan& plan) {
  Heights heights(plan.groups.size());
  for (const Wavefront& wavefront : plan.wavefronts)
    for (const BankWord& word : wavefront.words)
      ++heights[static_cast<std::size_t>(wavefront.group)][static_cast<std::size_t>(word.bank)];
  return heights;
}

// How bright a wavefront is while another one is served.
float alpha_of(std::size_t wavefront, int serving) {
  if (serving == 0) return 1;
  const auto now = static_cast<std::size_t>(serving - 1);
  return wavefront == now ? 1 : wavefront < now ? kDone : kWaiting;
}

void draw_floor(const ViewContext& ctx, const Bins& bins, int worst, float height) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = bins.floor + 2, bottom = top + height - 2;
  text_in_box(list, ctx.fonts.text, ImGui::GetFontSize() * 0.8f, 7 * ctx.scale, {bins.left, top},
              {bins.x(0) - 2, bottom}, ctx.theme.dim, tr("bank"));
  // Where not all numbers fit, one in four: a few that happen to be narrow would be no scale.
  const bool all = bins.text >= kLeastText * ctx.scale;
  const float size = all ? bins.text : ImGui::GetFontSize() * 0.7f;
  for (int bank = 0; bank < kBanks; ++bank)
    list.AddRectFilled({bins.x(bank), top}, {bins.x(bank + 1) - 1, bottom}, bank_color(bank));
  for (int bank = 0; bank < kBanks; ++bank) {
    const ImVec2 min{bins.x(bank), top}, max{bins.x(bank + 1) - 1, bottom};
    const float over = all ? 0 : bins.columns.cell;
    if (all || bank % 4 == 0)
      text_in_box(list, ctx.fonts.text, size, kLeastText * ctx.scale, {min.x - over, min.y},
                  {max.x + over, max.y}, text_on(bank_color(bank)), std::to_string(bank));
    if (bank == worst) list.AddRect(min, max, ctx.theme.error, 0, 0, 2 * ctx.scale);
  }
}

void word_tooltip(const BankWord& word) {
  tooltip(tr("bank {0}, word {1}: one word for lanes {2} (broadcast)",
             {word.bank, word.word & 0xffffffffu, lanes_text(word.lanes)}));
}

void draw_word(const ViewContext& ctx, const Execution& shown, const Bins& bins,
               const BankWord& word, int height, ImVec2 min, ImVec2 max, float alpha,
               Actions& actions) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = faded(heat_color(height), alpha);
  list.AddRectFilled(min, max, color);
  const int count = active_lanes(word.lanes);
  const int lane = std::countr_zero(word.lanes);
  const ImU32 ink = alpha < 1 ? ctx.theme.dim : text_on(color);
  if (alpha > kWaiting && bins.text >= kLeastText * ctx.scale) {
    text_in_box(list, count > 1 ? ctx.fonts.strong : ctx.fonts.text, bins.text,
                kLeastText * ctx.scale, min, max, ink,
                count > 1 ? fmt::format("×{}", count) : std::to_string(lane));
  }
  if (count > 1 && bins.row > kApart * ctx.scale)
    list.AddRect({min.x + 1, min.y + 1}, {max.x - 1, max.y - 1}, ink);
  const int lit = ctx.focus.lit_lane;
  const bool is_lit = lit >= 0 && (word.lanes >> lit & 1u) != 0;
  if (is_lit) {
    outline(list, min, max, ctx.theme.selection, 2.5f * ctx.scale);
    ctx.lit.add("banks", lit, shown.address[static_cast<std::size_t>(lit)]);
  }
  // A shared word answers for the lane that is lit already, so that hovering it does not jump
  // about.
  const bool hovered = lane_item(ctx, is_lit ? lit : lane, &shown, min, max, actions);
  if (hovered && count > 1) word_tooltip(word);
}

void draw_caption(const ViewContext& ctx, const Bins& bins, const BankPlan& plan,
                  std::size_t wavefront, float alpha) {
  const int group = plan.wavefronts[wavefront].group;
  const float size = bins.caption * 0.8f;
  const float bottom = bins.bottom(wavefront, group) + bins.caption;
  const ImU32 color = alpha < 1 ? ctx.theme.dim : ctx.theme.text;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine({bins.left, bottom - 1}, {bins.x(kBanks), bottom - 1}, ctx.theme.barrier,
               1.5f * ctx.scale);
  std::string words = group_text(plan, static_cast<std::size_t>(group));
  if (const std::size_t all = plan.groups.size(); bins.shown.groups() < static_cast<int>(all))
    words += " · " + tr("{0} of {1} groups", {group + 1, all});
  list.AddText(ctx.fonts.text, size, {bins.x(0), bottom - (bins.caption + size) / 2}, color,
               words.c_str());
}

void draw_wavefront(const ViewContext& ctx, const Execution& shown, const Bins& bins,
                    const Heights& heights, std::size_t number, std::size_t every, float alpha,
                    Actions& actions) {
  const Wavefront& wavefront = shown.banks->wavefronts[number];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float bottom = bins.bottom(number, wavefront.group);
  // A thin stack is one bar: lines between its words would hide it.
  const float gap = bins.row > kApart * ctx.scale ? 1.0f : 0.0f;
  const float top = bottom - bins.row + gap;
  if (number % every == 0) {
    const float size = std::min(ImGui::GetFontSize() * 0.85f,
                                std::max(bins.row * static_cast<float>(every), 9 * ctx.scale));
    const float middle = bottom - std::max(bins.row, size) / 2;
    list.AddText(ctx.fonts.text, size, {bins.left, std::round(middle - size / 2)},
                 alpha < 1 ? ctx.theme.cell : ctx.theme.dim, std::to_string(number + 1).c_str());
  }
  for (const BankWord& word : wavefront.words) {
    const int height =
        heights[static_cast<std::size_t>(wavefront.group)][static_cast<std::size_t>(word.bank)];
    draw_word(ctx, shown, bins, word, height, {bins.x(word.bank), top},
              {bins.x(word.bank + 1) - 1, bottom}, alpha, actions);
  }
}

// How high the stacks are, over each of them; the worst one's cannot be overlooked.
void draw_heights(const ViewContext& ctx, const Bins& bins, const BankPlan& plan,
                  const Heights& heights) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float usual =
      fitting_size(ctx.fonts.text, ImGui::GetFontSize() * 0.85f, bins.columns.cell + 1,
                   ImGui::GetFontSize(), std::to_string(plan.ways).c_str());
  std::size_t first = bins.shown.first;
  for (auto group = static_cast<std::size_t>(bins.shown.first_group);
       static_cast<int>(group) < bins.shown.last_group; ++group) {
    const int highest = *std::max_element(heights[group].begin(), heights[group].end());
    for (int bank = 0; bank < kBanks && highest > 1; ++bank) {
      const int height = heights[group][static_cast<std::size_t>(bank)];
      if (height < 2) continue;
      const float top =
          bins.bottom(first, static_cast<int>(group)) - bins.row * static_cast<float>(height);
      const bool worst = height == plan.ways && bank == plan.worst_bank;
      const float size = worst ? ImGui::GetFontSize() : usual;
      if (size < kLeastText * ctx.scale) continue;
      text_in_box(list, worst ? ctx.fonts.strong : ctx.fonts.text, size, 7 * ctx.scale,
                  {bins.x(bank) - 4, top - size - 2}, {bins.x(bank + 1) + 4, top - 1},
                  worst ? ctx.theme.error : ctx.theme.text, std::to_string(height));
    }
    while (first < plan.wavefronts.size() &&
           plan.wavefronts[first].group == static_cast<int>(group))
      ++first;
  }
}

}  // namespace

std::string group_text(const BankPlan& plan, std::size_t group) {
  if (group < plan.groups.size() &&
      (plan.service == Service::matrix2 || plan.service == Service::matrix4)) {
    const int first = std::countr_zero(plan.groups[group]);
    return tr("matrix {0}: its rows by lanes {1}–{2}",
              {first / kMatrixRows, first, first + kMatrixRows - 1});
  }
  const int lanes = plan.bytes <= 4 ? 32 : plan.bytes == 8 ? 16 : 8;
  const int span = plan.merged ? 2 * lanes : lanes;
  if (span >= kLanes || group >= plan.groups.size()) return {};
  static constexpr const char* kHalves[] = {"first half-warp", "second half-warp"};
  static constexpr const char* kQuarters[] = {"first quarter-warp", "second quarter-warp",
                                              "third quarter-warp", "fourth quarter-warp"};
  const int part = std::countr_zero(plan.groups[group]) / span;
  const char* name = span == 16 ? kHalves[part] : kQuarters[part];
  return tr("lanes {0}–{1}: {2}", {part * span, (part + 1) * span - 1, tr(name)});
}

void draw_served_lanes(const ViewContext& ctx, const Execution& shown, int serving,
                       const BankColumns& columns, Actions& actions) {
  const BankPlan& plan = *shown.banks;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float cell = columns.cell, height = ImGui::GetTextLineHeight() + 2 * ctx.scale;
  const float size =
      fitting_size(ctx.fonts.text, ImGui::GetFontSize() * 0.85f, cell, height, kWidestLane);
  LaneMask done = 0, now = 0;
  for (std::size_t i = 0; serving > 0 && i < static_cast<std::size_t>(serving); ++i) {
    const bool current = i + 1 == static_cast<std::size_t>(serving);
    for (const BankWord& word : plan.wavefronts[i].words) (current ? now : done) |= word.lanes;
  }
  text_in_box(list, ctx.fonts.text, ImGui::GetFontSize() * 0.8f, 7 * ctx.scale, origin,
              {columns.x(0) - 2, origin.y + height}, ctx.theme.dim, tr("lane"));
  ImGui::PushID("served");
  for (int lane = 0; lane < kLanes; ++lane) {
    const ImVec2 min{columns.x(static_cast<float>(lane)), origin.y},
        max{min.x + cell - 1, min.y + height};
    if (!shown.active(lane)) {
      list.AddRect(min, max, ctx.theme.grid);
      continue;
    }
    const auto address = shown.address[static_cast<std::size_t>(lane)];
    const bool served = serving == 0 || (now >> lane & 1u) != 0;
    const float alpha = served ? 1 : (done >> lane & 1u) != 0 ? kDone : kWaiting;
    const ImU32 color = faded(bank_color(static_cast<int>(address / kBankBytes % kBanks)), alpha);
    list.AddRectFilled(min, max, color);
    text_in_box(list, ctx.fonts.text, size, 7 * ctx.scale, min, max,
                served ? text_on(color) : ctx.theme.dim, std::to_string(lane));
    if (serving > 0 && served) list.AddRect(min, max, ctx.theme.text, 0, 0, 1.5f * ctx.scale);
    if (lane == ctx.focus.lit_lane) outline(list, min, max, ctx.theme.selection, 2 * ctx.scale);
    lane_item(ctx, lane, &shown, min, max, actions);
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({columns.x(kLanes) - origin.x, height});
}

BankColumns bank_columns() {
  const float margin = ImGui::GetFontSize() * 1.9f;
  return {ImGui::GetCursorScreenPos().x + margin,
          std::floor((ImGui::GetContentRegionAvail().x - margin) / kBanks)};
}

float least_bins(const ViewContext& ctx, const BankPlan& plan) {
  const float text = ImGui::GetFontSize();
  const auto rows = static_cast<float>(plan.wavefronts.size());
  const bool named = !group_text(plan, 0).empty();
  return (named ? 3 : 2) * text + 14 + 2 * ImGui::GetStyle().ItemSpacing.y +
         rows * (rows > 8 ? kThinnest : 6.0f) * ctx.scale;
}

namespace {

Shown every_group(const BankPlan& plan) {
  return {0, static_cast<int>(plan.groups.size()), 0, plan.wavefronts.size()};
}

// The one that is served, else the worst.
Shown one_group(const BankPlan& plan, const Heights& heights, int serving) {
  int group = 0;
  if (serving > 0) {
    group = plan.wavefronts[static_cast<std::size_t>(serving) - 1].group;
  } else {
    const auto worst = std::find_if(heights.begin(), heights.end(), [&](const auto& of) {
      return of[static_cast<std::size_t>(std::max(0, plan.worst_bank))] == plan.ways;
    });
    if (worst != heights.end()) group = static_cast<int>(worst - heights.begin());
  }
  const auto in_group = [&](const Wavefront& wavefront) { return wavefront.group == group; };
  const auto first = std::find_if(plan.wavefronts.begin(), plan.wavefronts.end(), in_group);
  const auto last = std::find_if_not(first, plan.wavefronts.end(), in_group);
  return {group, group + 1, static_cast<std::size_t>(first - plan.wavefronts.begin()),
          static_cast<std::size_t>(last - plan.wavefronts.begin())};
}

// As high as there is room for, every group or, where that would be crowded, one of them.
Bins fitted(const ViewContext& ctx, const BankPlan& plan, const Heights& heights, int serving,
            Bins bins, float room) {
  const float text = ImGui::GetFontSize();
  const bool named = !group_text(plan, 0).empty();
  bins.caption = named ? std::round(text * 1.15f) : 0;
  bins.numbers = plan.ways > 1 ? text + 4 : 2;
  const auto fit = [&](const Shown& shown) {
    bins.shown = shown;
    bins.row = 0;
    bins.row =
        row_height(room - bins.height(), shown.rows(), kThinnest * ctx.scale, 30 * ctx.scale);
  };
  fit(every_group(plan));
  if (named && bins.row < kCrowded * ctx.scale) fit(one_group(plan, heights, serving));
  return bins;
}

}  // namespace

void draw_bins(const ViewContext& ctx, const Execution& shown, int serving,
               const BankColumns& columns, Actions& actions) {
  const BankPlan& plan = *shown.banks;
  const float text = ImGui::GetFontSize(), header = text + 6;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().y - header - 2;
  const Heights heights = heights_of(plan);
  Bins bins = fitted(ctx, plan, heights, serving,
                     {.columns = columns, .left = origin.x, .floor = 0, .row = 0}, room);
  bins.floor = origin.y + bins.height();
  bins.text = fitting_size(ctx.fonts.text, text * 0.9f, columns.cell, header, kWidestLane);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({columns.x(0), origin.y + bins.numbers}, {columns.x(kBanks), bins.floor},
                     ctx.theme.empty);
  const auto every = static_cast<std::size_t>(std::ceil(text * 0.8f / bins.row));
  for (std::size_t i = bins.shown.first; i < bins.shown.last; ++i) {
    const float alpha = alpha_of(i, serving);
    const bool first =
        i == bins.shown.first || plan.wavefronts[i - 1].group != plan.wavefronts[i].group;
    if (bins.caption > 0 && first) draw_caption(ctx, bins, plan, i, alpha);
    draw_wavefront(ctx, shown, bins, heights, i, every, alpha, actions);
  }
  draw_heights(ctx, bins, plan, heights);
  draw_floor(ctx, bins, plan.ways > 1 ? plan.worst_bank : -1, header);
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({columns.x(kBanks) - origin.x, bins.floor - origin.y + header});
}

}  // namespace lanescope::app
