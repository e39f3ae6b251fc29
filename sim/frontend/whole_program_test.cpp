// Texts with the system's headers: what host and device share.
#include <gtest/gtest.h>

#include <algorithm>

#include "lanescope/whole_program.h"

namespace lanescope {
namespace {

WholeProgramResult device_side(const std::string& text) {
  WholeProgramRequest request;
  request.files = {"/lanescope/program.cu"};
  request.texts = {{"/lanescope/program.cu", text}};
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

}  // namespace
}  // namespace lanescope
