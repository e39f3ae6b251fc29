// Instructions by their names, and their matrices.
#include "core/matrix/fragment_panel.h"

#include <gtest/gtest.h>

#include "core/text/expression.h"

namespace lanescope::app {
namespace {

TEST(MatrixInstruction, IsReadFromItsNameInPtx) {
  const auto half = instruction_from_ptx("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  ASSERT_TRUE(half);
  EXPECT_EQ(half->form,
            (MatrixForm{{16, 8, 16}, MatrixType::f16, MatrixType::f16, MatrixType::f32}));
  EXPECT_EQ(instruction_name(*half), "mma m16n8k16 f32.f16.f16.f32");
  const auto bits =
      instruction_from_ptx("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc");
  ASSERT_TRUE(bits);
  EXPECT_TRUE(bits->form.is_and);
  for (const auto& [name, made_of] :
       {std::pair{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
                  "mma m16n8k16 f32.f16.f16.f32"},
        {"wmma.mma.sync.aligned.col.row.m8n32k16.s32.u8.u8.s32.satfinite",
         "mma m16n8k16 s32.u8.u8.s32.satfinite"},
        {"wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64", "mma m8n8k4 f64.f64.f64.f64"}}) {
    const auto fragments = instruction_from_ptx(name);
    ASSERT_TRUE(fragments) << name;
    EXPECT_EQ(instruction_name(*fragments), made_of);
  }
  const auto quads = instruction_from_ptx("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16");
  ASSERT_TRUE(quads);
  EXPECT_EQ(instruction_name(*quads), "mma m8n8k4.col.row f32.f16.f16.f32");
  EXPECT_FALSE(instruction_from_ptx("mma.sync.aligned.m16n8k16.col.row.f32.f16.f16.f32"));
  const auto load = instruction_from_ptx("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16");
  ASSERT_TRUE(load);
  EXPECT_EQ(instruction_name(*load), "ldmatrix.x2.trans");
  for (const char* no : {"", "mma", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16",
                         "mma.sync.aligned.m17n8k16.row.col.f32.f16.f16.f32", "ldmatrix.x3.b16",
                         "mma.sync.aligned.m16n8kx.row.col.f32.f16.f16.f32", "wgmma.x"})
    EXPECT_FALSE(instruction_from_ptx(no)) << no;
}

TEST(MatrixInstruction, IsFoundInAText) {
  const std::string text = "asm(\"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0}\");\n"
                           "x = 1;\n"
                           "asm volatile(\n"
                           "  \"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}\"\n"
                           ");\n"
                           "asm(\"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0}\");\n";
  const auto all = instructions_in(text);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(instruction_name(all[0]), "ldmatrix.x4");
  EXPECT_EQ(instruction_name(all[1]), "mma m16n8k8 f32.tf32.tf32.f32");
}

TEST(FragmentPanel, FormulasWithNumbersGiveTheElement) {
  int checked = 0;
  for (const MatrixInstruction& instruction : known_instructions())
    for (const FragmentPanel& panel : panels_of(instruction))
      for (int lane = 0; lane < kLanes; lane += 5)
        for (int reg = 0; reg < panel.registers(); ++reg)
          for (int part = 0; part < panel.parts(); ++part) {
            const FragmentSlot slot{lane, reg, part};
            const MatrixElement at = panel.element(slot);
            ASSERT_EQ(panel.slot(at), slot) << instruction_name(instruction);
            ASSERT_EQ(evaluate(filled(panel.row_formula(), slot)), at.row)
                << instruction_name(instruction) << panel.title() << panel.row_formula();
            ASSERT_EQ(evaluate(filled(panel.column_formula(), slot)), at.column)
                << instruction_name(instruction) << panel.title() << panel.column_formula();
            ++checked;
          }
  EXPECT_GT(checked, 1000);
}

TEST(FragmentPanel, NumbersForStudyShowWhatIsCut) {
  MatrixInstruction instruction{
      .form = {{16, 8, 16}, MatrixType::f16, MatrixType::f16, MatrixType::f32}};
  const FragmentValues values = study_values(instruction);
  int cut = 0, differ = 0;
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      const MatrixSum sum = matrix_sum(instruction.form, values.operands, {row, column});
      const FragmentPanel d(instruction.form, MatrixRole::accumulator);
      EXPECT_EQ(sum.bits, d.bits(values.d, {row, column}));
      for (const MatrixTerm& term : sum.terms) cut += term.cut();
      differ += sum.result != sum.plain;
    }
  EXPECT_FALSE(values.recorded);
  EXPECT_GT(cut + differ, 0);
}

TEST(FragmentPanel, RowsOfLdmatrixAreNamedByTheLaneThatGivesTheirAddress) {
  const auto panels = panels_of({.operation = MatrixOperation::load, .form = {}, .matrices = 4});
  ASSERT_EQ(panels.size(), 4u);
  EXPECT_EQ(panels[2].address_lane(3), 19);
  EXPECT_EQ(panels[2].register_name(0), "r2");
  std::vector<LaneRow> rows(4);
  rows[2][14] = 0x3C004000;
  EXPECT_EQ(panels[2].bits(rows, {3, 5}), 0x3C00u);
  EXPECT_EQ(value_text(MatrixType::f16, 0x3C00), "1");
}

}  // namespace
}  // namespace lanescope::app
