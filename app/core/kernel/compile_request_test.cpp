#include "core/kernel/compile_request.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace lanescope::app {
namespace {

CompileRequest request_of(const std::string& statement) {
  CompileRequest request;
  request.text = "__global__ void k(int* out) { " + statement + " }";
  return request;
}

TEST(CompileOnce, EqualRequestsShareOneProgram) {
  CompileRequest request = request_of("out[threadIdx.x] = STEP;");
  request.macros = {{"STEP", "1"}};
  const CompiledText first = compile_once(request);
  ASSERT_TRUE(first.result.program);
  const CompiledText again = compile_once(request);
  EXPECT_EQ(again.result.program, first.result.program);
  EXPECT_EQ(again.milliseconds, first.milliseconds);
  EXPECT_EQ(again.result.kernels.size(), 1u);

  request.macros = {{"STEP", "2"}};
  EXPECT_NE(compile_once(request).result.program, first.result.program);
  request.macros.clear();
  EXPECT_FALSE(compile_once(request).result.program);
  request.macros = {{"STEP", "1"}};
  request.expressions = {{"n", "STEP + 1"}};
  EXPECT_EQ(compile_once(request).result.values["n"], 2);
}

TEST(CompileOnce, PartsThatMeetAreNotTaken) {
  CompileRequest one = request_of("out[threadIdx.x] = A;"), other = one;
  one.macros = {{"A", "1"}, {"B", "2"}};
  other.macros = {{"A", "1"}};
  other.include_folders = {"B", "2"};
  EXPECT_NE(compile_once(one).result.program, compile_once(other).result.program);
}

TEST(CompileOnce, WhoAsksMeanwhileWaits) {
  const CompileRequest request = request_of("out[threadIdx.x] = threadIdx.x * 3;");
  std::vector<ProgramPtr> programs(4);
  {
    std::vector<std::jthread> threads;
    for (ProgramPtr& program : programs)
      threads.emplace_back([&] { program = compile_once(request).result.program; });
  }
  ASSERT_TRUE(programs.front());
  for (const ProgramPtr& program : programs) EXPECT_EQ(program, programs.front());
}

TEST(CompileOnce, AStoppedCompilationIsNotKept) {
  std::string many;
  for (int i = 0; i < 2000; ++i)
    many += "__device__ int f" + std::to_string(i) + "(int x) { return x + 1; }\n";
  CompileRequest request = request_of("out[threadIdx.x] = f0(f1999(threadIdx.x));");
  request.text.insert(0, many);
  std::stop_source source;
  source.request_stop();
  request.stop = source.get_token();
  EXPECT_FALSE(compile_once(request).result.program);
  request.stop = {};
  EXPECT_TRUE(compile_once(request).result.program);
}

TEST(CompileOnce, AHeaderOfTheDiskIsReadEachTime) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "lanescope_compile_once";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
  };
  CompileRequest request;
  request.file = (folder / "k.cu").string();
  request.text = "#include \"step.h\"\n__global__ void k(int* out) { out[threadIdx.x] = STEP; }";
  request.expressions = {{"step", "STEP"}};
  write("k.cu", request.text);
  write("step.h", "#define STEP 1\n");
  EXPECT_EQ(compile_once(request).result.values["step"], 1);
  write("step.h", "#define STEP 2\n");
  EXPECT_EQ(compile_once(request).result.values["step"], 2);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lanescope::app
