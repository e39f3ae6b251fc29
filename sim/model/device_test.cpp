#include "lanescope/device.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

const DevicePreset& h200() { return device_presets().front(); }

std::string first_message(Dim3 grid, Dim3 block, std::uint64_t fixed = 0,
                          std::uint64_t dynamic = 0) {
  const auto errors = check_launch(h200(), grid, block, fixed, dynamic);
  if (errors.empty()) return "";
  EXPECT_EQ(errors[0].kind, DiagnosticKind::usage);
  EXPECT_EQ(errors[0].severity, Severity::error);
  EXPECT_EQ(errors[0].file, "<launch>");
  EXPECT_FALSE(errors[0].hint.empty());
  return errors[0].message.english();
}

TEST(Device, TheDefaultIsTheOneTheModelsWereCheckedAgainst) {
  EXPECT_EQ(h200().name, "H200");
  EXPECT_EQ(find_device("h200"), &h200());
  EXPECT_EQ(find_device("H20"), nullptr);
  EXPECT_EQ(find_device(""), nullptr);
}

TEST(Device, WhatFitsIsAllowedToTheLastThreadAndByte) {
  EXPECT_EQ(first_message({1, 1, 1}, {1024, 1, 1}), "");
  EXPECT_EQ(first_message({2147483647u, 65535, 65535}, {4, 4, 64}), "");
  EXPECT_EQ(first_message({1, 1, 1}, {1, 1, 1}, 49152, 232448 - 49152), "");
}

TEST(Device, WhatDoesNotFitIsNamedWithItsLimit) {
  EXPECT_EQ(first_message({1, 1, 1}, {64, 32, 1}), "block of 2048 threads: at most 1024 on H200");
  EXPECT_EQ(first_message({1, 1, 1}, {0, 1, 1}),
            "block of 0 x 1 x 1: every extent must be at least 1");
  EXPECT_EQ(first_message({1, 0, 1}, {1, 1, 1}),
            "grid of 1 x 0 x 1: every extent must be at least 1");
  EXPECT_EQ(first_message({1, 1, 1}, {1, 1, 65}), "block extent z is 65: at most 64 on H200");
  EXPECT_EQ(first_message({1, 65536, 1}, {1, 1, 1}),
            "grid extent y is 65536: at most 65535 on H200");
  EXPECT_EQ(first_message({1, 1, 1}, {1, 1, 1}, 49153),
            "__shared__ arrays take 49153 bytes: at most 49152 on H200 for arrays of fixed size");
  EXPECT_EQ(first_message({1, 1, 1}, {1, 1, 1}, 4096, 232448),
            "block needs 4096 + 232448 bytes of shared memory (static + dynamic): at most 232448 "
            "on H200");
}

TEST(Device, SharedMemoryThatDoesNotFitIsToldWhereItIsDeclared) {
  KernelInfo kernel;
  kernel.files = {"kernel.cu"};
  kernel.declared = {3, 1, 0};
  kernel.static_shared_bytes = 4096;
  const auto line = [&] {
    const auto errors = check_launch(h200(), kernel, {1, 1, 1}, {32, 1, 1}, 232448);
    return errors.size() == 1 ? errors[0].line : ~0u;
  };
  EXPECT_EQ(line(), 3u) << "a kernel without an array of the launch's size";
  kernel.shared_arrays = {{.name = "tile", .bytes = 4096, .declared = {4, 3, 0}},
                          {.name = "all", .bytes = 0, .declared = {5, 3, 0}}};
  EXPECT_EQ(line(), 5u);
  kernel.shared_arrays.back().declared = {};
  EXPECT_EQ(line(), 3u) << "an array of which nobody says where it is declared";
}

TEST(Device, ExtentsWhoseProductWrapsAreStillRefused) {
  const auto errors = check_launch(h200(), {1, 1, 1}, {1u << 31, 1u << 31, 1u << 31}, 0, 0);
  EXPECT_EQ(errors.size(), 4u);  // each axis, and the threads
  EXPECT_FALSE(check_launch(h200(), {1, 1, 1}, {1, 1, 1}, 1, ~std::uint64_t{0}).empty());
}

}  // namespace
}  // namespace lanescope
