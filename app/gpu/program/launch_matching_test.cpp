#include "gpu/program/launch_matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::gpu {
namespace {

using ::testing::ElementsAre;

app::LaunchRecord simulated(const char* kernel, unsigned blocks, bool ran = true) {
  app::LaunchRecord launch;
  launch.kernel = kernel;
  launch.grid = {blocks, 1, 1}, launch.block = {32, 1, 1};
  launch.warp_instructions = ran ? 7 : 0;
  return launch;
}

ProfiledLaunch profiled(const char* function, unsigned blocks) {
  return {function, {}, {blocks, 1, 1}, {32, 1, 1}};
}

TEST(LaunchMatching, LibrariesOwnKernelsArePassedOver) {
  EXPECT_THAT(match_launches({simulated("a<float>", 1), simulated("b", 2)},
                             {profiled("void a<float>(float *)", 1), profiled("gemm_tile(int)", 2),
                              profiled("(anonymous namespace)::b(int)", 2)}),
              ElementsAre(0u, 2u));
}

TEST(LaunchMatching, OtherShapesAreOtherLaunches) {
  EXPECT_THAT(match_launches({simulated("a", 1), simulated("a", 3)},
                             {profiled("a(int)", 2), profiled("a(int)", 3)}),
              ElementsAre(std::nullopt, 1u));
}

TEST(LaunchMatching, ARefusedOneTakesNoneOfThoseThatFollow) {
  EXPECT_THAT(match_launches({simulated("a", 1, false), simulated("a", 1)}, {profiled("a()", 1)}),
              ElementsAre(std::nullopt, 0u));
}

}  // namespace
}  // namespace lanescope::gpu
