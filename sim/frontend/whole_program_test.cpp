// Texts with the system's headers: what host and device share.
#include <gtest/gtest.h>

#include <algorithm>
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

}  // namespace
}  // namespace lanescope
