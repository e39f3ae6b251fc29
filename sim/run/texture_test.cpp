// Texture fetches and surface accesses: beside what an H200 fetched, and beside references made here.
#include <algorithm>
#include <cmath>

#include "frontend/prelude/host/lanescope_texture_layout.h"
#include "run/fetched_rows.h"
#include "run/run_text.h"

namespace lanescope {
namespace {

enum AddressMode { wrap, clamp, mirror, border };
enum Kind { signed_integer, unsigned_integer, floating_point };

template <class T>
std::vector<std::uint8_t> bytes_of(const std::vector<T>& values) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
  return {first, first + values.size() * sizeof(T)};
}

/// Texels of `Channel`, side by side.
template <class Channel>
lanescope_texture texture_of(Kind kind, unsigned channels, unsigned width, unsigned height = 0,
                             unsigned depth = 0, unsigned layers = 0) {
  lanescope_texture t = {};
  t.width = width, t.height = height, t.depth = depth, t.layers = layers;
  t.channels = static_cast<unsigned short>(channels);
  t.channel_bits = sizeof(Channel) * 8;
  t.texel_bytes = static_cast<unsigned>(channels * sizeof(Channel));
  t.pitch = std::uint64_t{width} * t.texel_bytes;
  t.slice = t.pitch * std::max(height, 1u);
  t.kind = kind;
  std::fill_n(t.address_mode, 3, clamp);
  std::fill_n(t.border, 4, 7.0f);
  return t;
}

/// `out[i] = fetch` for i below n; `at` are numbers that `fetch` may use, `tex` is the object.
template <class Out, class Channel>
Outcome fetch(const lanescope_texture& t, const std::vector<Channel>& texels,
              const std::vector<float>& at, const std::string& type, const std::string& fetch,
              std::size_t n, std::size_t per_thread = 1) {
  const std::string text = "__global__ void k(lanescope_texture* t, unsigned char* texels, "
                           "const float* at, " +
                           type +
                           "* out, int n) {\n"
                           "  t->data = (unsigned long long)texels;\n"
                           "  const cudaTextureObject_t tex = (cudaTextureObject_t)t;\n"
                           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "  if (i < n) out[i] = " +
                           fetch + ";\n}";
  const auto blocks = static_cast<std::uint32_t>((n + 63) / 64);
  return run_text(text, "k", {blocks, 1, 1}, {64, 1, 1},
                  {data("t", bytes_of(std::vector{t})), data("texels", bytes_of(texels)),
                   data("at", at), buffer<Out>("out", n * per_thread),
                   scalar("n", static_cast<int>(n))});
}

template <class T>
std::vector<T> counted(std::size_t n, T step = 1) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(static_cast<T>(i) * step);
  return values;
}
std::vector<float> random_texels(std::size_t n) {
  std::vector<float> values(n);
  std::uint32_t seed = 1;
  for (float& v : values)
    v = static_cast<float>(seed = seed * 1664525u + 1013904223u) / 4294967296.0f;
  return values;
}

// ---- beside an H200 ----

TEST(Textures, AlongOneDimensionAsAnH200) {
  for (const FetchedRow& row : kFetchedAlong) {
    lanescope_texture t = texture_of<float>(floating_point, 1, 8);
    std::fill_n(t.address_mode, 3, row.mode);
    t.filter = row.linear, t.normalized = row.normalized;
    std::vector<float> at(64);
    for (std::size_t i = 0; i < at.size(); ++i)
      at[i] = (static_cast<float>(i) * .4375f - 10) / (row.normalized != 0 ? 8.0f : 1.0f);
    SCOPED_TRACE("mode " + std::to_string(row.mode) + " linear " + std::to_string(row.linear) +
                 " normalized " + std::to_string(row.normalized));
    expect_each<float>(
        fetch<float>(t, counted<float>(8, 256), at, "float", "tex1D<float>(tex, at[i])", 64), "out",
        [&](std::size_t i) { return row.values[i]; });
  }
}

TEST(Textures, WeightsAreRoundedTo256ths) {
  lanescope_texture t = texture_of<float>(floating_point, 1, 8);
  t.filter = 1;
  std::vector<float> at(64);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = 2.5f + static_cast<float>(i) / 4096;
  // 7/16 of a 256th is nothing, 8/16 is one.
  expect_each<float>(
      fetch<float>(t, counted<float>(8, 256), at, "float", "tex1D<float>(tex, at[i])", 64), "out",
      [](std::size_t i) { return 512 + static_cast<float>((i + 8) / 16); });
}

TEST(Textures, BetweenFourTexelsAsAnH200) {
  lanescope_texture t = texture_of<float>(floating_point, 1, 8, 8);
  t.filter = 1;
  std::vector<float> at;
  for (const FetchedPoint& p : kFetchedPlane) at.insert(at.end(), {p.x, p.y});
  expect_each<float>(
      fetch<float>(t, random_texels(64), at, "float", "tex2D<float>(tex, at[2 * i], at[2 * i + 1])",
                   kFetchedPlane.size()),
      "out", [](std::size_t i) { return kFetchedPlane[i].value; }, 1.2e-7);
}

TEST(Textures, FacesOfACubeAsAnH200) {
  std::vector<float> at;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z)
        for (const int c : {x, y, z}) at.push_back(static_cast<float>(c));
  at.insert(at.end(), {1, .99f, .3f, 1, .9f, .99f, -.99f, .2f, 1, .1f, 1, -.97f});
  for (const FetchedRow& row : kFetchedCube) {
    lanescope_texture t = texture_of<float>(floating_point, 1, 4, 4, 0, 6);
    std::fill_n(t.address_mode, 3, row.mode);
    t.filter = row.linear, t.normalized = 1, t.cubemap = 1;
    SCOPED_TRACE("mode " + std::to_string(row.mode) + " linear " + std::to_string(row.linear));
    // Six digits were printed.
    expect_each<float>(
        fetch<float>(t, counted<float>(96), at, "float",
                     "texCubemap<float>(tex, at[3*i], at[3*i+1], at[3*i+2])", row.values.size()),
        "out", [&](std::size_t i) { return row.values[i]; }, 1e-5);
  }
}

TEST(Textures, AChannelThatIsNotThereReadsZero) {
  const std::vector<int> texels = counted<int>(8);
  lanescope_texture t = texture_of<int>(signed_integer, 1, 8);
  t.address_mode[0] = border;
  const Outcome outcome =
      fetch<int>(t, texels, {2.5f, -5}, "int4", "tex1D<int4>(tex, at[i])", 2, 4);
  // Outside: the bits of the border's 7.0f.
  const std::vector<int> expected = {2, 0, 0, 0, 0x40e00000, 0, 0, 0};
  expect_each<int>(outcome, "out", [&](std::size_t i) { return expected[i]; });
}

// ---- beside references ----

TEST(Textures, IntegersOfEveryWidth) {
  const std::vector<float> at = counted<float>(12);
  std::vector<signed char> bytes(24);
  for (std::size_t i = 0; i < 24; ++i) bytes[i] = static_cast<signed char>(i * 11 - 128);
  expect_each<signed char>(fetch<signed char>(texture_of<signed char>(signed_integer, 2, 12), bytes,
                                              at, "char2", "tex1D<char2>(tex, at[i])", 12, 2),
                           "out", [&](std::size_t i) { return bytes[i]; });
  const std::vector<std::uint16_t> shorts = counted<std::uint16_t>(48, 1000);
  expect_each<std::uint16_t>(
      fetch<std::uint16_t>(texture_of<std::uint16_t>(unsigned_integer, 4, 12), shorts, at,
                           "ushort4", "tex1D<ushort4>(tex, at[i])", 12, 4),
      "out", [&](std::size_t i) { return shorts[i]; });
  // A wider type is extended as the texels' kind has it.
  expect_each<int>(fetch<int>(texture_of<signed char>(signed_integer, 1, 12), bytes, at, "int",
                              "tex1D<int>(tex, at[i])", 12),
                   "out", [&](std::size_t i) { return bytes[i]; });
}

TEST(Textures, IntegersAsNormalizedFloats) {
  std::vector<signed char> bytes(256);
  for (int i = 0; i < 256; ++i)
    bytes[static_cast<std::size_t>(i)] = static_cast<signed char>(i - 128);
  lanescope_texture t = texture_of<signed char>(signed_integer, 1, 256);
  t.read_mode = 1;
  t.address_mode[0] = border;
  std::vector<float> at = counted<float>(256);
  at[5] = -1;
  const auto expected = [](std::size_t i) {
    return i == 5 ? 1.0f : std::max((static_cast<float>(i) - 128) / 127, -1.0f);
  };
  expect_each<float>(fetch<float>(t, bytes, at, "float", "tex1D<float>(tex, at[i])", 256), "out",
                     expected);
  t.kind = unsigned_integer;
  at[5] = 5;
  expect_each<float>(fetch<float>(t, bytes, at, "float", "tex1D<float>(tex, at[i])", 256), "out",
                     [](std::size_t i) { return static_cast<float>((i + 128) % 256) / 255; });
}

TEST(Textures, HalvesAreReadAsFloats) {
  const std::vector<std::uint16_t> halves = {0x3c00, 0xc000, 0x3555, 0x7c00};
  const std::vector<float> expected = {1, -2, 0.333251953125f, INFINITY};
  expect_each<float>(fetch<float>(texture_of<std::uint16_t>(floating_point, 1, 4), halves,
                                  counted<float>(4), "float", "tex1D<float>(tex, at[i])", 4),
                     "out", [&](std::size_t i) { return expected[i]; });
}

TEST(Textures, LinearMemoryByIndex) {
  const std::vector<float> texels = random_texels(40 * 4);
  lanescope_texture t = texture_of<float>(floating_point, 4, 40);
  // What lies outside reads 0.
  expect_each<float>(
      fetch<float>(t, texels, {0}, "float4", "tex1Dfetch<float4>(tex, i - 2)", 44, 4), "out",
      [&](std::size_t i) { return i < 8 || i >= 168 ? 0.0f : texels[i - 8]; });
}

TEST(Textures, BetweenEightTexels) {
  const std::vector<float> texels = random_texels(5 * 4 * 3);
  lanescope_texture t = texture_of<float>(floating_point, 1, 5, 4, 3);
  t.filter = 1;
  // Multiples of 1/4, whose weights and products of weights are exact.
  const auto place = [](std::size_t i, std::size_t d) {
    const std::size_t digit = d == 0 ? i % 7 : d == 1 ? i / 7 % 7 : i / 49;
    return static_cast<float>(digit) * 0.75f - 0.25f;
  };
  std::vector<float> at;
  for (std::size_t i = 0; i < 343; ++i)
    for (std::size_t d = 0; d < 3; ++d) at.push_back(place(i, d));
  const auto expected = [&](std::size_t i) {
    double sum = 0;
    const int size[3] = {5, 4, 3};
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      std::size_t index = 0;
      for (int d = 2; d >= 0; --d) {
        const double x = static_cast<double>(place(i, static_cast<std::size_t>(d))) - 0.5;
        const double low = std::floor(x);
        const int up = corner >> d & 1;
        weight *= up != 0 ? x - low : 1 - (x - low);
        const int texel = std::clamp(static_cast<int>(low) + up, 0, size[d] - 1);
        index = index * static_cast<std::size_t>(size[d]) + static_cast<std::size_t>(texel);
      }
      sum += weight * static_cast<double>(texels[index]);
    }
    return static_cast<float>(sum);
  };
  expect_each<float>(
      fetch<float>(t, texels, at, "float", "tex3D<float>(tex, at[3*i], at[3*i+1], at[3*i+2])", 343),
      "out", expected);
}

TEST(Textures, LayersAndCubesInLayers) {
  lanescope_texture t = texture_of<float>(floating_point, 1, 4, 4, 0, 12);
  const std::vector<float> texels = counted<float>(192), none = {0};
  expect_each<float>(fetch<float>(t, texels, none, "float",
                                  "tex2DLayered<float>(tex, i % 4, i / 4 % 4, i / 16)", 208),
                     "out", [](std::size_t i) { return static_cast<float>(i < 192 ? i : i - 16); });
  expect_each<float>(
      fetch<float>(t, texels, none, "float", "tex1DLayered<float>(tex, i % 4 + .5f, i / 4)", 48),
      "out", [](std::size_t i) { return static_cast<float>(i / 4 * 16 + i % 4); });
  t.normalized = t.cubemap = 1;
  expect_each<float>(
      fetch<float>(t, texels, none, "float", "texCubemapLayered<float>(tex, 0.1f, -1, 0.1f, i)", 2),
      "out", [](std::size_t i) { return static_cast<float>(i * 96 + 3 * 16 + 4 + 2); });
}

TEST(Textures, GatheredAndThroughPointers) {
  const std::vector<float> texels = counted<float>(32);
  const lanescope_texture t = texture_of<float>(floating_point, 2, 4, 4);
  const std::vector<float> expected = {19, 21, 13, 11};
  expect_each<float>(
      fetch<float>(t, texels, {0}, "float4", "tex2Dgather<float4>(tex, 2, 2, 1)", 1, 4), "out",
      [&](std::size_t i) { return expected[i]; });
  expect_each<float>(
      fetch<float>(t, texels, {0}, "float2",
                   "[&] { float2 v; tex2D(&v, tex, 3.5f, i + .5f); return v; }()", 4, 2),
      "out", [](std::size_t i) { return static_cast<float>(i / 2 * 8 + 6 + i % 2); });
}

TEST(Textures, AreNoGlobalAccesses) {
  const Outcome outcome = fetch<float>(texture_of<float>(floating_point, 1, 64), counted<float>(64),
                                       {0}, "float", "tex1Dfetch<float>(tex, i)", 64);
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  std::uint64_t fetches = 0;
  for (const AccessInfo& access : outcome.info().accesses) {
    const AccessCounts& counts = outcome.result.accesses[access.id];
    if (access.space != MemorySpace::texture) continue;
    EXPECT_EQ(counts.global.requests, 0u) << access.text;
    fetches += counts.executions;
  }
  EXPECT_GT(fetches, 0u);
}

// ---- surfaces ----

TEST(Surfaces, WhatIsWrittenIsRead) {
  const lanescope_texture t = texture_of<float>(floating_point, 2, 8, 4);
  const Outcome outcome = fetch<float>(t, std::vector<float>(64), {0}, "float2",
                                       "(surf2Dwrite(make_float2(i, -i), tex, i % 8 * 8, i / 8), "
                                       "surf2Dread<float2>(tex, i % 8 * 8, i / 8))",
                                       32, 2);
  const auto expected = [](std::size_t i) {
    return static_cast<float>(i / 2) * (i % 2 == 0 ? 1.0f : -1.0f);
  };
  expect_each<float>(outcome, "out", expected);
  for (std::size_t i = 0; i < 64; ++i) {
    float value = 0;
    std::memcpy(&value, outcome.values<std::uint8_t>("texels").data() + 4 * i, 4);
    EXPECT_EQ(value, expected(i));
  }
}

TEST(Surfaces, BeyondTheirEdges) {
  const lanescope_texture t = texture_of<int>(signed_integer, 1, 4, 2, 2);
  const auto read = [&](const std::string& mode) {
    return fetch<int>(t, counted<int>(16), {0}, "int",
                      "surf3Dread<int>(tex, (i - 1) * 4, 1, 1, " + mode + ")", 6);
  };
  expect_each<int>(read("cudaBoundaryModeClamp"), "out",
                   [](std::size_t i) { return 12 + std::clamp(static_cast<int>(i) - 1, 0, 3); });
  expect_each<int>(read("cudaBoundaryModeZero"), "out",
                   [](std::size_t i) { return i == 0 || i == 5 ? 0 : 11 + static_cast<int>(i); });
  const Outcome stopped = read("cudaBoundaryModeTrap");
  EXPECT_FALSE(stopped.ok());
  EXPECT_NE(stopped.report().find("outside of the surface"), std::string::npos) << stopped.report();
}

}  // namespace
}  // namespace lanescope
