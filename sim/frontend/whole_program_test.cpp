// Texts with the system's headers: what host and device share.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "lanescope/device_code.h"
#include "lanescope/whole_program.h"

namespace lanescope {
namespace {

WholeProgramResult device_side(const std::string& text) {
  WholeProgramRequest request;
  request.files = {"/texts/program.cu"};
  request.texts = {{"/texts/program.cu", text}};
  request.device_only = true;
  return compile_whole_program(request);
}

const GlobalVariableInfo* find(const std::vector<GlobalVariableInfo>& all,
                               const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const GlobalVariableInfo& v) { return v.name == name; });
  return found == all.end() ? nullptr : &*found;
}

TEST(WholeProgram, ManagedVariablesAreTold) {
  const WholeProgramResult result = device_side(R"(
__managed__ int shared_by_both = 42;
__device__ int on_device = 7;
__global__ void k() { shared_by_both += on_device; })");
  ASSERT_EQ(result.texts.size(), 1u);
  const auto variables = result.texts[0].device->variables();
  const GlobalVariableInfo* managed = find(variables, "shared_by_both");
  ASSERT_NE(managed, nullptr);
  EXPECT_TRUE(managed->managed);
  EXPECT_EQ(managed->initial[0], std::byte{42});
  const GlobalVariableInfo* other = find(variables, "on_device");
  ASSERT_NE(other, nullptr);
  EXPECT_FALSE(other->managed);
}

TEST(WholeProgram, DeviceCodeSurvivesItsWayThroughBytes) {
  const WholeProgramResult result = device_side(R"(
struct Pair { int a; float b[2]; };
__global__ void __launch_bounds__(64) k(const float* in, float* out, Pair pair) {
  out[threadIdx.x] = in[threadIdx.x] + pair.b[1];
})");
  ASSERT_EQ(result.texts.size(), 1u);
  const DeviceCode& device = *result.texts[0].device;
  const std::string symbol = "_Z1kPKfPf4Pair";
  const auto back = device_code_from(bytes_of(device));
  EXPECT_EQ(back->kernel_name(symbol), "k");
  EXPECT_EQ(back->most_threads(symbol), 64u);
  std::vector<Diagnostic> diagnostics;
  const ProgramPtr before = device.kernel(symbol, {}, diagnostics);
  const ProgramPtr after = back->kernel(symbol, {}, diagnostics);
  ASSERT_NE(before, nullptr);
  ASSERT_NE(after, nullptr);
  ASSERT_EQ(after->info().arguments.size(), 3u);
  EXPECT_EQ(after->info().arguments[2].members.size(), before->info().arguments[2].members.size());
  const auto texts = [](const Program& program) {
    std::vector<std::string> all;
    for (const AccessInfo& access : program.info().accesses) all.push_back(access.text);
    return all;
  };
  EXPECT_EQ(texts(*after), texts(*before));
  EXPECT_EQ(std::ranges::count(texts(*after), "in[threadIdx.x]"), 1);
  EXPECT_THROW(device_code_from("no device code"), std::exception);
}

TEST(WholeProgram, AHeapIsThereForThoseWhoAllocate) {
  const auto variables = [](const std::string& body) {
    const WholeProgramResult result = device_side("__global__ void k(int** p) { " + body + " }");
    return result.texts.empty() ? std::vector<GlobalVariableInfo>{}
                                : result.texts[0].device->variables();
  };
  EXPECT_EQ(find(variables("*p = nullptr;"), "lanescope_device_heap"), nullptr);
  EXPECT_NE(find(variables("*p = new int(3); free(*p);"), "lanescope_device_heap"), nullptr);
}

TEST(WholeProgram, PointersToFunctionsAreTheSameInEveryKernel) {
  const WholeProgramResult result = device_side(R"(
typedef int (*function)(int);
__device__ int one(int x) { return x; }
__device__ function chosen = one;
struct Base { __device__ virtual int f() { return 1; } };
__global__ void k(Base** b) { *b = new Base; })");
  ASSERT_EQ(result.texts.size(), 1u);
  const auto variables = result.texts[0].device->variables();
  const GlobalVariableInfo* chosen = find(variables, "chosen");
  ASSERT_NE(chosen, nullptr);
  EXPECT_TRUE(std::any_of(chosen->initial.begin(), chosen->initial.end(),
                          [](std::byte b) { return b != std::byte{0}; }));
  // The table of virtual functions has one place for all kernels.
  EXPECT_NE(find(variables, "_ZTV4Base"), nullptr);
}

/// A folder of headers as a toolkit has them, for one test.
class Toolkit {
 public:
  Toolkit() : folder_(std::filesystem::temp_directory_path() / "lanescope_toolkit_test") {
    write("crt/host_defines.h", "");
    write("cuda_runtime.h", "#error theirs\n");
    write("cccl/cuda/std/version", "");
  }
  ~Toolkit() { std::filesystem::remove_all(folder_); }
  Toolkit(const Toolkit&) = delete;
  Toolkit& operator=(const Toolkit&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] WholeProgramResult compile(const std::string& text) const {
    WholeProgramRequest request;
    request.files = {"/texts/program.cu"};
    request.texts = {{"/texts/program.cu", text}};
    request.cuda_headers = folder_;
    request.device_only = true;
    return compile_whole_program(request);
  }

 private:
  std::filesystem::path folder_;
};

TEST(WholeProgram, AHeaderOfTheToolkitFindsOursBesideIt) {
  const Toolkit toolkit;
  toolkit.write("library_of_theirs.h", "#include \"cuda_runtime.h\"\n");
  const WholeProgramResult result = toolkit.compile("#include <library_of_theirs.h>\n");
  EXPECT_TRUE(result.diagnostics.empty());
  EXPECT_EQ(result.texts.size(), 1u);
}

TEST(WholeProgram, TheToolkitsLibrariesServeWhatWeLackOfThem) {
  const Toolkit toolkit;
  toolkit.write("cccl/thrust/device_vector.h", "#define WHOSE_VECTOR theirs\n");
  toolkit.write("cccl/cub/cub.cuh", R"(#pragma GCC system_header
namespace cub {
template <int n> __global__ void add(int* p) { *p += n; }
inline void launch(int* p) { add<3><<<1, 1>>>(p); }
})");
  // Both headers are the toolkit's, since ours and theirs do not mix.
  const WholeProgramResult result = toolkit.compile(R"(
#include <thrust/device_vector.h>
#include <cub/cub.cuh>
int WHOSE_VECTOR;
int main() { cub::launch(nullptr); })");
  EXPECT_TRUE(result.diagnostics.empty());
  ASSERT_EQ(result.texts.size(), 1u);
  // A kernel that the text makes of a library's template is one of the text's.
  EXPECT_EQ(result.texts[0].device->kernel_name("_ZN3cub3addILi3EEEvPi"), "cub::add<3>");
}

TEST(WholeProgram, OursAreTakenWhereTheySuffice) {
  const Toolkit toolkit;
  toolkit.write("cccl/cub/cub.cuh", "");
  toolkit.write("cccl/thrust/device_vector.h", "#error theirs\n");
  const WholeProgramResult result = toolkit.compile("#include <thrust/device_vector.h>\n");
  EXPECT_TRUE(result.diagnostics.empty());
}

// ---- what every text begins with, kept ----

class KeptHead : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "kept-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] WholeProgramResult compile(bool keeps) const {
    WholeProgramRequest request;
    request.files = {"/texts/program.cu"};
    request.texts = {{"/texts/program.cu", R"(
#include <cmath>
#include <cstdio>
template <class T> __global__ void scale(T* p, T by) { p[threadIdx.x] = sqrtf(p[threadIdx.x]) * by; }
int main() {
  float* p;
  cudaMalloc(&p, 128);
  scale<<<1, 32>>>(p, 2.f);
  printf("%f\\n", std::sqrt(2.));
})"}};
    if (keeps) request.kept_folder = folder_.string();
    return compile_whole_program(request);
  }
  [[nodiscard]] std::vector<std::filesystem::path> kept(const std::string& extension) const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (entry.path().extension() == extension) found.push_back(entry.path());
    return found;
  }
  std::filesystem::path folder_;
};

void expect_same(const WholeProgramResult& a, const WholeProgramResult& b) {
  ASSERT_EQ(a.texts.size(), 1u);
  ASSERT_EQ(b.texts.size(), 1u);
  EXPECT_TRUE(a.texts[0].host == b.texts[0].host);
  std::vector<Diagnostic> none;
  const std::string symbol = "_Z5scaleIfEvPT_S0_";
  ASSERT_NE(a.texts[0].device, nullptr);
  ASSERT_NE(b.texts[0].device, nullptr);
  const ProgramPtr x = a.texts[0].device->kernel(symbol, {}, none);
  const ProgramPtr y = b.texts[0].device->kernel(symbol, {}, none);
  ASSERT_NE(x, nullptr);
  ASSERT_NE(y, nullptr);
  ASSERT_EQ(x->info().accesses.size(), y->info().accesses.size());
  for (std::size_t i = 0; i < x->info().accesses.size(); ++i) {
    EXPECT_EQ(x->info().accesses[i].text, y->info().accesses[i].text);
    EXPECT_EQ(x->info().accesses[i].pos.line, y->info().accesses[i].pos.line);
  }
}

std::string said_of(const Program& program) {
  std::string said = std::to_string(program.info().ops.size());
  for (const AccessInfo& access : program.info().accesses)
    said += '\n' + std::to_string(access.pos.line) + ": " + access.text;
  return said;
}

TEST_F(KeptHead, ChangesNothing) {
  const WholeProgramResult plain = compile(false), making = compile(true);
  EXPECT_EQ(kept(".pch").size(), 2u);  // host and device
  const WholeProgramResult using_it = compile(true);
  EXPECT_EQ(kept(".pch").size(), 2u);
  expect_same(plain, making);
  expect_same(plain, using_it);
}

TEST_F(KeptHead, KernelsFromATreeHaveOneToo) {
  const std::string file = (folder_ / "kernel.cu").string();
  CompileRequest request;
  request.file = file;
  request.text = R"(
#include <forward_list>
__global__ void scale(float* p, float by) { p[threadIdx.x] *= by; }
bool is_none(const std::forward_list<int>& of) { return of.empty(); })";
  std::ofstream(file) << request.text;
  const CompileResult plain = lanescope::compile(request);
  ASSERT_NE(plain.program, nullptr);
  request.kept_folder = folder_.string();
  const CompileResult making = lanescope::compile(request);
  EXPECT_EQ(kept(".pch").size(), 1u);
  const CompileResult using_it = lanescope::compile(request);
  request.include_folders = {folder_.string()};  // which may have a <forward_list> of its own
  for (const auto& tree : kept(".pch")) std::ofstream(tree) << "no tree";
  const CompileResult beside_it = lanescope::compile(request);
  for (const CompileResult* each : {&making, &using_it, &beside_it}) {
    ASSERT_NE(each->program, nullptr);
    EXPECT_EQ(said_of(*each->program), said_of(*plain.program));
  }
}

TEST_F(KeptHead, IsMadeAnewWhereAHeaderLooksOtherwise) {
  ASSERT_EQ(compile(true).texts.size(), 1u);
  for (const auto& list : kept(".files")) std::ofstream(list) << "1 1 /usr/include/stdio.h\n";
  for (const auto& tree : kept(".pch")) std::ofstream(tree) << "no tree";
  expect_same(compile(false), compile(true));
  for (const auto& tree : kept(".pch")) EXPECT_GT(std::filesystem::file_size(tree), 100u);
}

TEST_F(KeptHead, WhereNothingCanBeWrittenAllIsAsWithout) {
  std::filesystem::permissions(folder_, std::filesystem::perms::none);
  const auto before = folder_;
  folder_ = "/proc/nowhere";
  expect_same(compile(false), compile(true));
  folder_ = before;
  std::filesystem::permissions(folder_, std::filesystem::perms::all);
}

}  // namespace
}  // namespace lanescope
