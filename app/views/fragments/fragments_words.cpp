// What is lit in the Fragments view in words and numbers: where an element lies and why, what a lane
// holds, and how an element of D comes about.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "lanescope/group_matrix.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/fragments/fragments_view.h"
#include "views/lines/wrapped_text.h"

namespace lanescope::app {
namespace {

using Kind = FragmentSpot::Kind;

std::string part_text(const FragmentPanel& panel, int part) {
  if (panel.parts() == 1) return {};
  if (panel.parts() == 2) return std::string(", ") + (part == 0 ? tr("low half") : tr("high half"));
  return ", " + tr(panel.parts() == 4 ? "byte {0}" : "part {0}", {part});
}

void formula_line(const ViewContext& ctx, const char* what, const std::string& formula,
                  FragmentSlot slot, int value) {
  const std::string numbers = filled(formula, slot);
  std::string text = std::string(what) + " = " + formula + " = " + numbers;
  if (numbers != std::to_string(value)) text += fmt::format(" = {}", value);
  ImGui::PushFont(ctx.fonts.mono, ImGui::GetStyle().FontSizeBase * 0.95f);
  wrapped_text(text);
  ImGui::PopFont();
}

std::string element_title(const FragmentPanel& panel, MatrixElement at) {
  const std::string name = panel.role() == MatrixRole::accumulator ? "D"
                           : panel.role()                          ? panel.title()
                                          : tr("matrix {0}", {panel.title()});
  return fmt::format("{}[{}][{}]", name, at.row, at.column);
}

void value_line(const ViewContext& ctx, const FragmentsState& state, const FragmentPanel& panel,
                MatrixElement at) {
  const MatrixOperands& held = state.held.operands;
  const std::vector<LaneRow>& rows = panel.role() == MatrixRole::b             ? held.b
                                     : panel.role() == MatrixRole::accumulator ? held.c
                                                                               : held.a;
  if (rows.empty()) return;
  const std::string value = value_text(panel.type(), panel.bits(rows, at));
  std::string text = tr("value {0}", {value});
  if (panel.role() == MatrixRole::accumulator)
    text =
        tr("C holds {0}, D {1}", {value, value_text(panel.type(), panel.bits(state.held.d, at))});
  if (!state.held.recorded) text += std::string(" · ") + tr("numbers made up for study");
  hint(ctx, text);
}

void quad_headline(const ViewContext& ctx, const MatrixSum& sum, bool same) {
  hint(ctx, tr("An H200 has no tensor core for this shape: each quad pair (lanes 4q to 4q + 3, and "
               "the four 16 above them) has a product of its own, made of fused multiply-adds in "
               "float."));
  const std::string given = shortest(sum.result), plain = shortest(sum.plain);
  headline(ctx,
           same ? tr("the instruction gives {0}: the plain sum gives the same", {given})
                : tr("the instruction gives {0}, the plain sum {1}: they differ by {2}",
                     {given, plain, shortest(sum.result - sum.plain, 3)}),
           same ? ctx.theme.good : ctx.theme.warning);
}

void sum_headline(const ViewContext& ctx, const MatrixForm& form, const MatrixSum& sum) {
  std::string text;
  for (std::size_t step = 0; step < sum.exponents.size(); ++step) {
    if (!sum.exponents[step]) continue;
    const int e = *sum.exponents[step];
    if (!text.empty()) text += "\n";
    text += tr("e = {0}: what is added is cut to multiples of 2^({0}−25) = {1}",
               {e, shortest(std::ldexp(1.0, e - 25), 4)});
  }
  if (!text.empty()) hint(ctx, text);
  const bool same = sum.result == sum.plain || (std::isnan(sum.result) && std::isnan(sum.plain));
  if (form.of_quads()) return quad_headline(ctx, sum, same);
  const std::string hardware = shortest(sum.result), plain = shortest(sum.plain);
  headline(ctx,
           same ? tr("tensor core {0}: the plain sum gives the same", {hardware})
                : tr("tensor core {0}, plain sum {1}: they differ by {2}",
                     {hardware, plain, shortest(sum.result - sum.plain, 3)}),
           same ? ctx.theme.good : ctx.theme.warning);
}

void sum_row(const ViewContext& ctx, const MatrixTerm& term) {
  ImGui::TableNextRow();
  const auto cell = [](const std::string& text) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(text.c_str());
  };
  const bool product = term.k >= 0;
  cell(product ? std::to_string(term.k) : term.k == MatrixTerm::kStart ? "C" : tr("so far"));
  cell(product ? shortest(term.a, 6) : "");
  cell(product ? shortest(term.b, 6) : "");
  cell(shortest(term.exact, 12));
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, term.cut() ? ctx.theme.warning : ctx.theme.text);
  ImGui::TextUnformatted(shortest(term.kept, 12).c_str());
  ImGui::PopStyleColor();
  cell(term.cut() ? shortest(term.exact - term.kept, 3) : "");
}

void sum_table(const ViewContext& ctx, const MatrixSum& sum) {
  if (!ImGui::BeginTable("sum", 6,
                         ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit |
                             ImGuiTableFlags_ScrollX | ImGuiTableFlags_BordersInnerV,
                         {0, ImGui::GetTextLineHeightWithSpacing() *
                                 (static_cast<float>(sum.terms.size()) + 2.2f)}))
    return;
  ImGui::TableSetupColumn("k");
  ImGui::TableSetupColumn("A");
  ImGui::TableSetupColumn("B");
  ImGui::TableSetupColumn(tr("exact"));
  ImGui::TableSetupColumn(tr("added"));
  ImGui::TableSetupColumn(tr("cut off"));
  ImGui::TableHeadersRow();
  for (const MatrixTerm& term : sum.terms) sum_row(ctx, term);
  ImGui::EndTable();
}

MatrixSum sum_of(const FragmentsState& state, MatrixElement at) {
  const MatrixForm& form = state.shown.form;
  if (state.shown.operation != MatrixOperation::group)
    return matrix_sum(form, state.held.operands, at);
  return matrix_sum(form_of_warp(form),
                    operands_of_columns(form, state.held.operands, at.column / 8),
                    {at.row, at.column % 8});
}

void group_words(const ViewContext& ctx, const FragmentsState& state, const FragmentPanel& panel,
                 MatrixElement at) {
  if (state.group)
    hint(ctx, tr("Row {0} of the warpgroup's 64: this warp, {1} of four, has rows {2} to {3}.",
                 {16 * state.group_warp + at.row, state.group_warp, 16 * state.group_warp,
                  16 * state.group_warp + 15}));
  if (panel.role() == MatrixRole::accumulator && state.shown.form.shape.n > panel.columns())
    hint(ctx, tr("{0} columns in all: for each eight more the registers' numbers grow by {1}.",
                 {state.shown.form.shape.n, panel.registers() * 8 / panel.columns()}));
}

void element_words(const ViewContext& ctx, const FragmentsState& state, const FragmentSpot& lit) {
  const FragmentPanel& panel = state.panels[static_cast<std::size_t>(lit.panel)];
  const MatrixElement at = panel.element(lit.slot);
  headline(ctx,
           tr("{0}: lane {1}, register {2}",
              {element_title(panel, at), lit.slot.lane, panel.register_name(lit.slot.reg)}) +
               part_text(panel, lit.slot.part),
           ctx.theme.text);
  formula_line(ctx, tr("row"), panel.row_formula(), lit.slot, at.row);
  formula_line(ctx, tr("column"), panel.column_formula(), lit.slot, at.column);
  if (const int lane = panel.address_lane(at.row); lane >= 0) {
    std::string text = tr("lane {0} gives the address of row {1}", {lane, at.row});
    if (state.held.address && ctx.picture)
      text +=
          ": " + locate(*ctx.picture, (*state.held.address)[static_cast<std::size_t>(lane)]).text();
    hint(ctx, text);
  }
  if (state.shown.operation == MatrixOperation::group) group_words(ctx, state, panel, at);
  value_line(ctx, state, panel, at);
  if (!shows_sum(state)) return;
  const MatrixSum sum = sum_of(state, at);
  sum_headline(ctx, state.shown.form, sum);
  sum_table(ctx, sum);
}

void lane_words(const ViewContext& ctx, const FragmentsState& state, int lane) {
  headline(
      ctx,
      tr("lane {0}: group {1} (lane / 4), place {2} in it (lane % 4)", {lane, lane / 4, lane % 4}),
      ctx.theme.text);
  for (const FragmentPanel& panel : state.panels) {
    std::string text;
    for (int reg = 0; reg < panel.registers(); ++reg) {
      const MatrixElement first = panel.element({lane, reg, 0}),
                          last = panel.element({lane, reg, panel.parts() - 1});
      if (!text.empty()) text += "   ";
      text += fmt::format("{} [{}", panel.register_name(reg), first.row);
      if (last.row != first.row) text += fmt::format("–{}", last.row);
      text += fmt::format("][{}", first.column);
      if (last.column != first.column) text += fmt::format("–{}", last.column);
      text += "]";
    }
    hint(ctx, (panel.role() ? panel.title() : tr("matrix {0}", {panel.title()})) + ": " + text);
  }
}

void register_words(const ViewContext& ctx, const FragmentsState& state, const FragmentSpot& lit) {
  const FragmentPanel& panel = state.panels[static_cast<std::size_t>(lit.panel)];
  MatrixElement least{panel.rows(), panel.columns()}, most;
  for (int lane = 0; lane < kLanes; ++lane)
    for (int part = 0; part < panel.parts(); ++part) {
      const MatrixElement at = panel.element({lane, lit.slot.reg, part});
      least = {std::min(least.row, at.row), std::min(least.column, at.column)};
      most = {std::max(most.row, at.row), std::max(most.column, at.column)};
    }
  headline(ctx,
           tr("register {0} of all lanes: rows {1}–{2}, columns {3}–{4}",
              {panel.register_name(lit.slot.reg), least.row, most.row, least.column, most.column}),
           ctx.theme.text);
  hint(ctx, std::string(tr("row")) + " = " + panel.row_formula());
  hint(ctx, std::string(tr("column")) + " = " + panel.column_formula());
}

const char* invitation(const MatrixInstruction& shown) {
  switch (shown.operation) {
  case MatrixOperation::multiply:
    return tr("Point at an element, a lane or a register; a click holds it, arrow keys move it. "
              "An element of D shows its sum.");
  case MatrixOperation::group:
    if (shown.a_in_registers)
      return tr("wgmma: A and D lie in registers, B in shared memory, where its descriptor says. "
                "Eight chunks of 16 bytes are a wavefront, whatever the layout. Point at an "
                "element of D.");
    return tr("wgmma: D lies in registers, A and B in shared memory, where their descriptors say. "
              "Eight chunks of 16 bytes are a wavefront, whatever the layout. Point at an element "
              "of D.");
  case MatrixOperation::load:
  case MatrixOperation::store:
    break;
  }
  return tr("Point at an element, a lane or a register; a click holds it, arrow keys move it. "
            "→n: lane n gives the address of the row.");
}

}  // namespace

void draw_fragment_words(const ViewContext& ctx, const FragmentsState& state) {
  const FragmentSpot& lit = state.lit();
  switch (lit.kind) {
  case Kind::element:
    return element_words(ctx, state, lit);
  case Kind::lane:
    return lane_words(ctx, state, lit.slot.lane);
  case Kind::reg:
    return register_words(ctx, state, lit);
  case Kind::none:
    break;
  }
  if (!ctx.still) hint(ctx, invitation(state.shown));
}

}  // namespace lanescope::app
