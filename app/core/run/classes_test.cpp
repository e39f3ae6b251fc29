// Counts proved from classes of blocks must be those of executing every block: over the whole
// corpus, at its own shapes and at random ones.
#include <gtest/gtest.h>

#include <random>

#include "core/kernel/catalog.h"
#include "core/run/prepare.h"

namespace lanescope::app {
namespace {

struct Tally {
  int compared = 0, proved = 0;
};

// Both ways with one launch; false when the settings do not make one (a tile too large for the shape
// drawn, say).
bool compare(const Settings& settings, Tally& tally) {
  PrepareResult prepared = prepare(settings);
  if (!prepared.ready) return false;
  ReadyLaunch& ready = *prepared.ready;
  if (ready.prepared->launch.grid.count() * ready.prepared->launch.block.count() > 4'000'000)
    return false;
  const RunResult proved = ready.count({});
  ready.memory.refill();
  const RunResult every = ready.execute({});
  ++tally.compared;
  tally.proved += proved.coverage.classes > 0;
  EXPECT_EQ(proved.ok(), every.ok());
  if (!every.ok()) {
    EXPECT_EQ(proved.coverage.classes, 0u) << "a launch that fails must not be proved";
    return true;
  }
  EXPECT_EQ(proved.accesses, every.accesses);
  EXPECT_EQ(proved.op_executions, every.op_executions);
  EXPECT_EQ(proved.warp_instructions, every.warp_instructions);
  EXPECT_TRUE(proved.coverage.exact);
  return true;
}

TEST(Classes, EqualEveryBlockOnTheWholeCorpus) {
  const Catalog catalog = load_catalog(LANESCOPE_SOURCE_DIR "/kernels");
  ASSERT_GT(catalog.entries.size(), 20u);
  std::mt19937 random(20240917);
  Tally tally;
  int kernel = 0;
  for (const CatalogEntry& entry : catalog.entries) {
    const OpenResult open = open_kernel(catalog, entry.name);
    ASSERT_TRUE(open.settings) << entry.name;
    // As they come, most kernels execute a million threads: every twentieth does.
    const bool as_it_comes = kernel++ % 20 == 0;
    for (int round = as_it_comes ? 0 : 1; round < 3; ++round) {
      Settings settings = *open.settings;
      std::string shape;
      for (const ArgumentSpec& argument : entry.front_matter.arguments) {
        if (!argument.shape.empty() || argument.max <= argument.min || round == 0) continue;
        const long long most = std::min(argument.max, argument.min + 300);
        settings.arguments[argument.name] =
            std::to_string(std::uniform_int_distribution<long long>(argument.min, most)(random));
        shape += " " + argument.name + "=" + settings.arguments[argument.name];
      }
      for (const TunableParameter& parameter : entry.front_matter.parameters)
        if (parameter.name == "PAD" && parameter.choices.empty() && round > 1)
          settings.parameters["PAD"] = std::to_string(random() % 3);
      SCOPED_TRACE(entry.name + shape);
      compare(settings, tally);
    }
  }
  EXPECT_GT(tally.compared, 120);
  // Not a claim about speed: if hardly anything were proved, this test would compare a run with
  // itself.
  EXPECT_GT(tally.proved * 2, tally.compared);
}

// Blocks that are dealt out by quotients and remainders of blockIdx.
TEST(Classes, FollowBlocksThatAreDealtOut) {
  const Catalog catalog = load_catalog(LANESCOPE_SOURCE_DIR "/kernels");
  Settings settings = *open_kernel(catalog, "transpose/20_fastest").settings;
  for (const char* rows : {"64", "200", "640"}) {
    settings.arguments = {{"nx", "32768"}, {"ny", rows}};  // two streams of blocks only here
    Tally tally;
    ASSERT_TRUE(compare(settings, tally)) << rows;
    EXPECT_EQ(tally.proved, 1) << rows;
  }
}

TEST(Classes, AreFewWhereOnlyARemainderMatters) {
  Settings settings;
  settings.file = settings.name = "parity.cu";
  settings.text = R"(
__global__ void parity(float* out) {
  int b = (blockIdx.x & 1) * 4096 + blockIdx.x / 3 * 64 + blockIdx.x % 3 * 32 + blockIdx.x % 5;
  if (blockIdx.x % 4 == 3) out[b + threadIdx.x] = 1;
  out[8192 + b + threadIdx.x * (1 + blockIdx.x % 2)] = 2;
})";
  settings.block = Dim3{32, 1, 1};
  settings.grid = Dim3{301, 1, 1};
  settings.arguments = {{"out", "float[20000]"}};
  PrepareResult prepared = prepare(settings);
  ASSERT_TRUE(prepared.ready) << (prepared.diagnostics.empty()
                                      ? ""
                                      : prepared.diagnostics[0].message.english());
  const RunResult proved = prepared.ready->count({});
  EXPECT_GT(proved.coverage.classes, 0u) << proved.coverage.fallback;
  EXPECT_LE(proved.coverage.classes, 60u);  // 2 · 3 · 5 · 2 remainders
  Tally tally;
  ASSERT_TRUE(compare(settings, tally));
}

// Where the proof fails, large buffers are left out of counting: nothing but the results differs.
TEST(Classes, WithoutDataCountsTheSame) {
  Settings settings;
  settings.file = settings.name = "square.cu";
  settings.text = R"(
__global__ void square(const float* in, float* out) {
  int b = blockIdx.x * blockIdx.x + threadIdx.x;
  if (b % 7 < 5) out[b * 2] = in[b];
})";
  settings.block = Dim3{64, 1, 1};
  settings.grid = Dim3{100, 1, 1};
  settings.arguments = {{"in", "float[10000]"}, {"out", "float[20000]"}};
  const PrepareResult prepared = prepare(settings);
  ASSERT_TRUE(prepared.ready);
  ReadyLaunch& ready = *prepared.ready;
  const RunResult with = ready.count({});
  EXPECT_FALSE(with.coverage.without_data);
  EXPECT_EQ(with.coverage.classes, 0u);
  ready.memory.refill();
  const RunResult without = ready.count({.most_data = 0});
  EXPECT_TRUE(without.coverage.without_data);
  EXPECT_TRUE(without.coverage.exact);
  EXPECT_EQ(with.accesses, without.accesses);
  EXPECT_EQ(with.op_executions, without.op_executions);
  EXPECT_GT(without.accesses.size(), 0u);
}

}  // namespace
}  // namespace lanescope::app
