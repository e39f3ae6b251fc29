#include "core/program/memory_size.h"

#include <gtest/gtest.h>

namespace lanescope::app {
namespace {

TEST(MemorySize, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(size_of("4096"), 4096u);
  EXPECT_EQ(size_of("512M"), std::uint64_t{512} << 20);
  EXPECT_EQ(size_of("16g"), std::uint64_t{16} << 30);
  EXPECT_EQ(size_of("1.5 GiB"), std::uint64_t{3} << 29);
  EXPECT_EQ(size_of("2TB"), std::uint64_t{2} << 40);
  for (const char* wrong : {"", "much", "3 apples", "-1G", "0", "nan", "inf", "1e40G", "G", "1Gx"})
    EXPECT_FALSE(size_of(wrong)) << wrong;
}

TEST(MemorySize, IsToldInRoundUnits) {
  EXPECT_EQ(size_text(12), "12 bytes");
  EXPECT_EQ(size_text(600 << 10), "600 KiB");
  EXPECT_EQ(size_text(std::uint64_t{3} << 29), "1.5 GiB");
  EXPECT_EQ(size_text(std::uint64_t{8} << 30), "8 GiB");
}

TEST(MemorySize, TheUsualBoundLeavesHalfOfTheMachine) {
  EXPECT_GT(usual_memory(), 0u);
  EXPECT_LE(usual_memory(), std::uint64_t{8} << 30);
}

}  // namespace
}  // namespace lanescope::app
