// Proposals for files that say nothing of their launch: they run, and they follow the program.
#include "core/launch/launch_survey.h"

#include <gmock/gmock.h>

#include "core/kernel/testing.h"
#include "core/run/prepare.h"
#include "lanescope/run.h"

namespace lanescope::app {
namespace {

using testing_texts::messages;
using testing_texts::settings_of;

// Runs the whole grid of a proposal; "" if it is clean.
std::string run_all(const Settings& settings) {
  PrepareResult result = prepare(settings);
  if (!result.ready) return messages(result.diagnostics);
  return messages(result.ready->execute({}).diagnostics);
}

TEST(LaunchSurvey, ProposalsRunAtOnce) {
  const char* texts[] = {
      "__global__ void k(const float* a, float* b, int n) {"
      " int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i]; }",
      "__global__ void k(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }",
      "__global__ void k(const double2* a, double2* b, unsigned n) {"
      " for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += gridDim.x * "
      "blockDim.x)"
      " b[i] = a[i]; }",
      "__global__ void k(const float* in, float* out, int rows, int cols) {"
      " int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;"
      " if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x]; }",
      "__global__ void k(const float* in, float* out, int n) {"
      " __shared__ float tile[32][33];"
      " int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;"
      " tile[threadIdx.y][threadIdx.x] = in[y * n + x]; __syncthreads();"
      " out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] ="
      "   tile[threadIdx.x][threadIdx.y]; }",
      "__global__ void k(float* out) { extern __shared__ float s[];"
      " s[threadIdx.x] = threadIdx.x; __syncthreads();"
      " out[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; }",
      "template <class T, int N> __global__ void k(T* a, bool on) {"
      " if (on) a[blockIdx.x * blockDim.x + threadIdx.x] = N; }",
      "__global__ void gemm(const float* A, const float* B, float* C, int M, int N, int K) {"
      " int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;"
      " float s = 0; for (int k = 0; k < K; ++k) s += A[r * K + k] * B[k * N + c];"
      " if (r < M && c < N) C[r * N + c] = s; }"};
  for (const char* text : texts) {
    const LaunchSurvey survey = survey_launch(settings_of(text));
    EXPECT_EQ(run_all(survey.proposal), "") << text;
  }
}

const char* const kProgram = R"(
template <int P> __global__ void add(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] + P;
}
__global__ void other(int* x) { x[threadIdx.x] = 1; }
int main() {
  const int n = 1 << 12;
  dim3 block(128);
  float *a = 0, *b = 0;
  add<3><<<n / 128, block>>>(a, b, n);
  add<4><<<8, 64>>>(a, b, 512);
}
)";

TEST(LaunchSurvey, FollowsTheProgram) {
  const LaunchSurvey survey = survey_launch(settings_of(kProgram));
  EXPECT_THAT(survey.choices, testing::ElementsAre("add<3>", "add<4>", "other"));
  ASSERT_EQ(survey.sites.size(), 2u);
  EXPECT_EQ(survey.proposal.kernel, "add<3>");
  EXPECT_EQ(survey.proposal.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(survey.proposal.grid, (Dim3{32, 1, 1}));
  EXPECT_EQ(survey.proposal.arguments.at("n"), "4096");
  EXPECT_EQ(survey.proposal.arguments.at("a"), "auto");
  EXPECT_EQ(run_all(survey.proposal), "");

  Settings second = launched_as(survey, survey.sites[1]);
  EXPECT_EQ(second.kernel, "add<4>");
  second = survey_launch(second).proposal;
  EXPECT_EQ(second.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(second.arguments.at("n"), "512");
  EXPECT_EQ(run_all(second), "");
}

TEST(LaunchSurvey, KeepsWhatIsGiven) {
  Settings asked = settings_of(kProgram);
  asked.kernel = "other";
  asked.block = Dim3{48, 1, 1};
  asked.arguments = {{"n", "5"}};
  const LaunchSurvey survey = survey_launch(asked);
  EXPECT_EQ(survey.proposal.block, (Dim3{48, 1, 1}));
  EXPECT_EQ(survey.proposal.arguments.count("n"), 0u) << "this kernel takes no n";
  EXPECT_EQ(run_all(survey.proposal), "");
}

TEST(LaunchSurvey, BrokenTextsGiveNoProposal) {
  for (const char* text : {"@", "int main() {}", "__global__ void k(", "template <class T"}) {
    const LaunchSurvey survey = survey_launch(settings_of(text));
    EXPECT_TRUE(survey.kernel.empty() || !survey.kernels.empty()) << text;
  }
}

}  // namespace
}  // namespace lanescope::app
