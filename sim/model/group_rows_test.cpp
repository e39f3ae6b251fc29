// wgmma against rows that an NVIDIA H200 gave (cc 9.0, driver 580): its sums bit for bit, and where its
// descriptors find elements in shared memory.
//
// rows/wgmma.jsonl: `form`, as in the instruction's name; `style`, how the numbers were drawn; `a`, 32 bytes of
// each of four rows, and `b`, of each of eight columns, as bytes in hexadecimal; `c` and `d`, four rows of eight
// words of 32 bits (of half: in their low 16).
// rows/group_matrix.jsonl: a descriptor's start, leading and stride offsets, base and swizzle; bytes from the
// beginning of shared memory of halves at (line, k).
// rows/group_wavefronts.jsonl: what one m64nNk16 of halves took, as
// sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_gmma and its neighbours read.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lanescope/group_matrix.h"
#include "model/matrix_math.h"

namespace lanescope {
namespace {

using nlohmann::json;

std::vector<json> rows_of(const std::string& name) {
  std::ifstream file(std::string(LANESCOPE_SOURCE_DIR "/sim/model/rows/") + name);
  std::vector<json> rows;
  for (std::string line; std::getline(file, line);) rows.push_back(json::parse(line));
  return rows;
}

MatrixType type_of(const std::string& name) {
  if (name == "f16") return MatrixType::f16;
  if (name == "bf16") return MatrixType::bf16;
  if (name == "tf32") return MatrixType::tf32;
  if (name == "e4m3") return MatrixType::e4m3;
  if (name == "e5m2") return MatrixType::e5m2;
  if (name == "s8") return MatrixType::s8;
  if (name == "u8") return MatrixType::u8;
  return name == "s32" ? MatrixType::s32 : MatrixType::f32;
}

/// "f32.e4m3.e5m2", "s32.s8.s8.satfinite"
MatrixForm form_of(std::string text) {
  std::vector<std::string> parts;
  for (std::size_t dot; (dot = text.find('.')) != std::string::npos; text.erase(0, dot + 1))
    parts.push_back(text.substr(0, dot));
  parts.push_back(text);
  MatrixForm form{.a = type_of(parts[1]), .b = type_of(parts[2]), .accumulator = type_of(parts[0])};
  form.shape = {64, 8, 256 / matrix_type_bits(form.a)};
  form.saturates = parts.size() > 3;
  return form;
}

/// Little-endian elements of `bits` each, of bytes in hexadecimal.
std::vector<std::uint32_t> elements(const std::string& hex, int bits) {
  std::vector<std::uint32_t> out;
  const auto digits = static_cast<std::size_t>(bits) / 4;
  for (std::size_t at = 0; at < hex.size(); at += digits) {
    std::uint32_t value = 0;
    for (std::size_t byte = digits; byte > 0; byte -= 2)
      value = value << 8 |
              static_cast<std::uint32_t>(std::stoul(hex.substr(at + byte - 2, 2), nullptr, 16));
    out.push_back(value);
  }
  return out;
}

std::vector<std::uint32_t> words(const std::string& hex) {
  std::vector<std::uint32_t> out;
  for (std::size_t at = 0; at < hex.size(); at += 8)
    out.push_back(static_cast<std::uint32_t>(std::stoul(hex.substr(at, 8), nullptr, 16)));
  return out;
}

TEST(GroupRows, SumsAreTheHardwaresToTheBit) {
  const std::vector<json> rows = rows_of("wgmma.jsonl");
  ASSERT_EQ(rows.size(), 72u);
  for (const json& row : rows) {
    const MatrixForm form = form_of(row.at("form"));
    ASSERT_TRUE(is_known_group(form)) << row.at("form");
    const auto a = elements(row.at("a"), matrix_type_bits(form.a)),
               b = elements(row.at("b"), matrix_type_bits(form.b)), c = words(row.at("c"));
    std::vector<std::uint32_t> d(c.size());
    multiply(form,
             {.rows = 4, .columns = 8, .a = a.data(), .b = b.data(), .c = c.data(), .d = d.data()});
    EXPECT_EQ(d, words(row.at("d"))) << row.at("form") << ", " << row.at("style");
  }
}

TEST(GroupRows, DescriptorsFindWhatTheHardwareFinds) {
  const std::vector<json> rows = rows_of("group_matrix.jsonl");
  ASSERT_EQ(rows.size(), 128u);
  for (const json& row : rows) {
    const std::vector<std::uint64_t> d = row.at("descriptor");
    const GroupMatrix matrix(d[0] >> 4 | d[1] >> 4 << 16 | d[2] >> 4 << 32 | d[3] << 49 |
                                 d[4] << 62,
                             row.at("by_columns") == 1, 2);
    for (std::size_t i = 0; i < row.at("offset").size(); ++i)
      EXPECT_EQ(matrix.offset(row.at("line")[i], row.at("k")[i]), row.at("offset")[i]) << row;
  }
}

TEST(GroupRows, TakeTheHardwaresWavefronts) {
  const std::vector<json> rows = rows_of("group_wavefronts.jsonl");
  ASSERT_EQ(rows.size(), 109u);
  for (const json& row : rows) {
    const MatrixForm form{.shape = {64, row.at("n"), 16}};
    SharedCounts all;
    for (std::uint32_t warp = 4; warp < 8; ++warp)
      all += group_product_cost(form, row.at("a_in_registers") == 1, warp);
    EXPECT_EQ(all.wavefronts, row.at("wavefronts").get<std::uint64_t>()) << row;
    EXPECT_EQ(all.requests, row.at("requests").get<std::uint64_t>());
    EXPECT_EQ(all.conflicts, row.at("conflicts").get<std::uint64_t>());
  }
}

}  // namespace
}  // namespace lanescope
