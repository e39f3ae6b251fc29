// Layouts of CuTe, read from type names as Clang's debug info has them.
#include "lower/tensor_types.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

std::string text_of(const LayoutTuple& tuple) {
  if (tuple.number) return std::to_string(*tuple.number);
  if (tuple.is_number()) return "#" + std::to_string(tuple.run_time);
  std::string text;
  for (const LayoutTuple& part : tuple.parts) text += (text.empty() ? "(" : ",") + text_of(part);
  return text + ")";
}

TEST(TensorTypes, ANameIsTakenApart) {
  const auto name = parse_type_name("a::b<c::d<1, true>, e<> , const f<2> *>");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->name, "a::b");
  ASSERT_EQ(name->arguments.size(), 3u);
  EXPECT_EQ(name->arguments[0].arguments[1].name, "true");
  EXPECT_TRUE(name->arguments[1].arguments.empty());
  EXPECT_EQ(name->arguments[2].name, "const f*");
  for (const char* wrong : {"a<", "a<b", "a<b>>", "a<b>, c", "a>", "a<b<c>"})
    EXPECT_FALSE(parse_type_name(wrong)) << wrong;
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "a<";
  EXPECT_FALSE(parse_type_name(deep));
}

TEST(TensorTypes, ATileOfHalvesAsSgemmSm80HasIt) {
  const auto tensor = tensor_of_type(
      "Tensor<cute::ViewEngine<cute::smem_ptr<cutlass::half_t *> >, "
      "cute::ComposedLayout<cute::Swizzle<3, 3, 3>, "
      "cute::C<0>, cute::Layout<cute::tuple<cute::tuple<cute::C<8>, cute::C<16> >, cute::C<64>, "
      "cute::C<3> >, "
      "cute::tuple<cute::tuple<cute::C<64>, cute::C<512> >, cute::C<1>, cute::C<8192> > > > >");
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->space, MemorySpace::shared);
  EXPECT_EQ(tensor->element, "cutlass::half_t");
  EXPECT_EQ(text_of(tensor->shape), "((8,16),64,3)");
  EXPECT_EQ(text_of(tensor->stride), "((64,512),1,8192)");
  EXPECT_EQ(tensor->swizzle, (LayoutSwizzle{3, 3, 3}));
  EXPECT_FALSE(tensor->swizzles_addresses);
  EXPECT_EQ(text_of(tensor->offset), "0");
  EXPECT_EQ(tensor->run_time.size(), 1u);
  EXPECT_EQ(tensor->pointer, 0);
}

TEST(TensorTypes, WhatOnlyTheRunKnowsIsCountedInItsOrder) {
  const auto tensor =
      tensor_of_type("Tensor<cute::ViewEngine<cute::gmem_ptr<const float *> >, "
                     "cute::Layout<cute::tuple<int, int>, cute::tuple<long, cute::C<1U> > > >");
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->space, MemorySpace::global);
  EXPECT_EQ(tensor->element, "float");
  EXPECT_EQ(text_of(tensor->shape), "(#0,#1)");
  EXPECT_EQ(text_of(tensor->stride), "(#2,1)");
  EXPECT_EQ(tensor->pointer, 3);
}

TEST(TensorTypes, ASwizzleOfThePointerIsOneOfAddresses) {
  const auto tensor = tensor_of_type("Tensor<cute::ViewEngine<cute::smem_ptr<cute::swizzle_ptr<"
                                     "cute::Swizzle<3, 4, 3>, cutlass::half_t *> > >, "
                                     "cute::Layout<cute::C<8>, cute::C<1> > >");
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->swizzle, (LayoutSwizzle{3, 4, 3}));
  EXPECT_TRUE(tensor->swizzles_addresses);
  EXPECT_EQ(tensor->element, "cutlass::half_t");
}

TEST(TensorTypes, WhatIsNotInMemoryIsNone) {
  const std::string layout = "cute::Layout<cute::C<8>, cute::C<1> >";
  const std::string pointer = "cute::ViewEngine<cute::smem_ptr<float *> >";
  EXPECT_TRUE(tensor_of_type("Tensor<" + pointer + ", " + layout + ">"));
  for (const std::string& wrong :
       {// Registers, coordinates, elements of a few bits, tensor memory
        "Tensor<cute::ArrayEngine<float, 8>, " + layout + ">",
        "Tensor<cute::ViewEngine<cute::ArithmeticTupleIterator<cute::ArithmeticTuple<int, int> > "
        ">, " +
            layout + ">",
        "Tensor<cute::ViewEngine<cute::smem_ptr<cute::subbyte_iterator<cute::int4_t> > >, " +
            layout + ">",
        "Tensor<cute::ViewEngine<cute::tmem_ptr<float *> >, " + layout + ">",
        // Strides along axes of their own, shape and stride that do not fit, swizzles that overlap
        "Tensor<" + pointer + ", cute::Layout<cute::C<8>, cute::ScaledBasis<cute::C<1>, 0> > >",
        "Tensor<" + pointer + ", cute::Layout<cute::tuple<cute::C<8>, cute::C<8> >, cute::C<1> > >",
        "Tensor<" + pointer + ", cute::ComposedLayout<cute::Swizzle<3, 4, 2>, cute::C<0>, " +
            layout + "> >",
        "Vector<" + pointer + ", " + layout + ">", std::string("Tensor<"), std::string()})
    EXPECT_FALSE(tensor_of_type(wrong)) << wrong;
}

TEST(LayoutSwizzle, TwiceIsNothing) {
  for (const LayoutSwizzle swizzle :
       {LayoutSwizzle{3, 3, 3}, LayoutSwizzle{2, 4, -3}, LayoutSwizzle{}})
    for (std::uint64_t offset = 0; offset < 4096; ++offset)
      EXPECT_EQ(swizzle(swizzle(offset)), offset);
  // Chunk 1 of row 1, of rows of 64 elements
  EXPECT_EQ((LayoutSwizzle{3, 3, 3}(64 + 8)), 64u);
  EXPECT_EQ((LayoutSwizzle{3, 3, -3}(8)), 64u + 8u);
}

}  // namespace
}  // namespace lanescope
