#include "model/matrix_math.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include <nlohmann/json.hpp>

#include "lanescope/matrix_sum.h"
#include "model/half.h"

namespace lanescope {
namespace {

using LaneWords = std::array<std::uint32_t, 32>;
using Rows = std::array<LaneWords, 8>;

template <class Pointers>
void point(Pointers& pointers, auto& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    pointers[i] = reinterpret_cast<std::remove_reference_t<decltype(pointers[0])>>(rows[i].data());
}

Rows multiplied(const MatrixForm& form, const Rows& a, const Rows& b, const Rows& c) {
  Rows d{};
  MatrixRegisters registers;
  point(registers.a, a), point(registers.b, b), point(registers.c, c), point(registers.d, d);
  multiply(form, registers);
  return d;
}

MatrixForm form(int k, MatrixType in, MatrixType out) { return {{16, 8, k}, in, in, out}; }

TEST(Fragments, EachElementHasOnePlaceAndEachPlaceOneElement) {
  ASSERT_EQ(known_forms().size(), 39u);
  for (const MatrixForm& one : known_forms())
    for (const MatrixRole role : {MatrixRole::a, MatrixRole::b, MatrixRole::accumulator}) {
      const Fragment fragment(one, role);
      std::set<std::pair<int, int>> seen;
      for (int lane = 0; lane < 32; ++lane)
        for (int reg = 0; reg < fragment.registers(); ++reg)
          for (int part = 0; part < fragment.parts(); ++part) {
            const MatrixElement element = fragment.element({lane, reg, part});
            ASSERT_LT(element.row, fragment.rows());
            ASSERT_LT(element.column, fragment.columns());
            ASSERT_EQ(fragment.slot(element), (FragmentSlot{lane, reg, part}));
            seen.insert({element.row, element.column});
          }
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(fragment.rows() * fragment.columns()))
          << matrix_shape_name(one.shape);
    }
}

// Three places as the PTX manual's tables have them.
TEST(Fragments, LieAsTheManualSays) {
  const MatrixForm half = form(16, MatrixType::f16, MatrixType::f32);
  EXPECT_EQ(Fragment(half, MatrixRole::a).element({5, 3, 1}), (MatrixElement{9, 11}));
  EXPECT_EQ(Fragment(half, MatrixRole::b).element({5, 1, 0}), (MatrixElement{10, 1}));
  EXPECT_EQ(Fragment(half, MatrixRole::accumulator).element({5, 2, 0}), (MatrixElement{9, 2}));
  MatrixForm quads{{8, 8, 4}, MatrixType::f16, MatrixType::f16, MatrixType::f32};
  EXPECT_EQ(Fragment(quads, MatrixRole::a).element({22, 1, 0}), (MatrixElement{14, 2}));
  EXPECT_EQ(Fragment(quads, MatrixRole::b).element({22, 1, 0}), (MatrixElement{2, 14}));
  EXPECT_EQ(Fragment(quads, MatrixRole::accumulator).element({22, 7, 0}), (MatrixElement{14, 7}));
  quads.a_by_columns = quads.b_by_rows = true;
  EXPECT_EQ(Fragment(quads, MatrixRole::a).element({22, 1, 0}), (MatrixElement{14, 2}));
  EXPECT_EQ(Fragment(quads, MatrixRole::a).element({21, 1, 1}), (MatrixElement{15, 1}));
  EXPECT_EQ(Fragment(quads, MatrixRole::b).element({21, 1, 1}), (MatrixElement{1, 15}));
  const MatrixForm byte = form(32, MatrixType::s8, MatrixType::s32);
  EXPECT_EQ(Fragment(byte, MatrixRole::a).element({6, 2, 3}), (MatrixElement{1, 27}));
}

TEST(Fragments, TransposedMatrixExchangesRowAndColumn) {
  EXPECT_EQ(ldmatrix_slot({3, 5}, false), (FragmentSlot{14, 0, 1}));
  EXPECT_EQ(ldmatrix_slot({5, 3}, true), (FragmentSlot{14, 0, 1}));
  EXPECT_EQ(ldmatrix_element({14, 0, 1}, true), (MatrixElement{5, 3}));
}

TEST(Fragments, NamesOfTypesReadBack) {
  for (int i = 0; i <= static_cast<int>(MatrixType::s32); ++i)
    EXPECT_EQ(matrix_type_from_name(matrix_type_name(MatrixType(i))), MatrixType(i));
  EXPECT_EQ(matrix_type_from_name("f17"), std::nullopt);
}

/// All elements of A, of B and of C are the same.
std::uint32_t of_constants(const MatrixForm& which, std::uint32_t a, std::uint32_t b,
                           std::uint32_t c) {
  Rows as, bs, cs;
  for (std::size_t i = 0; i < 8; ++i) as[i].fill(a), bs[i].fill(b), cs[i].fill(c);
  return multiplied(which, as, bs, cs)[0][0];
}

TEST(MatrixMath, SumsOfOnes) {
  const auto one = std::bit_cast<std::uint32_t>(1.0f);
  EXPECT_EQ(of_constants(form(16, MatrixType::f16, MatrixType::f32), 0x3C003C00, 0x3C003C00, one),
            std::bit_cast<std::uint32_t>(17.0f));
  EXPECT_EQ(of_constants(form(8, MatrixType::tf32, MatrixType::f32), one, one, 0),
            std::bit_cast<std::uint32_t>(8.0f));
  EXPECT_EQ(of_constants(form(32, MatrixType::s8, MatrixType::s32), 0x01010101, 0xFFFFFFFF, 5),
            static_cast<std::uint32_t>(5 - 32));
  EXPECT_EQ(of_constants(form(32, MatrixType::u8, MatrixType::s32), 0x01010101, 0xFFFFFFFF, 5),
            5u + 32 * 255);
  EXPECT_EQ(of_constants(form(64, MatrixType::s4, MatrixType::s32), 0x11111111, 0xFFFFFFFF, 0),
            static_cast<std::uint32_t>(-64));
  MatrixForm bits = form(256, MatrixType::b1, MatrixType::s32);
  EXPECT_EQ(of_constants(bits, 0xFFFF0000, 0xFF00FF00, 0), 128u);
  bits.is_and = true;
  EXPECT_EQ(of_constants(bits, 0xFFFF0000, 0xFF00FF00, 0), 64u);
}

TEST(MatrixMath, IntegersWrapUnlessTheySaturate) {
  MatrixForm bytes = form(32, MatrixType::u8, MatrixType::s32);
  EXPECT_EQ(of_constants(bytes, 0xFFFFFFFF, 0xFFFFFFFF, 0x7FFFFFFF), 0x7FFFFFFFu + 32 * 255 * 255);
  bytes.saturates = true;
  EXPECT_EQ(of_constants(bytes, 0xFFFFFFFF, 0xFFFFFFFF, 0x7FFFFFFF), 0x7FFFFFFFu);
}

TEST(MatrixMath, InfinityAndNan) {
  const MatrixForm half = form(16, MatrixType::f16, MatrixType::f32);
  EXPECT_EQ(of_constants(half, 0x7C007C00, 0x3C003C00, 0), 0x7F800000u);
  EXPECT_EQ(of_constants(half, 0x7C007C00, 0, 0), 0x7FFFFFFFu);
  EXPECT_EQ(of_constants(half, 0x7C007C00, 0x3C003C00, 0xFF800000), 0x7FFFFFFFu);
}

/// Numbers of every kind: `kind` 0 near one, 1 any bits, 2 tiny and zero, 3 huge. `type` has 16 bits or more.
std::uint32_t number_of_kind(std::mt19937& random, MatrixType type, int kind) {
  const auto any = static_cast<std::uint32_t>(random());
  const float sign = (any & 1) != 0 ? -1.0f : 1.0f;
  const float factors[] = {1.0f, 0, 0x1p-14f, 0x1p14f};
  if (kind == 1) return matrix_type_bits(type) == 16 ? any & 0xFFFF : any;
  if (kind == 2 && any % 5 == 0) return 0;
  const float value = sign * factors[kind] * static_cast<float>(any >> 8 & 1023) / 512;
  if (type == MatrixType::f16) return half_from_float(value);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return type == MatrixType::bf16 ? bits >> 16 : bits;
}

// Columns by eights are summed with vector instructions; a single column element by element.
TEST(MatrixMath, ColumnsTogetherAreAsEachAlone) {
  using enum MatrixType;
  std::mt19937 random(12);
  for (const MatrixForm& which : {form(16, f16, f32), form(8, f16, f16), form(16, bf16, f32),
                                  form(8, tf32, f32), form(4, tf32, f32)})
    for (int round = 0; round < 200; ++round) {
      const auto k = static_cast<std::size_t>(which.shape.k);
      std::vector<std::uint32_t> a(16 * k), b(8 * k), c(16 * 8), d(16 * 8), column(16), alone(16);
      for (std::uint32_t& each : a) each = number_of_kind(random, which.a, round % 4);
      for (std::uint32_t& each : b) each = number_of_kind(random, which.b, round / 4 % 4);
      for (std::uint32_t& each : c)
        each = number_of_kind(random, which.accumulator, round / 16 % 4);
      multiply(which, {16, 8, a.data(), b.data(), c.data(), d.data()});
      for (std::size_t j = 0; j < 8; ++j) {
        for (std::size_t i = 0; i < 16; ++i) column[i] = c[i * 8 + j];
        multiply(which, {16, 1, a.data(), b.data() + j * k, column.data(), alone.data()});
        for (std::size_t i = 0; i < 16; ++i)
          ASSERT_EQ(d[i * 8 + j], alone[i])
              << matrix_shape_name(which.shape) << " round " << round << " at " << i << ", " << j;
      }
    }
}

std::map<std::string, MatrixForm> measured_forms() {
  using enum MatrixType;
  return {{"f16_f32", form(16, f16, f32)},   {"f16_f16", form(16, f16, f16)},
          {"bf16_f32", form(16, bf16, f32)}, {"tf32_f32", form(8, tf32, f32)},
          {"e4m3_f32", form(32, e4m3, f32)}, {"e5m2_f32", form(32, e5m2, f32)},
          {"s8_s32", form(32, s8, s32)}};
}

Rows rows_of(const nlohmann::json& lanes) {
  Rows out{};
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    for (std::size_t i = 0; i < lanes[lane].size(); ++i)
      out[i][lane] = static_cast<std::uint32_t>(
          std::strtoul(lanes[lane][i].get<std::string>().c_str(), nullptr, 16));
  return out;
}

TEST(HardwareRows, MatrixProductsEqualTheHardwares) {
  const std::string folder = LANESCOPE_TRUTH_DIR;
  if (folder.empty()) GTEST_SKIP() << "LANESCOPE_TRUTH_DIR is empty: no mma.jsonl to compare with";
  std::ifstream file(folder + "/mma.jsonl");
  int rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const MatrixForm which = measured_forms().at(row.at("mma"));
    const Rows d =
        multiplied(which, rows_of(row.at("a")), rows_of(row.at("b")), rows_of(row.at("c")));
    const Rows expected = rows_of(row.at("d"));
    const Fragment fragment(which, MatrixRole::accumulator);
    for (int reg = 0; reg < fragment.registers(); ++reg)
      EXPECT_EQ(d[static_cast<std::size_t>(reg)], expected[static_cast<std::size_t>(reg)])
          << row.at("mma") << " case " << row.at("case") << " register " << reg;
  }
  EXPECT_GT(rows, 0);
}

/// "row.col.f32.f16.f16.f32"
MatrixForm quad_form(const std::string& name) {
  using enum MatrixType;
  MatrixForm out{{8, 8, 4}, f16, f16, name.substr(8, 3) == "f32" ? f32 : f16};
  out.a_by_columns = name.starts_with("col"), out.b_by_rows = name.substr(4, 3) == "row";
  return out;
}

/// Puts a quad pair's registers where they lie: lanes 4q to 4q + 3, and 16 on.
void put_quad(Rows& rows, const std::string& hex, int quad) {
  const std::size_t count = hex.size() / 64;
  for (std::size_t i = 0; i < 8 * count; ++i) {
    const std::size_t lane = i / count;
    rows[i % count][static_cast<std::size_t>(4 * quad) + lane % 4 + lane / 4 * 16] =
        static_cast<std::uint32_t>(std::stoul(hex.substr(8 * i, 8), nullptr, 16));
  }
}

/// The floats that halves of C are, where floats lie.
Rows widened(const MatrixForm& floats, const Rows& halves) {
  MatrixForm narrow = floats;
  narrow.accumulator = MatrixType::f16;
  const Fragment from(narrow, MatrixRole::accumulator), to(floats, MatrixRole::accumulator);
  Rows out{};
  for (int row = 0; row < from.rows(); ++row)
    for (int column = 0; column < 8; ++column) {
      const FragmentSlot at = from.slot({row, column}), there = to.slot({row, column});
      const std::uint32_t both =
          halves[static_cast<std::size_t>(at.reg)][static_cast<std::size_t>(at.lane)];
      out[static_cast<std::size_t>(there.reg)][static_cast<std::size_t>(there.lane)] =
          std::bit_cast<std::uint32_t>(
              float_from_half(static_cast<std::uint16_t>(both >> (16 * at.part))));
    }
  return out;
}

// Each row is one quad pair's; four that follow each other are an instruction.
TEST(HardwareRows, ProductsOfQuadPairsEqualTheHardwares) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/model/rows/quads.jsonl");
  std::map<std::string, std::vector<nlohmann::json>> rows;
  std::size_t count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    nlohmann::json row = nlohmann::json::parse(line);
    rows[row.at("form").get<std::string>()].push_back(std::move(row));
  }
  EXPECT_GE(count, 250u);
  for (const auto& [name, of_form] : rows) {
    const MatrixForm which = quad_form(name);
    ASSERT_TRUE(is_known(which));
    ASSERT_EQ(of_form.size() % 4, 0u) << name;
    for (std::size_t first = 0; first < of_form.size(); first += 4) {
      Rows a{}, b{}, c{}, d{};
      for (int quad = 0; quad < 4; ++quad) {
        const nlohmann::json& row = of_form[first + static_cast<std::size_t>(quad)];
        put_quad(a, row.at("a"), quad), put_quad(b, row.at("b"), quad);
        put_quad(c, row.at("c"), quad), put_quad(d, row.at("d"), quad);
      }
      if (name.ends_with("f32.f16.f16.f16")) c = widened(which, c);
      ASSERT_EQ(multiplied(which, a, b, c), d) << name << " from row " << first;
    }
  }
}

}  // namespace
}  // namespace lanescope
