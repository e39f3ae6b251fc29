#include "core/run/expected.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/text/messages.h"

namespace lanescope::app {
namespace {

TEST(Expected, RealsAndTheirBits) {
  EXPECT_EQ(real_value(ScalarType::f16, 0x3c00), 1.0);
  EXPECT_EQ(real_value(ScalarType::f16, 0x8001), -std::ldexp(1, -24));
  EXPECT_TRUE(std::isinf(real_value(ScalarType::f16, 0x7c00)));
  EXPECT_TRUE(std::isnan(real_value(ScalarType::f16, 0x7e00)));
  for (const ScalarType type : {ScalarType::f32, ScalarType::f64})
    EXPECT_EQ(real_value(type, real_bits(type, -2.5)), -2.5);
}

TEST(Expected, AProductMayBeRoundedAndNoMore) {
  const RealProduct product({1, 2, 3, 4}, {5, -6, 7, 8}, 2, 2, ScalarType::f32);
  RealProduct::Row row;
  product.work_out(1, row);
  EXPECT_EQ(row.sum, (std::vector<double>{43, 14}));
  EXPECT_EQ(row.magnitude, (std::vector<double>{43, 50}));
  EXPECT_TRUE(product.may_be(row, 1, 14));
  EXPECT_TRUE(product.may_be(row, 1, 14 + 0x1p-19));
  EXPECT_FALSE(product.may_be(row, 1, 14.001));
  EXPECT_FALSE(product.may_be(row, 1, NAN));
}

TEST(Expected, TheFirstWrongElementIsTold) {
  WrongElements wrong;
  EXPECT_FALSE(wrong.first(ScalarType::i32, ScalarType::i32));
  wrong.add(9, 3, 4), wrong.add(5, 1, 2), wrong.add(7, 0, 0);
  const auto mismatch = wrong.first(ScalarType::i32, ScalarType::i32);
  ASSERT_TRUE(mismatch);
  const Message first = say::wrong_element(element_text("out", 3, 4, mismatch->index),
                                           mismatch->got, mismatch->expected);
  EXPECT_EQ(with_count(first, *mismatch, 12).english(),
            "wrong result: out[1][1] is 2, expected 1; 3 of 12 elements are wrong");
  EXPECT_EQ(element_text("v", 1, 8, 5), "v[5]");
  EXPECT_EQ(with_count(first, {5, 1, "1", "2"}, 12), first);
}

}  // namespace
}  // namespace lanescope::app
