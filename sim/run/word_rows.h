// For tests: expressions of CUDA over three words, compared with the host's functions of the same.
#pragma once

#include <algorithm>
#include <random>
#include <span>

#include <fmt/format.h>

#include "run/run_text.h"

namespace lanescope {

inline constexpr std::size_t kWords = 512;

/// Random bits with many of the edges: 0, all ones, single bits, halves that are extreme.
inline std::vector<std::uint32_t> words(std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::uint32_t edges[] = {0,           1,           0xffffffffu, 0x80000000u, 0x7fffffffu,
                                 0x80008000u, 0x7fff8000u, 0x80807f7fu, 0xff00ff00u, 0x0000ffffu,
                                 0x3c003c00u, 0x7c00fc00u, 0x3f803f80u, 0xff807f80u};
  std::vector<std::uint32_t> out(kWords);
  for (auto& w : out) w = random() % 3 == 0 ? edges[random() % std::size(edges)] : random();
  return out;
}

/// An expression of the unsigned a, b and c, and what it must give.
struct WordRow {
  const char* name;
  const char* expression;
  std::uint32_t (*expected)(std::uint32_t a, std::uint32_t b, std::uint32_t c);
};

inline void expect_rows(std::span<const WordRow> rows, const std::string& before = "") {
  std::string text =
      before +
      "\n__global__ void k(const unsigned* as, const unsigned* bs, const unsigned* cs, unsigned* "
      "out) "
      "{\n unsigned t = blockIdx.x * blockDim.x + threadIdx.x, a = as[t], b = bs[t], c = cs[t];\n";
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += fmt::format(" out[{} + t] = (unsigned)({});\n", i * kWords, rows[i].expression);
  const auto a = words(1), b = words(2), c = words(3);
  const Outcome outcome = run_text(text + "}", "k", {kWords / 128, 1, 1}, {128, 1, 1},
                                   {data("as", a), data("bs", b), data("cs", c),
                                    buffer<std::uint32_t>("out", rows.size() * kWords)});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const auto got = outcome.values<std::uint32_t>("out");
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t t = 0; t < kWords; ++t) {
      const std::uint32_t want = rows[i].expected(a[t], b[t], c[t]);
      if (got[i * kWords + t] == want) continue;
      ADD_FAILURE() << rows[i].name << "(" << std::hex << a[t] << ", " << b[t] << ", " << c[t]
                    << "): got " << got[i * kWords + t] << ", expected " << want;
      break;
    }
}

}  // namespace lanescope
