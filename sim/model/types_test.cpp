#include "lanescope/types.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "model/half.h"

namespace lanescope {
namespace {

TEST(Scalars, EveryNameIsReadBack) {
  for (int i = 0; i <= static_cast<int>(ScalarType::unknown); ++i) {
    const auto type = static_cast<ScalarType>(i);
    EXPECT_EQ(scalar_from_name(scalar_name(type)), type) << scalar_name(type);
  }
  EXPECT_EQ(scalar_from_name("uint32_t"), ScalarType::u32);
  EXPECT_EQ(scalar_from_name("unsigned"), ScalarType::u32);
  EXPECT_EQ(scalar_from_name("size_t"), ScalarType::u64);
  EXPECT_EQ(scalar_from_name("half"), ScalarType::f16);
  EXPECT_EQ(scalar_from_name("float4"), ScalarType::unknown);
  EXPECT_EQ(scalar_from_name(""), ScalarType::unknown);
}

TEST(Scalars, TextsAreTheBitsThatTheyWereMadeOf) {
  const std::pair<ScalarType, std::string> values[] = {
      {ScalarType::boolean, "true"}, {ScalarType::i8, "-1"},
      {ScalarType::i32, "-37"},      {ScalarType::u64, "18446744073709551615"},
      {ScalarType::f16, "0.5"},      {ScalarType::f32, "2.25"},
      {ScalarType::f64, "-0.1"}};
  for (const auto& [type, text] : values)
    EXPECT_EQ(format_scalar(type, scalar_bits(type, text)), text) << scalar_name(type);
  EXPECT_EQ(scalar_bits(ScalarType::i16, "-1"), 0xffffu);
}

TEST(Scalars, BytesAreThoseOfMemory) {
  EXPECT_EQ(scalar_bytes(ScalarType::boolean), 1u);
  EXPECT_EQ(scalar_bytes(ScalarType::f16), 2u);
  EXPECT_EQ(scalar_bytes(ScalarType::f32), 4u);
  EXPECT_EQ(scalar_bytes(ScalarType::pointer), 8u);
  EXPECT_EQ(scalar_bytes(ScalarType::unknown), 0u);
}

TEST(Scalars, ValuesReadAsAPersonWritesThem) {
  EXPECT_EQ(format_scalar(ScalarType::i32, 0xffffffffu), "-1");
  EXPECT_EQ(format_scalar(ScalarType::u32, 0xffffffffu), "4294967295");
  EXPECT_EQ(format_scalar(ScalarType::i8, 0x80), "-128");
  EXPECT_EQ(format_scalar(ScalarType::boolean, 1), "true");
  EXPECT_EQ(format_scalar(ScalarType::f32, std::bit_cast<std::uint32_t>(0.1f)), "0.1");
  EXPECT_EQ(format_scalar(ScalarType::f32, std::bit_cast<std::uint32_t>(37893.0f)), "37893");
  EXPECT_EQ(format_scalar(ScalarType::f64, std::bit_cast<std::uint64_t>(-0.5)), "-0.5");
  EXPECT_EQ(format_scalar(ScalarType::f16, 0x3800), "0.5");
  EXPECT_EQ(format_scalar(ScalarType::pointer, 0x7000000010u), "0x7000000010");
  EXPECT_EQ(format_scalar(ScalarType::f32, 0x7fc00000u), "nan");
  EXPECT_EQ(format_scalar(ScalarType::f32, 0xffffffffu), "nan");
}

TEST(Half, EveryValueSurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = float_from_half(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(float_from_half(half_from_float(value))));
      continue;
    }
    ASSERT_EQ(half_from_float(value), half) << value;
  }
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(half_from_float(2049.0f), 0x6800);  // between 2048 and 2050: the even one
  EXPECT_EQ(half_from_float(2051.0f), 0x6802);
  EXPECT_EQ(half_from_float(65519.0f), 0x7bff);
  EXPECT_EQ(half_from_float(65520.0f), 0x7c00);
  EXPECT_EQ(half_from_float(0x1p-25f), 0x0000);
  EXPECT_EQ(half_from_float(0x1.8p-25f), 0x0001);
}

}  // namespace
}  // namespace lanescope
