#include "ptx/reader.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

using Kind = PtxOperand::Kind;

PtxText read(const char* text) {
  PtxText out = read_ptx(text);
  EXPECT_FALSE(out.error) << out.error->text << " at " << out.error->column;
  return out;
}

TEST(PtxReader, OneInstructionWithItsModifiersAndOperands) {
  const PtxText text = read("ld.shared::cta.v4.f32 {$0, $1, $2, _}, [$4 + -16];");
  ASSERT_EQ(text.instructions.size(), 1u);
  const PtxInstruction& load = text.instructions[0];
  EXPECT_EQ(load.opcode, (std::vector<std::string>{"ld", "shared::cta", "v4", "f32"}));
  ASSERT_EQ(load.operands.size(), 2u);
  ASSERT_EQ(load.operands[0].kind, Kind::list);
  ASSERT_EQ(load.operands[0].parts.size(), 4u);
  EXPECT_EQ(load.operands[0].parts[2].number, 2u);
  EXPECT_EQ(load.operands[0].parts[3].kind, Kind::sink);
  ASSERT_EQ(load.operands[1].kind, Kind::address);
  EXPECT_EQ(load.operands[1].parts[0].number, 4u);
  EXPECT_EQ(load.operands[1].offset, -16);
  EXPECT_EQ(load.text, "ld.shared::cta.v4.f32 {$0, $1, $2, _}, [$4 + -16]");
}

TEST(PtxReader, ImmediatesOfAllForms) {
  struct Case {
    const char* text;
    Kind kind;
    std::uint64_t bits;
  };
  for (const Case& c :
       {Case{"7", Kind::integer, 7}, Case{"-1", Kind::integer, ~0ull},
        Case{"0x1F", Kind::integer, 31}, Case{"0b101", Kind::integer, 5},
        Case{"017", Kind::integer, 15}, Case{"4294967295U", Kind::integer, 0xffffffffu},
        Case{"0f3F800000", Kind::single, 0x3f800000u},
        Case{"-0f3F800000", Kind::single, 0xbf800000u},
        Case{"0d3FF0000000000000", Kind::real, 0x3ff0000000000000u},
        Case{"1.5", Kind::real, 0x3ff8000000000000u},
        Case{"2e1", Kind::real, 0x4034000000000000u}}) {
    const PtxText text = read((std::string("mov.b64 $0, ") + c.text + ";").c_str());
    ASSERT_EQ(text.instructions.at(0).operands.size(), 2u) << c.text;
    EXPECT_EQ(text.instructions[0].operands[1].kind, c.kind) << c.text;
    EXPECT_EQ(text.instructions[0].operands[1].bits, c.bits) << c.text;
  }
}

TEST(PtxReader, ScopesRegistersGuardsAndLabels) {
  const PtxText text = read(R"({
    .reg .pred p, q; // two
    .reg .b32 t<3>;
    setp.ne.s32 p|q, $1, 0; /* and
    a comment */ @!p bra DONE;
  again: @p mov.u32 t2, %tid.x;
    { .reg .b32 t2; mov.b32 t2, 1; bra again; }
  DONE:
  })");
  ASSERT_EQ(text.registers.size(), 6u);
  EXPECT_EQ(text.registers[1].type, "pred");
  EXPECT_NE(text.registers[4].name, text.registers[5].name);
  ASSERT_EQ(text.instructions.size(), 6u);
  EXPECT_EQ(text.instructions[0].operands[0].kind, Kind::pair);
  ASSERT_TRUE(text.instructions[1].guard.has_value());
  EXPECT_TRUE(text.instructions[1].guard->negated);
  EXPECT_EQ(text.instructions[1].operands[0].name, text.instructions[5].labels.at(0));
  EXPECT_EQ(text.instructions[2].operands[0].name, text.registers[4].name);
  EXPECT_EQ(text.instructions[2].operands[1].name, "%tid.x");
  EXPECT_EQ(text.instructions[3].operands[0].name, text.registers[5].name);
  EXPECT_EQ(text.instructions[4].operands[0].name, text.instructions[2].labels.at(0));
  EXPECT_TRUE(text.instructions[5].opcode.empty());
}

TEST(PtxReader, NamesWithDollarSignsAndWithoutNumbersOfTheirOwn) {
  const PtxText text = read("{ .reg .b32 $$r${:uid}; mov.b32 $$r, ${1:h}; }");
  EXPECT_EQ(text.instructions.at(0).operands[0].name, text.registers.at(0).name);
  EXPECT_EQ(text.instructions[0].operands[1].number, 1u);
}

TEST(PtxReader, NothingIsNoMistake) {
  for (const char* text : {"", "  \n ", ";;", "// nothing", "{ }"})
    EXPECT_TRUE(read(text).instructions.empty()) << text;
}

TEST(PtxReader, WhatCannotBeReadHasItsPlace) {
  struct Case {
    const char* text;
    std::size_t column;
  };
  for (const Case& c :
       {Case{"mov.b32 $0, ;", 13}, Case{"mov.b32 $0 $1;", 12}, Case{"}", 1},
        Case{"{ mov.b32 $0, $1;", 18}, Case{"ld.global.f32 $0, [$1", 22},
        Case{"mov.b32 $0, 0f3F;", 13}, Case{".shared .b8 x[4];", 1}, Case{"mov.b32 {$0, $1;", 16},
        Case{".reg b32 x;", 6}, Case{".reg .b32 x<0>;", 15}, Case{"mov.b32 $0, (1);", 13}}) {
    const PtxText text = read_ptx(c.text);
    ASSERT_TRUE(text.error) << c.text;
    EXPECT_EQ(text.error->column, c.column) << c.text;
  }
}

}  // namespace
}  // namespace lanescope
