// With a compiler and a profiler of this test's own: neither a toolkit nor a GPU is needed.
#include "gpu/program/native_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/tasks/scratch.h"

namespace lanescope::gpu {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kCompiles = R"sh(out=
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
echo program > "$out")sh";
constexpr const char* kProfiles = R"sh(log=
while [ $# -gt 0 ]; do [ "$1" = --log-file ] && log=$2; shift; done
cat > "$log" <<'PAGE'
==PROF== Connected to process 7
"ID","Kernel Name","Block Size","Grid Size","gpu__time_duration.sum","memory_l1_wavefronts_shared"
"","","","","ns",""
"0","k(float *)","(32, 1, 1)","(4, 1, 1)","2,500","32,768"
PAGE)sh";

class NativeProgram : public ::testing::Test {
 protected:
  void tool(const char* name, const std::string& text) {
    const fs::path path = fs::path(toolkit_.path()) / "bin" / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n" << text << '\n';
    fs::permissions(path, fs::perms::owner_all);
  }
  [[nodiscard]] NativeRun run() const {
    app::LaunchRecord launch;
    launch.kernel = "k", launch.grid = {4, 1, 1}, launch.block = {32, 1, 1};
    launch.warp_instructions = 1;
    app::ProgramRequest request;
    request.compile.files = {"program.cu"};
    return run_natively(request, toolkit_.path(), {launch});
  }

 private:
  app::Scratch toolkit_;
};

TEST_F(NativeProgram, TimesAndCountersOfItsLaunches) {
  tool("nvcc", kCompiles);
  tool("ncu", kProfiles);
  const NativeRun result = run();
  ASSERT_FALSE(result.problem) << result.problem->message.english();
  ASSERT_EQ(result.launches.size(), 1u);
  ASSERT_TRUE(result.launches[0]);
  EXPECT_DOUBLE_EQ(result.launches[0]->microseconds, 2.5);
  EXPECT_EQ(result.launches[0]->counters.get("memory_l1_wavefronts_shared"), 32768u);
}

TEST_F(NativeProgram, WhatTheCompilerSaysIsSaid) {
  tool("nvcc", "echo 'program.cu(3): error: no such thing' >&2; exit 2");
  tool("ncu", kProfiles);
  const NativeRun result = run();
  ASSERT_TRUE(result.problem);
  EXPECT_THAT(result.problem->message.english(), HasSubstr("program.cu(3): error: no such thing"));
}

TEST_F(NativeProgram, AProfilerThatSeesNothing) {
  tool("nvcc", kCompiles);
  tool("ncu", "exit 0");
  EXPECT_TRUE(run().problem);
}

}  // namespace
}  // namespace lanescope::gpu
