#include "views/draw/widgets.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "imgui_internal.h"
#include "views/draw/glossary.h"
#include "views/draw/tr.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {

namespace {

void wrapped_with_terms(const ViewContext& ctx, const std::string& text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wrap = ImGui::GetContentRegionAvail().x;
  wrapped_text(text);
  mark_terms(ctx, in_lines(text, wrap), {at.x, ImGui::GetItemRectMin().y}, std::max(1.0f, wrap));
}

}  // namespace

bool still_held(const char* id) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return g.ActiveId == ImGui::GetID(id) && g.ActiveIdHasBeenEditedBefore;
}

void headline(const ViewContext& ctx, const std::string& text, ImU32 color) {
  ImGui::PushFont(ctx.fonts.strong, ImGui::GetStyle().FontSizeBase * 1.15f);
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  wrapped_with_terms(ctx, text);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void hint(const ViewContext& ctx, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.dim);
  wrapped_with_terms(ctx, text);
  ImGui::PopStyleColor();
}

void nothing_to_show(const ViewContext& ctx, const char* why) {
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const float wrap = space.x * 0.8f;
  const ImVec2 size = wrapped_size(why, wrap);
  const ImVec2 at = ImGui::GetCursorPos();
  ImGui::SetCursorPos(
      {at.x + (space.x - size.x) / 2, at.y + std::max(0.0f, (space.y - size.y) * 0.4f)});
  ImGui::PushStyleColor(ImGuiCol_Text, ctx.theme.dim);
  wrapped_text(why, ImGui::GetCursorPosX() + wrap);
  ImGui::PopStyleColor();
}

void nothing_recorded(const ViewContext& ctx, const char* why) {
  nothing_to_show(ctx, !ctx.picture && ctx.program.waits
                           ? tr("The program has not run yet: press Run in the view Program.")
                           : why);
}

namespace {

// What a lane's number takes: the same 32 stand on hundreds of cells, in every frame.
class NumberSizes {
 public:
  ImVec2 of(ImFont* font, float size, const std::string& text) {
    const char* end = text.data() + text.size();
    const bool number =
        !text.empty() && text.size() <= 2 && is_digit(text[0]) && is_digit(text[text.size() - 1]);
    if (!number) return font->CalcTextSizeA(size, FLT_MAX, 0, text.data(), end);
    if (font != font_ || size != size_ || ImGui::GetFrameCount() != frame_) {
      sizes_.fill({-1, 0});
      font_ = font, size_ = size, frame_ = ImGui::GetFrameCount();
    }
    const std::size_t tens = text.size() == 2 ? static_cast<std::size_t>(text[0] - '0') + 1 : 0;
    ImVec2& kept = sizes_[tens * 10 + static_cast<std::size_t>(text.back() - '0')];
    if (kept.x < 0) kept = font->CalcTextSizeA(size, FLT_MAX, 0, text.data(), end);
    return kept;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  const ImFont* font_ = nullptr;
  float size_ = 0;
  int frame_ = -1;
  std::array<ImVec2, 110> sizes_;
};

}  // namespace

bool text_in_box(ImDrawList& list, ImFont* font, float size, float smallest, ImVec2 min, ImVec2 max,
                 ImU32 color, const std::string& text) {
  const float width = max.x - min.x - 1, height = max.y - min.y;
  if (!(size >= smallest)) return false;
  const char* begin = text.data();
  const char* end = begin + text.size();
  static NumberSizes sizes;
  ImVec2 extent = sizes.of(font, size, text);
  if (extent.x > width || size > height) {
    size = std::floor(std::min({size * width / std::max(1.0f, extent.x), height, size}));
    if (!(size >= smallest)) return false;
    extent = font->CalcTextSizeA(size, FLT_MAX, 0, begin, end);
  }
  const ImVec2 at{std::round((min.x + max.x - extent.x) / 2),
                  std::round((min.y + max.y - extent.y) / 2)};
  list.AddText(font, size, at, color, begin, end);
  return true;
}

float fitting_size(ImFont* font, float size, float width, float height, const char* sample) {
  const float extent = font->CalcTextSizeA(size, FLT_MAX, 0, sample).x;
  return std::floor(
      std::min({size * std::max(0.0f, width - 1) / std::max(1.0f, extent), height, size}));
}

std::string shortened(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  const auto head = [&](std::size_t bytes) {
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) --bytes;
    return text.substr(0, bytes) + "…";
  };
  // The longest that fits: more letters are never less wide.
  std::size_t fits = 0, wide = text.size();
  while (wide - fits > 1) {
    const std::size_t middle = fits + (wide - fits) / 2;
    (ImGui::CalcTextSize(head(middle).c_str()).x <= width ? fits : wide) = middle;
  }
  return head(fits);
}

float row_height(float space, float rows, float least, float most) {
  const float height = std::clamp(space / std::max(1.0f, rows), least, most);
  return height > 8 ? std::floor(height) : height;
}

void hatch(ImDrawList& list, ImVec2 min, ImVec2 max, float spacing, ImU32 color) {
  list.PushClipRect(min, max, true);
  const float height = max.y - min.y;
  // On one lattice for the whole screen, so that neighbouring cells join up.
  const float first = std::floor((min.x - height + min.y) / spacing) * spacing - min.y;
  for (float x = first; x < max.x; x += spacing) {
    list.AddLine({x, max.y}, {x + height, min.y}, color, 1);
  }
  list.PopClipRect();
}

void arrow(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color, float thickness) {
  const ImVec2 d{to.x - from.x, to.y - from.y};
  const float length = std::sqrt(d.x * d.x + d.y * d.y);
  if (length < 1) return;
  const ImVec2 u{d.x / length, d.y / length};
  const float head = std::min(length, thickness * 4.5f);
  const ImVec2 neck{to.x - u.x * head, to.y - u.y * head};
  const float half = head * 0.45f;
  list.AddLine(from, neck, color, thickness);
  list.AddTriangleFilled(to, {neck.x - u.y * half, neck.y + u.x * half},
                         {neck.x + u.y * half, neck.y - u.x * half}, color);
}

void outline(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 color, float thickness) {
  list.AddRect({min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, text_on(color), 0, 0,
               thickness + 1.5f);
  list.AddRect(min, max, color, 0, 0, thickness);
}

void legend(const ViewContext& ctx, std::initializer_list<LegendEntry> entries) {
  const float box = std::round(ImGui::GetFontSize() * 0.7f);
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const LegendEntry& entry : entries) {
    const float width = box + 6 * ctx.scale + ImGui::CalcTextSize(entry.text).x;
    if (!first) {
      ImGui::SameLine(0, 14 * ctx.scale);
      if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    }
    first = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y + (ImGui::GetTextLineHeight() - box) / 2;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 max{at.x + box, top + box};
    list.AddRectFilled({at.x, top}, max, entry.color);
    if (entry.hatched) hatch(list, {at.x, top}, max, 4 * ctx.scale, ctx.theme.hatch);
    list.AddRect({at.x, top}, max, ctx.theme.grid);
    ImGui::Dummy({box, ImGui::GetTextLineHeight()});
    ImGui::SameLine(0, 6 * ctx.scale);
    const ImVec2 words = ImGui::GetCursorScreenPos();
    ImGui::TextDisabled("%s", entry.text);
    mark_terms(ctx, entry.text, words);
  }
}

void lane_tooltip(const ViewContext& ctx, int lane, const Execution* execution) {
  if (!ctx.picture || lane < 0) return;
  std::string text = lane_and_thread(ctx, ctx.focus.warp, lane);
  if (execution && execution->active(lane)) {
    const std::uint64_t address = execution->address[static_cast<std::size_t>(lane)];
    text += "\n" + locate(*ctx.picture, address).text();
    if (ctx.predicting) {
      // where it lies would tell the bank or the byte
    } else if (execution->space == MemorySpace::shared) {
      text += "\n" + tr("bank {0}", {address / kBankBytes % kBanks});
    } else {
      text += "\n" + tr("byte {0} of its 32-byte sector", {address % kSectorBytes});
    }
  } else if (execution) {
    text += std::string("\n") + tr("takes no part in this access");
  }
  tooltip(text);
}

bool lane_item(const ViewContext& ctx, int lane, const Execution* execution, ImVec2 min, ImVec2 max,
               Actions& actions) {
  const ImVec2 before = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(min);
  static const std::vector<std::string> ids = [] {
    std::vector<std::string> all;
    for (int i = 0; i < kLanes; ++i) all.push_back(fmt::format("lane {}", i));
    return all;
  }();
  const bool clicked =
      ImGui::InvisibleButton(ids[static_cast<std::size_t>(lane)].c_str(),
                             {std::max(1.0f, max.x - min.x), std::max(1.0f, max.y - min.y)});
  const bool hovered = ImGui::IsItemHovered();
  ImGui::SetCursorScreenPos(before);
  if (clicked) actions.push_back(SelectLane{ctx.selection.lane == lane ? -1 : lane});
  if (hovered) {
    actions.push_back(HoverLane{lane});
    lane_tooltip(ctx, lane, execution);
  }
  return hovered;
}

namespace {

void draw_icon(ImDrawList& list, Icon icon, ImVec2 c, float r, ImU32 color) {
  const auto right = [&](float x) {
    list.AddTriangleFilled({c.x + x - r * 0.5f, c.y - r}, {c.x + x + r * 0.6f, c.y},
                           {c.x + x - r * 0.5f, c.y + r}, color);
  };
  const auto left = [&](float x) {
    list.AddTriangleFilled({c.x + x + r * 0.5f, c.y - r}, {c.x + x - r * 0.6f, c.y},
                           {c.x + x + r * 0.5f, c.y + r}, color);
  };
  const auto bar = [&](float x, float width) {
    list.AddRectFilled({c.x + x - width / 2, c.y - r}, {c.x + x + width / 2, c.y + r}, color);
  };
  const float thin = r * 0.35f;
  switch (icon) {
  case Icon::first:
    bar(-r * 0.8f, thin), left(r * 0.1f);
    break;
  case Icon::back:
    left(0);
    break;
  case Icon::forward:
    right(0);
    break;
  case Icon::last:
    right(-r * 0.1f), bar(r * 0.8f, thin);
    break;
  case Icon::previous_access:
    left(-r * 0.45f), left(r * 0.45f);
    break;
  case Icon::next_access:
    right(-r * 0.45f), right(r * 0.45f);
    break;
  case Icon::next_barrier:
    right(-r * 0.7f), bar(r * 0.25f, thin), bar(r * 0.9f, thin);
    break;
  case Icon::play:
    right(0);
    list.AddCircle(c, r * 1.7f, color, 24, 1.5f);
    break;
  case Icon::pause:
    bar(-r * 0.45f, r * 0.5f), bar(r * 0.45f, r * 0.5f);
    list.AddCircle(c, r * 1.7f, color, 24, 1.5f);
    break;
  }
}

}  // namespace

bool icon_button(const ViewContext& ctx, const char* id, Icon icon, const char* tooltip) {
  const float height = ImGui::GetFrameHeight();
  ImGui::PushID(id);
  const bool pressed = ImGui::Button("##icon", {height * 1.25f, height});
  ImGui::PopID();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  draw_icon(*ImGui::GetWindowDrawList(), icon, {(min.x + max.x) / 2, (min.y + max.y) / 2},
            height * 0.24f, ctx.theme.text);
  item_tooltip(tooltip);
  return pressed;
}

std::string extent_text(Dim3 extent) {
  std::string text = fmt::format("{}×{}", extent.x, extent.y);
  if (extent.z > 1) text += fmt::format("×{}", extent.z);
  return text;
}

std::string lane_and_thread(const ViewContext& ctx, std::uint32_t warp, int lane) {
  const Dim3 thread = thread_of(ctx.picture->prepared->launch.block, warp, lane);
  return tr("lane {0} of warp {1}: thread ({2}, {3})", {lane, warp, thread.x, thread.y});
}

std::string lanes_text(LaneMask mask) {
  std::string text;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(mask >> lane & 1u)) continue;
    int last = lane;
    while (last + 1 < kLanes && (mask >> (last + 1) & 1u)) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(lane);
    if (last > lane) text += fmt::format("{}{}", last == lane + 1 ? ", " : "–", last);
    lane = last;
  }
  return text;
}

std::string access_title(const AccessInfo& access) {
  const std::string& what = access.text.empty() ? access.root : access.text;
  // Of inline assembly nothing is known but what it does.
  return (what.empty() ? "" : what + "  ") + tr(std::string(access_op_name(access.op)).c_str());
}

}  // namespace lanescope::app
