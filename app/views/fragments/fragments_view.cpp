#include "views/fragments/fragments_view.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "core/picture/chain.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"

namespace lanescope::app {
namespace {

constexpr float kBeside = 860;     // units wide from which words stand beside the matrices
constexpr float kLanesWide = 330;  // units that lanes and registers take
constexpr float kWordsWide = 380;  // units that they take there

using Kind = FragmentSpot::Kind;

// The step whose instruction is shown: the selected one, else where the selected access moves matrices,
// else the nearest.
std::optional<std::size_t> step_of(const ViewContext& ctx) {
  if (!ctx.picture || !ctx.focus.track) return std::nullopt;
  if (ctx.focus.access && ctx.focus.access->op == AccessOp::product)
    if (const auto step = shown_access_step(*ctx.picture, ctx.selection)) return step;
  const auto nearest = nearest_matrix_step(*ctx.picture, ctx.focus.warp, ctx.focus.step);
  const bool moves = ctx.focus.shown && matrices_of(ctx.focus.shown->access->service) > 0;
  return moves && nearest != ctx.focus.step ? ctx.focus.shown->step : nearest;
}

void take(FragmentsState& state, const MatrixInstruction& instruction, FragmentValues values) {
  state.held = std::move(values);
  if (!state.panels.empty() && state.shown == instruction) return;
  state.shown = instruction;
  state.panels = panels_of(instruction);
  state.pinned = state.hovered = state.pointed = {};
}

// What is chosen by hand is for study; else what was executed, else what the text writes out.
void follow(const ViewContext& ctx, FragmentsState& state) {
  const FragmentsState::Followed now{ctx.picture ? ctx.picture->serial : 0,
                                     ctx.focus.warp,
                                     ctx.focus.step,
                                     ctx.selection.access,
                                     std::hash<std::string>{}(ctx.settings.text),
                                     state.chosen};
  if (!state.panels.empty() && state.followed == now) return;
  state.followed = now;
  state.step.reset();
  state.group.reset();
  if (!state.chosen) {
    const auto step = step_of(ctx);
    auto recorded = step ? recorded_instruction(*ctx.picture, ctx.focus.warp, *step) : std::nullopt;
    if (recorded) {
      state.step = recorded->step;
      state.group = recorded->group;
      state.group_warp = static_cast<int>(ctx.focus.warp % 4);
      return take(state, recorded->instruction, std::move(recorded->values));
    }
  }
  const MatrixInstruction instruction =
      state.chosen ? *state.chosen : first_instruction(ctx.settings.text);
  take(state, instruction, study_values(instruction));
}

void choose_instruction(const ViewContext& ctx, FragmentsState& state) {
  ImGui::SetNextItemWidth(ImGui::CalcTextSize("mma m16n8k16 f32.bf16.bf16.f32").x +
                          3 * ImGui::GetFrameHeight());
  if (!ImGui::BeginCombo("##instruction", instruction_name(state.shown).c_str(),
                         ImGuiComboFlags_HeightLarge))
    return;
  const auto offer = [&](const MatrixInstruction& instruction) {
    if (ImGui::Selectable(instruction_name(instruction).c_str(), state.shown == instruction))
      state.chosen = instruction;
  };
  if (ImGui::Selectable(tr("as selected"), !state.chosen)) state.chosen.reset();
  if (const auto written = instructions_in(ctx.settings.text); !written.empty()) {
    ImGui::SeparatorText(tr("in this text"));
    ImGui::PushID("text");
    for (const MatrixInstruction& instruction : written) offer(instruction);
    ImGui::PopID();
  }
  ImGui::SeparatorText(tr("all that are known"));
  for (const MatrixInstruction& instruction : known_instructions()) offer(instruction);
  ImGui::EndCombo();
}

void controls(const ViewContext& ctx, FragmentsState& state) {
  choose_instruction(ctx, state);
  ImGui::SameLine(0, 2 * ImGui::GetStyle().ItemSpacing.x);
  ImGui::Checkbox(window_title("colours by register", "by register").c_str(), &state.by_register);
  ImGui::SameLine(0, 2 * ImGui::GetStyle().ItemSpacing.x);
  ImGui::BeginDisabled(state.held.operands.a.empty());
  ImGui::Checkbox(window_title("values", "values").c_str(), &state.values);
  ImGui::EndDisabled();
}

void tell_where(const ViewContext& ctx, const FragmentsState& state) {
  if (!state.step) return;
  const SourcePos pos = ctx.picture->kernel().ops[ctx.focus.track->op[*state.step]].pos;
  std::string where =
      tr("recorded: warp {0}, step {1}, line {2}", {ctx.focus.warp, *state.step, pos.line});
  if (state.group)
    where += " · " + tr("of D rows {0}–{1} of 64, columns 0–{2} of {3}",
                        {16 * state.group_warp, 16 * state.group_warp + 15,
                         state.panels.back().columns() - 1, state.shown.form.shape.n});
  ImGui::SameLine(0, 2 * ImGui::GetStyle().ItemSpacing.x);
  ImGui::TextDisabled("%s", shortened(where, ImGui::GetContentRegionAvail().x).c_str());
}

// Arrows move a pinned element within its matrix, a pinned lane by one or a row of lanes.
void move_pinned(FragmentsState& state) {
  state.takes_arrows = state.pinned.kind != Kind::none &&
                       ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) &&
                       !ImGui::GetIO().WantTextInput;
  if (!state.takes_arrows || ImGui::GetIO().KeyMods != 0) return;
  int right = 0, down = 0;
  right += ImGui::IsKeyPressed(ImGuiKey_RightArrow) ? 1 : 0;
  right -= ImGui::IsKeyPressed(ImGuiKey_LeftArrow) ? 1 : 0;
  down += ImGui::IsKeyPressed(ImGuiKey_DownArrow) ? 1 : 0;
  down -= ImGui::IsKeyPressed(ImGuiKey_UpArrow) ? 1 : 0;
  if (right == 0 && down == 0) return;
  FragmentSpot& pinned = state.pinned;
  if (pinned.kind == Kind::lane) {
    pinned.slot.lane = std::clamp(pinned.slot.lane + right + 4 * down, 0, kLanes - 1);
    return;
  }
  const FragmentPanel& panel = state.panels[static_cast<std::size_t>(pinned.panel)];
  if (pinned.kind == Kind::reg) {
    pinned.slot.reg = std::clamp(pinned.slot.reg + right + down, 0, panel.registers() - 1);
    return;
  }
  const MatrixElement at = panel.element(pinned.slot);
  pinned.slot = panel.slot({std::clamp(at.row + down, 0, panel.rows() - 1),
                            std::clamp(at.column + right, 0, panel.columns() - 1)});
}

// A lane that other views light up is lit here too.
void take_hover(const ViewContext& ctx, FragmentsState& state) {
  state.hovered = state.pointed;
  state.pointed = {};
  const int lane =
      state.pinned.kind == Kind::none ? ctx.selection.shown_lane() : ctx.selection.hover_lane;
  if (state.hovered.kind == Kind::none && lane >= 0)
    state.hovered = {Kind::lane, 0, {.lane = lane}};
}

void tell_others(const ViewContext& ctx, const FragmentsState& state, Actions& actions) {
  const bool has_lane = state.pointed.kind == Kind::element || state.pointed.kind == Kind::lane;
  if (has_lane && ctx.picture) actions.push_back(HoverLane{state.pointed.slot.lane});
  const FragmentSpot& lit = state.lit();
  if (lit.kind == Kind::element || lit.kind == Kind::lane) ctx.lit.add("fragments", lit.slot.lane);
}

void words_below(const ViewContext& ctx, FragmentsState& state, Actions& actions) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const bool sums = shows_sum(state);
  const float words = std::min(room.y * (sums ? 0.5f : 0.3f), (sums ? 8.5f : 4.2f) * line);
  const float lanes = 2 * ImGui::GetFrameHeightWithSpacing() + line * 0.4f;
  const float pictures = std::max(0.0f, room.y - words - lanes);
  draw_fragment_panels(ctx, state, {room.x, state.group ? pictures * 0.45f : pictures});
  if (state.group) draw_group_memory(ctx, state, {room.x, pictures * 0.55f});
  draw_fragment_lanes(ctx, state, 1, actions);
  ImGui::BeginChild("words", {0, 0});
  draw_fragment_words(ctx, state);
  ImGui::EndChild();
}

void words_beside(const ViewContext& ctx, FragmentsState& state, Actions& actions) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float words = std::min(std::max(kWordsWide * ctx.scale, room.x * 0.3f), room.x * 0.45f);
  const float gap = 16 * ctx.scale;
  ImGui::BeginChild("matrices", {room.x - words - gap, 0});
  const ImVec2 inner = ImGui::GetContentRegionAvail();
  const ImVec4 free =
      draw_fragment_panels(ctx, state, {inner.x, state.group ? inner.y * 0.45f : inner.y});
  if (state.group) draw_group_memory(ctx, state, ImGui::GetContentRegionAvail());
  // Eight groups of four, over A: what is left of a product on a blackboard.
  const bool over_a = free.z - free.x > kLanesWide * ctx.scale &&
                      free.w - free.y > 11 * ImGui::GetFrameHeightWithSpacing();
  if (over_a) {
    ImGui::SetCursorScreenPos({free.x, free.y});
    ImGui::BeginChild("lanes", {free.z - free.x, free.w - free.y});
    draw_fragment_lanes(ctx, state, 8, actions);
    ImGui::EndChild();
  }
  ImGui::EndChild();
  ImGui::SameLine(0, gap);
  ImGui::BeginChild("beside", {0, 0});
  if (!over_a) draw_fragment_lanes(ctx, state, 8, actions);
  draw_fragment_words(ctx, state);
  ImGui::EndChild();
}

struct ElementOf {
  MatrixRole role;
  MatrixElement at;
};

// Rows of A and of D go together, columns of B and of D, columns of A and rows of B; all of one quad pair.
bool go_together(const MatrixForm& form, ElementOf one, ElementOf other) {
  if (one.role > other.role) std::swap(one, other);
  if (one.role == MatrixRole::b) return one.at.column == column_of_b(form, other.at);
  if (other.role != MatrixRole::b) return one.at.row == other.at.row;
  const bool of_one_product = !form.of_quads() || one.at.row / 8 == other.at.column / 8;
  return of_one_product && one.at.column == other.at.row;
}

}  // namespace

FragmentGlow glow_of(const FragmentsState& state, int panel, FragmentSlot slot) {
  const FragmentSpot& lit = state.lit();
  switch (lit.kind) {
  case Kind::none:
    return FragmentGlow::plain;
  case Kind::lane:
    return slot.lane == lit.slot.lane ? FragmentGlow::lit : FragmentGlow::faint;
  case Kind::reg:
    return panel == lit.panel && slot.reg == lit.slot.reg ? FragmentGlow::lit : FragmentGlow::faint;
  case Kind::element:
    break;
  }
  if (panel == lit.panel && slot == lit.slot) return FragmentGlow::lit;
  if (slot.lane == lit.slot.lane) return FragmentGlow::same_lane;
  if (panel == lit.panel) return FragmentGlow::faint;
  const FragmentPanel& here = state.panels[static_cast<std::size_t>(panel)];
  const FragmentPanel& there = state.panels[static_cast<std::size_t>(lit.panel)];
  if (!here.role() || !there.role()) return FragmentGlow::faint;
  return go_together(state.shown.form, {*here.role(), here.element(slot)},
                     {*there.role(), there.element(lit.slot)})
             ? FragmentGlow::related
             : FragmentGlow::faint;
}

ImU32 fragment_color(const FragmentsState& state, int panel, FragmentSlot slot) {
  if (!state.by_register) return bank_color(slot.lane);
  const bool moved = !state.panels[static_cast<std::size_t>(panel)].role();
  const int count = moved ? static_cast<int>(state.panels.size())
                          : state.panels[static_cast<std::size_t>(panel)].registers();
  const int number = moved ? panel : slot.reg;
  return bank_color(count < 2 ? 16 : 4 + number * 26 / (count - 1));
}

bool shows_sum(const FragmentsState& state) {
  const FragmentSpot& lit = state.lit();
  if (lit.kind != Kind::element || state.held.operands.c.empty()) return false;
  const FragmentPanel& panel = state.panels[static_cast<std::size_t>(lit.panel)];
  // How a wgmma adds eight-bit floats differs from mma.sync, whose sums these are.
  const bool other_rule = state.shown.operation == MatrixOperation::group &&
                          matrix_type_bits(state.shown.form.a) == 8 &&
                          state.shown.form.accumulator != MatrixType::s32;
  return panel.role() == MatrixRole::accumulator && !other_rule;
}

std::string slot_name(const FragmentPanel& panel, FragmentSlot slot) {
  const std::string reg = panel.register_name(slot.reg);
  return panel.parts() == 1 ? reg : fmt::format("{}·{}", reg, slot.part);
}

void draw_fragments(const ViewContext& ctx, FragmentsState& state, Actions& actions) {
  follow(ctx, state);
  take_hover(ctx, state);
  move_pinned(state);
  if (ctx.still)
    headline(ctx, instruction_name(state.shown), ctx.theme.text);
  else
    controls(ctx, state);
  tell_where(ctx, state);
  if (ImGui::GetContentRegionAvail().x > kBeside * ctx.scale)
    words_beside(ctx, state, actions);
  else
    words_below(ctx, state, actions);
  tell_others(ctx, state, actions);
}

}  // namespace lanescope::app
