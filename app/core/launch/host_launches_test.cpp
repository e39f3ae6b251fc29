#include "core/launch/host_launches.h"

#include <gtest/gtest.h>

#include "core/run/prepare.h"

namespace lanescope::app {
namespace {

const std::string kProgram = R"cu(#include <cstdio>
template <int K> __global__ void add(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += K;
}
__global__ void twice(float* a) { a[threadIdx.x] *= 2; }
int main(int argc, char** argv) {
  const int n = 1 << 20;
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  dim3 block(256), grid((n + 255) / 256);
  add<3><<<grid, block>>>(a, n);
  twice<<<argc, 32>>>(a);
  twice<<<dim3(4, 2), dim3(8, 8), 64 * sizeof(float)>>>(a);
}
)cu";

std::vector<LaunchSite> sites() {
  CompileRequest request;
  request.text = kProgram;
  return find_launches(request);
}

TEST(HostLaunches, ShapesFollowTheVariablesOfTheHostCode) {
  const auto found = sites();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].kernel, "add<3>");
  EXPECT_EQ(found[0].grid, (Dim3{4096, 1, 1}));
  EXPECT_EQ(found[0].block, (Dim3{256, 1, 1}));
  EXPECT_EQ(found[0].arguments, (std::vector<std::string>{"a", "n"}));
  EXPECT_EQ(found[0].pos.line, 12u);
  EXPECT_FALSE(found[1].grid) << "argc is no constant";
  EXPECT_EQ(found[2].grid, (Dim3{4, 2, 1}));
  EXPECT_EQ(found[2].shared_bytes, 256u);
}

TEST(HostLaunches, AreTakenWhereNoBlockIsGiven) {
  Settings settings;
  settings.file = "program.cu";
  settings.text = kProgram;
  settings.kernel = "add<3>";
  settings.arguments = {{"a", "float[1048576]"}, {"n", "1048576"}};
  const PrepareResult result = prepare(settings);
  ASSERT_TRUE(result.ready);
  EXPECT_EQ(result.ready->prepared->launch.grid, (Dim3{4096, 1, 1}));
  EXPECT_EQ(result.ready->prepared->launch.block, (Dim3{256, 1, 1}));
}

TEST(HostLaunches, AreOfferedWhenItIsNotClearWhichKernelIsMeant) {
  Settings settings;
  settings.file = "program.cu";
  settings.text = kProgram;
  const PrepareResult result = prepare(settings);
  ASSERT_FALSE(result.ready);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_NE(result.diagnostics.back().hint.english().find(
                "line 12: add<3> --grid 4096,1,1 --block 256,1,1"),
            std::string::npos);
}

}  // namespace
}  // namespace lanescope::app
