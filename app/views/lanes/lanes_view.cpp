#include "views/lanes/lanes_view.h"

#include <algorithm>

#include <fmt/format.h>

#include "views/draw/glossary.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

constexpr std::size_t kMaxColumns = 40;
constexpr int kOwnColumns = 5;  // before the variables

// Locals first, then the kernel's scalar parameters, which are the same for all lanes. Pointers say
// nothing here.
std::vector<std::size_t> known_variables(const ViewContext& ctx) {
  const KernelInfo& kernel = ctx.picture->kernel();
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < ctx.focus.variables.size() && shown.size() < kMaxColumns; ++i) {
    if (ctx.focus.variables[i].known && kernel.variables[i].type != ScalarType::pointer)
      shown.push_back(i);
  }
  std::stable_partition(shown.begin(), shown.end(), [&](std::size_t i) {
    return std::none_of(kernel.arguments.begin(), kernel.arguments.end(),
                        [&](const ArgumentInfo& p) { return p.name == kernel.variables[i].name; });
  });
  return shown;
}

void header(const ViewContext& ctx, const std::vector<std::size_t>& variables) {
  ImGui::TableSetupScrollFreeze(1, 1);
  ImGui::TableSetupColumn(tr("lane"), ImGuiTableColumnFlags_NoHide);
  ImGui::TableSetupColumn(tr("thread"));
  ImGui::TableSetupColumn(tr("address"));
  ImGui::TableSetupColumn(tr("byte"));
  ImGui::TableSetupColumn(
      ctx.focus.shown && ctx.focus.shown->space == MemorySpace::shared ? tr("bank") : tr("sector"));
  for (std::size_t i : variables)
    ImGui::TableSetupColumn(ctx.picture->kernel().variables[i].name.c_str());
  header_row(ctx, kOwnColumns);
}

std::string thread_text(const ViewContext& ctx, int lane) {
  const Dim3 block = ctx.picture->prepared->launch.block,
             thread = thread_of(block, ctx.focus.warp, lane);
  const std::string text = fmt::format("{}, {}", thread.x, thread.y);
  return block.z > 1 ? fmt::format("{}, {}", text, thread.z) : text;
}

// The element, its byte from the beginning of the array or buffer, and what serves it.
void add_access(const ViewContext& ctx, int lane, LaneTexts& texts) {
  if (!ctx.focus.active(lane)) return;
  const Execution& shown = *ctx.focus.shown;
  const std::uint64_t address = shown.address[static_cast<std::size_t>(lane)];
  const Place place = locate(*ctx.picture, address);
  texts.address = place.text();
  if (!place.name.empty()) texts.byte = std::to_string(place.offset);
  if (shown.space == MemorySpace::shared) {
    texts.served = std::to_string(address / kBankBytes % kBanks);
  } else if (shown.sectors && !shown.sectors->lines.empty()) {
    const std::uint64_t first = shown.sectors->lines.front().sectors.front().address;
    texts.served = fmt::format("+{}", (address - first) / kSectorBytes);
  }
}

// Of a step that stays the same, every frame says the same.
void make_texts(const ViewContext& ctx, LanesState& state,
                const std::vector<std::size_t>& variables) {
  if (state.texts_of == ctx.focus.serial) return;
  state.texts_of = ctx.focus.serial;
  for (int lane = 0; lane < kLanes; ++lane) {
    LaneTexts& texts = state.texts[static_cast<std::size_t>(lane)];
    texts = {.thread = thread_text(ctx, lane)};
    add_access(ctx, lane, texts);
    for (const std::size_t i : variables) {
      const VariableValues& values = ctx.focus.variables[i];
      const bool known = (values.known >> lane & 1u) != 0;
      texts.variables.push_back(known ? format_scalar(ctx.picture->kernel().variables[i].type,
                                                      values.bits[static_cast<std::size_t>(lane)])
                                      : "");
    }
  }
}

void cell(const std::string& text) {
  ImGui::TableNextColumn();
  if (!text.empty()) ImGui::TextUnformatted(text.data(), text.data() + text.size());
}

void served_cell(const ViewContext& ctx, int lane, const std::string& text) {
  if (text.empty() || ctx.focus.shown->space != MemorySpace::shared) return cell(text);
  const std::uint64_t address = ctx.focus.shown->address[static_cast<std::size_t>(lane)];
  const ImU32 color = bank_color(static_cast<int>(address / kBankBytes % kBanks));
  ImGui::PushStyleColor(ImGuiCol_Text, text_on(color));
  cell(text);
  ImGui::PopStyleColor();
  ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, color);
}

void row(const ViewContext& ctx, int lane, const LaneTexts& texts, Actions& actions) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  char label[24];
  std::snprintf(label, sizeof label, "%d##lane", lane);
  const bool lit = ctx.focus.lit_lane == lane;
  if (lit) {
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, faded(ctx.theme.selection, 0.35f));
    ctx.lit.add("lanes", lane,
                ctx.focus.active(lane) ? ctx.focus.shown->address[static_cast<std::size_t>(lane)]
                                       : 0);
  }
  const bool active = (ctx.focus.step_mask() >> lane & 1u) != 0;
  ImGui::PushStyleColor(ImGuiCol_Text, active ? ctx.theme.text : faded(ctx.theme.dim, 0.55f));
  ImGui::PushStyleColor(ImGuiCol_Header, faded(ctx.theme.selection, 0.3f));
  const bool clicked =
      ImGui::Selectable(label, ctx.selection.lane == lane,
                        ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowOverlap);
  ImGui::PopStyleColor();
  if (clicked) {
    actions.push_back(SelectLane{ctx.selection.lane == lane ? -1 : lane});
  }
  if (ImGui::IsItemHovered()) actions.push_back(HoverLane{lane});
  cell(texts.thread);
  cell(texts.address);
  cell(texts.byte);
  served_cell(ctx, lane, texts.served);
  for (const std::string& variable : texts.variables) cell(variable);
  ImGui::PopStyleColor();
}

}  // namespace

void draw_lanes(const ViewContext& ctx, LanesState& state, Actions& actions) {
  if (!ctx.picture || !ctx.focus.track)
    return nothing_recorded(ctx, tr("No warp has been recorded yet."));
  const auto variables = known_variables(ctx);
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * 0.9f);
  const ImGuiTableFlags flags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                                ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV |
                                ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_Resizable |
                                ImGuiTableFlags_NoSavedSettings;
  // The set of variables grows while one steps: a table of its own for each number of columns.
  char id[32];
  std::snprintf(id, sizeof id, "lanes%zu", variables.size());
  if (ImGui::BeginTable(id, kOwnColumns + static_cast<int>(variables.size()), flags)) {
    header(ctx, variables);
    make_texts(ctx, state, variables);
    const LaneMask exist = existing_lanes(ctx.picture->prepared->launch.block, ctx.focus.warp);
    for (int lane = 0; lane < kLanes; ++lane) {
      if (!(exist >> lane & 1u)) continue;
      row(ctx, lane, state.texts[static_cast<std::size_t>(lane)], actions);
      if (ctx.selection.lane != lane || state.followed == lane) continue;
      if (ImGui::IsItemVisible() || ++state.tries > 4) {
        state.followed = lane;
        state.tries = 0;
      } else {
        ImGui::SetScrollHereY();
        ctx.animating = true;
      }
    }
    if (ctx.selection.lane < 0) state.followed = -1;
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace lanescope::app
