#include "views/banks/banks_engine.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/journey/copies.h"
#include "core/matrix/recorded_instruction.h"
#include "core/picture/chain.h"
#include "views/draw/tr.h"
#include "views/draw/widgets.h"
#include "views/fragments/chunk_lines.h"

namespace lanescope::app {
namespace {

constexpr float kLeastSquare = 5, kMostSquare = 22;  // units
constexpr int kTogether = 8;                         // squares that stand close to each other
constexpr int kBankOfA = 3, kBankOfB = 18;           // whose colours the operands have

std::string number(std::uint64_t value) { return grouped(value); }

/// One operand in shared memory.
struct Operand {
  const char* name;
  std::uint64_t lines, bytes;
  ImU32 color;
  [[nodiscard]] std::uint64_t all_bytes() const { return lines * bytes; }
  [[nodiscard]] std::uint64_t wavefronts() const { return all_bytes() / ChunkLine::kBytes; }
};

std::vector<Operand> operands_of(const GroupStep& step) {
  const MatrixForm& form = step.form;
  const auto bytes = static_cast<std::uint64_t>(form.shape.k * matrix_type_bits(form.a) / 8);
  std::vector<Operand> operands;
  if (!step.a_in_registers)
    operands.push_back(
        {"A", static_cast<std::uint64_t>(form.shape.m), bytes, bank_color(kBankOfA)});
  operands.push_back({"B", static_cast<std::uint64_t>(form.shape.n), bytes, bank_color(kBankOfB)});
  return operands;
}

void operand_table(const std::vector<Operand>& operands) {
  if (!ImGui::BeginTable("operands", 4,
                         ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit |
                             ImGuiTableFlags_BordersInnerV))
    return;
  ImGui::TableSetupColumn("");
  ImGui::TableSetupColumn(tr("lines × bytes"));
  ImGui::TableSetupColumn(tr("bytes"));
  ImGui::TableSetupColumn(tr("wavefronts"));
  ImGui::TableHeadersRow();
  for (const Operand& one : operands) {
    ImGui::TableNextRow();
    for (const std::string& cell :
         {std::string(one.name), number(one.lines) + " × " + number(one.bytes),
          number(one.all_bytes()), number(one.wavefronts())}) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(cell.c_str());
    }
  }
  ImGui::EndTable();
}

/// A square for each wavefront, line after line.
void wavefront_squares(const ViewContext& ctx, const std::vector<Operand>& operands) {
  std::uint64_t count = 0;
  for (const Operand& one : operands) count += one.wavefronts();
  const ImVec2 origin = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  float side = kMostSquare * ctx.scale;
  const auto in_a_line = [&] {
    const float group = kTogether * side + side / 2;
    return std::max(1, static_cast<int>((room.x + side / 2) / group)) * kTogether;
  };
  while (side > kLeastSquare * ctx.scale &&
         std::ceil(static_cast<float>(count) / static_cast<float>(in_a_line())) * side > room.y)
    side -= 1;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  int at = 0;
  for (const Operand& one : operands)
    for (std::uint64_t i = 0; i < one.wavefronts(); ++i, ++at) {
      const int column = at % in_a_line(), row = at / in_a_line();
      const ImVec2 min{origin.x + side * static_cast<float>(column) +
                           side / 2 * static_cast<float>(column / kTogether),
                       origin.y + side * static_cast<float>(row)};
      const ImVec2 max{min.x + side - 1, min.y + side - 1};
      list.AddRectFilled(min, max, one.color);
      text_in_box(list, ctx.fonts.text, side * 0.6f, 6 * ctx.scale, min, max, text_on(one.color),
                  one.name);
    }
  const int lines = (at + in_a_line() - 1) / in_a_line();
  ImGui::InvisibleButton("wavefronts", {room.x, std::max(1.0f, side * static_cast<float>(lines))});
}

}  // namespace

void draw_product_banks(const ViewContext& ctx) {
  const auto step = shown_access_step(*ctx.picture, ctx.selection);
  const auto recorded =
      step ? recorded_instruction(*ctx.picture, ctx.focus.warp, *step) : std::nullopt;
  if (!recorded || !recorded->group)
    return nothing_to_show(ctx, tr("This warp never executes the selected access."));
  const GroupStep& group = *recorded->group;
  const std::vector<Operand> operands = operands_of(group);
  std::uint64_t all = 0;
  for (const Operand& one : operands) all += one.wavefronts();
  const SharedCounts own =
      group_product_cost(group.form, group.a_in_registers, ctx.focus.warp % kGroupWarps);
  headline(ctx, tr("No conflict: {0} wavefronts, ideal {1}", {number(all), number(all)}),
           ctx.theme.good);
  hint(ctx, instruction_name(recorded->instruction) + " · " +
                tr("four warps read the operands together, {0} are counted for this one",
                   {number(own.wavefronts)}));
  operand_table(operands);
  if (group.a_in_registers) hint(ctx, tr("A lies in registers."));
  hint(ctx, tr("128 bytes are a wavefront, whatever the layout and the swizzle; Fragments shows "
               "where they lie."));
  ImGui::Spacing();
  wavefront_squares(ctx, operands);
}

void draw_copy_banks(const ViewContext& ctx) {
  const auto step = shown_access_step(*ctx.picture, ctx.selection);
  const auto copies =
      step ? copies_at(ctx.picture->kernel(), *ctx.focus.trace, ctx.focus.warp, *step)
           : std::vector<BulkStep>{};
  if (copies.empty()) return nothing_to_show(ctx, tr("This warp makes no such copy."));
  const auto chunks = chunks_at(ctx.picture->kernel(), *ctx.focus.trace, ctx.focus.warp, *step);
  const std::vector<ChunkLine> lines = shared_lines(chunks);
  const bool loads = ctx.focus.access->op == AccessOp::bulk_load;
  headline(ctx,
           loads ? tr("{0} bytes come to {1} lines of shared memory",
                      {number(chunks.size() * ChunkLine::kChunk), number(lines.size())})
                 : tr("{0} bytes are taken from {1} lines of shared memory",
                      {number(chunks.size() * ChunkLine::kChunk), number(lines.size())}),
           ctx.theme.text);
  hint(ctx, access_title(*ctx.focus.access) + " · " +
                tr("a bulk copy passes no lane, and no counter knows wavefronts of it"));
  const BulkStep& first = copies.front();
  const std::size_t in_row = first.map
                                 ? first.map->box[0] * first.map->element_bytes / ChunkLine::kChunk
                                 : lines.front().chunk.size();
  const auto cell = [&](int index) {
    const auto at = static_cast<std::size_t>(index);
    const std::string place = fmt::format("{}·{}", at / in_row, at % in_row);
    const std::string from =
        chunks[at].global == 0 ? tr("zeros") : locate(*ctx.picture, chunks[at].global).text();
    return ChunkCell{.color = chunks[at].global == 0
                                  ? ctx.theme.cell
                                  : bank_color(static_cast<int>(4 * (at % in_row % 8) + 1)),
                     .text = place,
                     .tooltip = tr("row {0}, chunk {1}: {2}", {at / in_row, at % in_row, from})};
  };
  const ImVec2 room = ImGui::GetContentRegionAvail();
  draw_chunk_lines(ctx, lines, cell, "255·15", ImGui::GetCursorScreenPos(), room);
  ImGui::InvisibleButton("chunks", {std::max(1.0f, room.x), std::max(1.0f, room.y)});
}

}  // namespace lanescope::app
