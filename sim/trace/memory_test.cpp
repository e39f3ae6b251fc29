#include "lanescope/memory.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

namespace lanescope {
namespace {

template <typename T>
T element(const Buffer& buffer, std::uint64_t i) {
  T value;
  std::memcpy(&value, buffer.data + i * sizeof(T), sizeof(T));
  return value;
}

TEST(GlobalMemory, BasesAreAlignedAndApartAndReproducible) {
  GlobalMemory a, b;
  for (GlobalMemory* memory : {&a, &b}) {
    ASSERT_FALSE(memory->add({"in", ScalarType::f32, 1001, Fill::index}));
    ASSERT_FALSE(memory->add({"out", ScalarType::f64, 3, Fill::poison}));
    ASSERT_FALSE(memory->add({"none", ScalarType::i32, 0, Fill::zero}));
    ASSERT_FALSE(memory->add({"c", ScalarType::u8, 1, Fill::zero}));
  }
  EXPECT_EQ(a.buffers()[0].base, kGlobalWindow);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(a.buffers()[i].base, b.buffers()[i].base);
    EXPECT_EQ(a.buffers()[i].base % 512, 0u);
    if (i > 0) {
      EXPECT_GE(a.buffers()[i].base,
                a.buffers()[i - 1].base + a.buffers()[i - 1].bytes + (64 << 10));
    }
  }
}

TEST(GlobalMemory, AnAddressBelongsToABufferOrToNone) {
  GlobalMemory memory;
  ASSERT_FALSE(memory.add({"in", ScalarType::f32, 10, Fill::index}));
  ASSERT_FALSE(memory.add({"out", ScalarType::f32, 10, Fill::index}));
  const std::uint64_t in = memory.buffers()[0].base, out = memory.buffers()[1].base;
  EXPECT_EQ(memory.at(0), nullptr);
  EXPECT_EQ(memory.at(in - 1), nullptr);
  EXPECT_EQ(memory.at(in)->spec.name, "in");
  EXPECT_EQ(memory.at(in + 39)->spec.name, "in");
  EXPECT_EQ(memory.at(in + 40), nullptr);
  EXPECT_EQ(memory.at(out + 39)->spec.name, "out");
  EXPECT_EQ(memory.at(out + 40), nullptr);
  EXPECT_EQ(memory.find("nothing"), nullptr);
}

TEST(GlobalMemory, FillsAreWhatTheyAreCalled) {
  GlobalMemory memory;
  ASSERT_FALSE(memory.add({"f", ScalarType::f32, 5000, Fill::index}));
  ASSERT_FALSE(memory.add({"b", ScalarType::u8, 5000, Fill::index}));
  ASSERT_FALSE(memory.add({"h", ScalarType::f16, 5000, Fill::index}));
  ASSERT_FALSE(memory.add({"p", ScalarType::f64, 5000, Fill::poison}));
  ASSERT_FALSE(memory.add({"z", ScalarType::i32, 5000, Fill::zero}));
  ASSERT_FALSE(memory.add({"r", ScalarType::f32, 5000, Fill::random}));
  EXPECT_EQ(element<float>(*memory.find("f"), 4999), 4999.0f);
  EXPECT_EQ(element<std::uint8_t>(*memory.find("b"), 300), 300 - 256);
  EXPECT_EQ(element<std::uint16_t>(*memory.find("h"), 3), 0x4200);  // 3.0
  EXPECT_TRUE(std::isnan(element<double>(*memory.find("p"), 4999)));
  EXPECT_EQ(element<int>(*memory.find("z"), 4999), 0);
  float low = 1, high = 0;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    low = std::min(low, element<float>(*memory.find("r"), i));
    high = std::max(high, element<float>(*memory.find("r"), i));
  }
  EXPECT_GE(low, 0.0f);
  EXPECT_LT(low, 0.01f);
  EXPECT_GT(high, 0.99f);
  EXPECT_LT(high, 1.0f);
}

/// Large enough to be filled by several threads, with a count they do not divide.
TEST(GlobalMemory, LargeBuffersAreFilledToTheLastElement) {
  GlobalMemory memory;
  const std::uint64_t count = (std::uint64_t{40} << 20) + 7;
  ASSERT_FALSE(memory.add({"n", ScalarType::u32, count, Fill::index}));
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    wrong += element<std::uint32_t>(memory.buffers()[0], i) != i;
  EXPECT_EQ(wrong, 0u);
}

TEST(GlobalMemory, RefillRestoresEveryFill) {
  GlobalMemory memory;
  for (const Fill fill : {Fill::index, Fill::zero, Fill::poison, Fill::random})
    ASSERT_FALSE(memory.add({std::to_string(static_cast<int>(fill)), ScalarType::u32, 4096, fill}));
  std::vector<std::vector<std::byte>> before;
  for (const Buffer& b : memory.buffers()) {
    before.emplace_back(b.data, b.data + b.bytes);
    std::memset(b.data, 0x5A, b.bytes);
  }
  memory.refill();
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(std::memcmp(before[i].data(), memory.buffers()[i].data, before[i].size()), 0) << i;
}

TEST(GlobalMemory, WhatDoesNotFitIsRefusedInWords) {
  GlobalMemory memory;
  const auto too_large = memory.add({"in", ScalarType::f32, std::uint64_t{1} << 43, Fill::zero});
  ASSERT_TRUE(too_large);
  EXPECT_EQ(too_large->kind, DiagnosticKind::usage);
  EXPECT_NE(too_large->message.english().find("this machine has"), std::string::npos)
      << too_large->message.english();
  // 2^62 + 1 doubles: the size in bytes would wrap round to 8.
  const auto wraps = memory.add({"in", ScalarType::f64, (std::uint64_t{1} << 62) + 1, Fill::zero});
  ASSERT_TRUE(wraps);
  EXPECT_NE(wraps->message.english().find("address space"), std::string::npos)
      << wraps->message.english();
  EXPECT_TRUE(memory.add({"in", ScalarType::unknown, 1, Fill::zero}));
  EXPECT_TRUE(memory.buffers().empty());
  ASSERT_FALSE(memory.add({"in", ScalarType::f32, 1, Fill::zero}));
  EXPECT_TRUE(memory.add({"in", ScalarType::f32, 1, Fill::zero})) << "two buffers of one name";
}

TEST(Memory, AMeasuredBufferNotesWhatIsTouchedAndFillsNothingElse) {
  GlobalMemory memory;
  BufferSpec spec{"p", ScalarType::f32, 1 << 24, Fill::index};
  spec.deferred = spec.measured = true;
  spec.origin = 1 << 23;
  ASSERT_FALSE(memory.add(spec));
  const Buffer& buffer = *memory.find("p");
  EXPECT_EQ(buffer.pointer(), buffer.base + (4ull << 23));
  memory.complete();
  ASSERT_NE(buffer.filled, nullptr) << "never filled as a whole";
  EXPECT_EQ(buffer.touched->end, 0u);
  std::vector<std::jthread> workers;
  for (std::uint64_t worker = 0; worker < 4; ++worker)
    workers.emplace_back([&buffer, worker] {
      for (std::uint64_t i = 0; i < 4096; ++i)
        fill_touched(buffer, (4ull << 23) - 8 + (i + worker) * 4, 4);
    });
  workers.clear();
  EXPECT_EQ(buffer.touched->begin, (4ull << 23) - 8);
  EXPECT_EQ(buffer.touched->end, (4ull << 23) - 8 + 4099 * 4);
  const auto* values = reinterpret_cast<const float*>(buffer.data) + spec.origin;
  EXPECT_EQ(values[-2], -2.0f);
  EXPECT_EQ(values[4096], 4096.0f);
  memory.refill();
  EXPECT_EQ(memory.find("p")->touched->end, 0u);
}

TEST(Memory, ContentsComeBackWithEveryFill) {
  GlobalMemory memory;
  BufferSpec spec{"p", ScalarType::u8, 3, Fill::zero};
  spec.contents = std::make_shared<const std::vector<std::byte>>(3, std::byte{7});
  ASSERT_FALSE(memory.add(spec));
  memory.find("p")->data[1] = std::byte{1};
  memory.refill();
  EXPECT_EQ(memory.find("p")->data[1], std::byte{7});
}

}  // namespace
}  // namespace lanescope
