// Proposals for files that say nothing of their launch: they run, and they follow the program.
#include "core/launch/launch_survey.h"

#include <gmock/gmock.h>

#include "core/kernel/kernel_testing.h"
#include "core/launch/host_launches.h"
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

const char* const kSurveyed = R"(
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
  const LaunchSurvey survey = survey_launch(settings_of(kSurveyed));
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

TEST(LaunchSurvey, ReadsLaunchesThatAnEditorTookApart) {
  const LaunchSurvey survey = survey_launch(settings_of(R"(
__global__ void k(float* p) { p[threadIdx.x] = 1; }
void launch(float* p) { k << <3, 64 >> > (p); }
)"));
  ASSERT_EQ(survey.sites.size(), 1u);
  EXPECT_EQ(survey.proposal.grid, (Dim3{3, 1, 1}));
  EXPECT_EQ(survey.proposal.block, (Dim3{64, 1, 1}));
}

TEST(LaunchSurvey, ReadsCallsThatLaunchAndKernelsBehindVariables) {
  const LaunchSurvey survey = survey_launch(settings_of(R"(
template <class T, int N> __global__ void a(T* p) { p[threadIdx.x] = N; }
__global__ void b(float* p, int n) { p[threadIdx.x] = n; }
void launch(float* p, int device) {
  int n = 7;
  void* args[] = {&p, (void*)&n};
  cudaLaunchKernel((const void*)a<float, 3>, dim3(2, 3), 64, args, 256, nullptr);
  cudaLaunchConfig_t config{dim3(9), {32, 4}, 1 << 10};
  cudaLaunchKernelEx(&config, a<double, 5>, (double*)p);
  cudaLaunchConfig_t other = {.gridDim = 5, .blockDim = 96};
  cudaLaunchKernelExC(&other, reinterpret_cast<void*>(&b), args);
  void (*f)(float*, int) = b;
  auto g = f;
  g<<<4, 128>>>(p, n);
  f = device ? b : nullptr;
  f<<<1, 32>>>(p, n);
}
)"));
  struct Expected {
    const char* kernel;
    std::optional<Dim3> grid, block;
    std::uint64_t shared;
    std::size_t arguments;
  };
  const Expected expected[] = {{"a<float,3>", Dim3{2, 3, 1}, Dim3{64, 1, 1}, 256, 2},
                               {"a<double,5>", Dim3{9, 1, 1}, Dim3{32, 4, 1}, 1024, 1},
                               {"b", Dim3{5, 1, 1}, Dim3{96, 1, 1}, 0, 2},
                               {"b", Dim3{4, 1, 1}, Dim3{128, 1, 1}, 0, 2},
                               {"f", Dim3{1, 1, 1}, Dim3{32, 1, 1}, 0, 2}};
  ASSERT_EQ(survey.sites.size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const LaunchSite& site = survey.sites[i];
    EXPECT_TRUE(same_kernel(site.kernel, expected[i].kernel)) << site.kernel;
    EXPECT_EQ(site.grid, expected[i].grid) << site.kernel << " " << site.grid_text;
    EXPECT_EQ(site.block, expected[i].block) << site.kernel << " " << site.block_text;
    EXPECT_EQ(site.shared_bytes, expected[i].shared) << site.kernel;
    EXPECT_EQ(site.arguments.size(), expected[i].arguments) << site.kernel;
    EXPECT_EQ(site.arguments.back(), expected[i].arguments == 2 ? "n" : "(double*)p");
  }
}

TEST(LaunchSurvey, OfSeveralKernelsThatNothingLaunchesTheLastIsTaken) {
  const std::string text =
      "__global__ void a(int* p) { *p = 1; }\n__global__ void b(int* p) { *p = 2; }\n";
  const LaunchSurvey survey = survey_launch(settings_of(text));
  EXPECT_EQ(survey.proposal.kernel, "b");
  ASSERT_GE(survey.said.size(), 2u);
  EXPECT_EQ(survey.said[1].english(), "one of 2 kernels; the others: a");
  const LaunchSurvey broken = survey_launch(settings_of(
      text + "template <class T> __global__ void c(typename T::type* p) { *p = 3; }\n"));
  EXPECT_EQ(broken.proposal.kernel, "b") << "no instance of the last can be guessed";
}

TEST(LaunchSurvey, KeepsWhatIsGiven) {
  Settings asked = settings_of(kSurveyed);
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
