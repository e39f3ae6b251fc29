#include "core/run/index_pitch.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lanescope::app {
namespace {

const KnownValues kValues = {{"width", 64}, {"height", 32}, {"N", 128}};

TEST(IndexPitch, IsTheKnownFactorOfARow) {
  EXPECT_EQ(pitch_of("y * width + x", kValues), 64u);
  EXPECT_EQ(pitch_of("x + width * y", kValues), 64u);
  EXPECT_EQ(pitch_of("(blockIdx.y * blockDim.y + threadIdx.y) * N + col", kValues), 128u);
  EXPECT_EQ(pitch_of("(y * 33 + x)", kValues), 33u);
  EXPECT_EQ(pitch_of("row * 1024u + i", kValues), 1024u);
  EXPECT_EQ(pitch_of("y * (width) + x + 1", kValues), 64u);
  EXPECT_EQ(pitch_of("y * (width + 2) + x", kValues), 66u);
}

TEST(IndexPitch, OfAVolumeItIsTheRowsPitch) {
  EXPECT_EQ(pitch_of("(z * height + y) * width + x", kValues), 64u);
  EXPECT_EQ(pitch_of("z * height * width + y * width + x", kValues), 64u);
  EXPECT_EQ(pitch_of("y * width + x * 4 + c", kValues), 64u) << "a name rather than a number";
}

TEST(IndexPitch, WhatIsNotKnownHasNone) {
  for (const char* index : {"i", "threadIdx.x", "blockIdx.x * blockDim.x + threadIdx.x",
                            "y * pitch + x", "width * height", "f(y * width + x)", "y * 1 + x", ""})
    EXPECT_EQ(pitch_of(index, kValues), 0u) << index;
}

Argument integer(const char* name, int value) {
  Argument argument;
  argument.name = name;
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}

TEST(IndexPitch, ValuesComeFromTheLaunchAndFromTheText) {
  KernelInfo kernel;
  ArgumentInfo width;
  width.name = "width";
  width.type = ScalarType::i32;
  kernel.arguments = {width};
  Launch launch;
  launch.arguments = {integer("width", 48)};
  const KnownValues values =
      known_values(kernel, launch, {{"TILE", "16"}},
                   "#define COLS 96  // columns\n#define F(x) x\nconst int K = 7;\n"
                   "constexpr int L = 9;\n#define M (12)\nconst int width = 3;\n");
  EXPECT_EQ(values, (KnownValues{
                        {"width", 48}, {"TILE", 16}, {"COLS", 96}, {"K", 7}, {"L", 9}, {"M", 12}}));
}

AccessInfo access(const char* root, const char* index, std::uint32_t line = 9) {
  AccessInfo info;
  info.root = root;
  info.indices = {index};
  info.pos.line = line;
  return info;
}

TEST(IndexPitch, MostAccessesDecide) {
  KernelInfo kernel;
  kernel.accesses = {access("in", "y * width + x"),   access("in", "y * width + x + 1"),
                     access("in", "x * height + y"),  access("out", "y * width + x"),
                     access("out", "x * height + y"), access("flat", "i")};
  EXPECT_EQ(pitches_of(kernel, "", kValues), (std::map<std::string, std::uint64_t>{{"in", 64}}));
}

TEST(IndexPitch, AnIndexVariableIsFollowedToItsDeclaration) {
  KernelInfo kernel;
  kernel.accesses = {access("in", "i", 3), access("out", "j", 4)};
  const std::string text = "\nint i = y * width + x;\nfloat v = in[i];\n"
                           "const int k = x * height + y, j = k; out[j] = v;\nint i = 0;\n";
  EXPECT_EQ(pitches_of(kernel, text, kValues), (std::map<std::string, std::uint64_t>{{"in", 64}}));
  kernel.accesses[1].indices = {"k"};
  EXPECT_EQ(pitches_of(kernel, text, kValues).at("out"), 32u);
}

}  // namespace
}  // namespace lanescope::app
