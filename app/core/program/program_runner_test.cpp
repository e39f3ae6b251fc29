// A session and the programs that it runs, over a fake that runs none.
#include "core/program/program_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files/files.h"
#include "core/files/session_file.h"
#include "core/program/program_testing.h"
#include "core/run/captured_launch.h"
#include "core/run/counters.h"
#include "core/session/session.h"

namespace lanescope::app {
namespace {

using namespace testing_programs;
using ::testing::HasSubstr;

class ProgramRunnerTest : public testing::Test {
 protected:
  ProgramRunnerTest() { session.apply(program_settings()); }

  void run() {
    session.apply(Action(ProgramAction(RunProgram{})));
    session.wait(true);
  }
  void show(std::uint64_t number) {
    session.apply(Action(ProgramAction(ShowLaunch{number})));
    session.wait(true);
  }
  void edit(const std::string& from, const std::string& to) {
    std::string text = session.settings().text;
    text.replace(text.find(from), from.size(), to);
    session.apply(Action(SetText{text}));
  }
  template <class So>
  void until(So so) {
    for (int i = 0; i < 20000 && !so(); ++i) {
      session.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(so());
  }
  [[nodiscard]] const ProgramStatus& program() const { return session.program(); }
  [[nodiscard]] std::uint64_t conflicts() const {
    const PicturePtr picture = session.picture();
    return shared_of(totals_of(picture->kernel(), picture->inspected)).conflicts;
  }

  std::shared_ptr<FakePrograms> fake = std::make_shared<FakePrograms>();
  Session session{Catalog{}, {}, nullptr, fake};
};

TEST_F(ProgramRunnerTest, OnlyWhatHasAMainIsAProgram) {
  EXPECT_EQ(program().file, "/nowhere/prog.cu");
  EXPECT_EQ(program().run, nullptr);
  Settings other = program_settings("__global__ void k() {}");
  other.file = "/nowhere/kernel.cu";
  session.apply(other);
  EXPECT_EQ(program().file, "");
  EXPECT_FALSE(session.apply(Action(ProgramAction(RunProgram{}))));
  EXPECT_FALSE(session.apply(Action(ProgramAction(ShowLaunch{0}))));
  EXPECT_EQ(fake->runs, 0);
}

TEST_F(ProgramRunnerTest, ARunShowsItsLaunchesItsOutputAndItsEnd) {
  session.apply(Action(ProgramAction(SetProgramInput{{"7 'a b'", "-D N=1", "typed"}})));
  run();
  ASSERT_NE(program().run, nullptr);
  EXPECT_FALSE(program().running);
  EXPECT_FALSE(program().run->running);
  ASSERT_EQ(program().run->launches.size(), 3u);
  EXPECT_EQ(program().run->launches[1]->kernel, "fill");
  EXPECT_EQ(program().run->output, "hello\ndone\n");
  EXPECT_EQ(program().run->result.remarks.size(), 1u);
  EXPECT_EQ(fake->asked().arguments, (std::vector<std::string>{"7", "a b"}));
  EXPECT_EQ(fake->asked().compile.macros.size(), 1u);
  EXPECT_EQ(fake->asked().compile.texts.at("/nowhere/prog.cu"), kProgram);
  EXPECT_EQ(fake->input(), "typed");
}

TEST_F(ProgramRunnerTest, WhatTheFieldsGetWrongIsToldAndNothingRuns) {
  session.apply(Action(ProgramAction(SetProgramInput{{"", "-O3", ""}})));
  run();
  EXPECT_THAT(program().problem.english(), HasSubstr("-O3"));
  EXPECT_EQ(fake->runs, 0);
}

TEST_F(ProgramRunnerTest, WhileItRunsItsStateIsSeenAndItCanBeStopped) {
  fake->hold = true;
  session.apply(Action(ProgramAction(RunProgram{})));
  EXPECT_TRUE(program().running);
  until([&] { return program().run != nullptr; });
  EXPECT_TRUE(program().run->running);
  EXPECT_THAT(program().run->output, HasSubstr("hello"));
  session.apply(Action(ProgramAction(StopProgram{})));
  session.wait(true);
  EXPECT_FALSE(program().running);
  EXPECT_EQ(program().run->result.end.crash, kStopped);
  EXPECT_EQ(program().run->launches.size(), 3u);
}

TEST_F(ProgramRunnerTest, AShownLaunchIsThePictureAndUndoLeadsBack) {
  run();
  show(1);
  ASSERT_NE(session.picture(), nullptr);
  ASSERT_NE(session.settings().captured, nullptr);
  EXPECT_EQ(session.settings().name, "prog.cu #1 fill");
  EXPECT_EQ(session.settings().text, kProgram);
  EXPECT_EQ(conflicts(), 62u);
  show(0);
  EXPECT_EQ(conflicts(), 0u);
  EXPECT_EQ(fake->runs, 1);
  session.apply(Action(Undo{}));
  session.wait(true);
  EXPECT_EQ(session.settings().captured->number, 1u);
  EXPECT_EQ(conflicts(), 62u);
  session.apply(Action(Undo{}));
  EXPECT_EQ(session.settings().captured->number, 0u) << "which was shown unasked";
  session.apply(Action(Undo{}));
  EXPECT_EQ(session.settings().captured, nullptr);
  EXPECT_NE(program().run, nullptr) << "its run is still there to be seen";
}

TEST_F(ProgramRunnerTest, AnEditRunsItAgainAndKeepsTheLaunchInSight) {
  run();
  show(1);
  fake->hold = true;
  edit("threadIdx.x * by] = threadIdx.x", "threadIdx.x * by / 2] = threadIdx.x");
  // The kernel's own picture does not wait for the host.
  until([&] { return conflicts() < 62; });
  EXPECT_EQ(fake->captures, 2) << "the first, which was shown unasked, and this one";
  fake->hold = false;
  session.wait(true);
  EXPECT_EQ(fake->runs, 2) << "once typing had paused";
  EXPECT_EQ(fake->asked().compile.texts.at("/nowhere/prog.cu"), session.settings().text);
  EXPECT_EQ(fake->captures, 3);
  EXPECT_EQ(session.settings().captured->number, 1u);
  session.apply(Action(Undo{}));
  session.wait(true);
  EXPECT_EQ(fake->asked().compile.texts.at("/nowhere/prog.cu"), kProgram);
}

TEST_F(ProgramRunnerTest, AKernelThatIsGoneIsToldUntilTheProgramHasRun) {
  run();
  show(2);
  edit("__global__ void twice(float* out, int by) { out",
       "__global__ void thrice(float* out, int by) { out");
  until([&] { return session.status().stale; });
  ASSERT_FALSE(session.diagnostics().empty());
  EXPECT_THAT(session.diagnostics().front().message.english(), HasSubstr("twice"));
}

TEST_F(ProgramRunnerTest, WhatDoesNotCompileKeepsTheRunBeforeInSight) {
  run();
  fake->fails_to_compile = true;
  edit("int main() {", "int main() { x");
  session.wait(true);
  EXPECT_TRUE(program().run->older);
  EXPECT_EQ(program().run->launches.size(), 3u);
  ASSERT_EQ(program().run->result.diagnostics.size(), 1u);
  EXPECT_FALSE(program().run->result.started);
}

TEST_F(ProgramRunnerTest, AnotherFileIsNotThisProgramAndComingBackFindsIt) {
  session.apply(Action(ProgramAction(SetProgramInput{{"5", "", ""}})));
  run();
  Settings other = program_settings("int main() {}");
  other.name = other.file = "/nowhere/other.cu";
  session.apply(other);
  EXPECT_EQ(program().file, "/nowhere/other.cu");
  EXPECT_EQ(program().run, nullptr);
  EXPECT_EQ(program().input.arguments, "");
  session.apply(program_settings());
  EXPECT_NE(program().run, nullptr);
  EXPECT_EQ(program().input.arguments, "5");
}

TEST_F(ProgramRunnerTest, AFileThatCannotRunIsNotShownUnderTheLastOnesPicture) {
  run();
  show(1);
  ASSERT_NE(session.picture(), nullptr);
  Settings other = program_settings("__global__ void a(int*) {} int main() {}");
  other.name = other.file = "/nowhere/other.cu";
  session.apply(other);
  session.wait(true);
  EXPECT_EQ(session.picture(), nullptr);
  EXPECT_FALSE(session.status().stale);
}

TEST_F(ProgramRunnerTest, ASessionFileBringsTheLaunchBack) {
  session.apply(Action(ProgramAction(SetProgramInput{{"5", "-D N=1", "in"}})));
  run();
  show(1);
  Settings shown = session.settings();
  shown.columns = {{"out", 8}};
  session.apply(Action(UseSettings{shown}));
  session.wait(true);
  session.apply(Action(SelectLane{3}));
  Files files(session, {{}, ""});
  const SessionFileResult read = parse_session("a.lanescope", session_text(files.as_session()));
  ASSERT_TRUE(read.session && read.session->program);
  EXPECT_EQ(read.session->settings.captured, nullptr);
  Session opened{Catalog{}, {}, nullptr, fake};
  restore_session(opened, *read.session);
  opened.wait(true);
  ASSERT_NE(opened.settings().captured, nullptr);
  EXPECT_EQ(opened.settings().captured->number, 1u);
  EXPECT_EQ(opened.selection().lane, 3);
  EXPECT_EQ(opened.settings().columns, shown.columns);
  ASSERT_NE(opened.picture(), nullptr);
  EXPECT_EQ(opened.picture()->prepared->buffers.front().dims, (std::vector<std::uint64_t>{4, 8}));
  EXPECT_EQ(opened.program().input, session.program().input);
  EXPECT_EQ(fake->input(), "in");
}

TEST_F(ProgramRunnerTest, LongOutputKeepsItsEnd) {
  struct Talker : FakePrograms {
    ProgramResult run(const ProgramRequest&, const ProgramEvents& events) override {
      const std::string line(1000, 'x');
      for (int i = 0; i < 5000; ++i) events.wrote(line + std::to_string(i) + "\n");
      ProgramResult result;
      result.started = true;
      return result;
    }
  };
  Session talking{Catalog{}, {}, nullptr, std::make_shared<Talker>()};
  talking.apply(program_settings());
  talking.apply(Action(ProgramAction(RunProgram{})));
  talking.wait(true);
  const ProgramRun& run = *talking.program().run;
  EXPECT_TRUE(run.output_cut);
  EXPECT_LE(run.output.size(), 1u << 20);
  EXPECT_TRUE(run.output.ends_with("4999\n"));
  EXPECT_TRUE(run.output.starts_with("x"));
}

}  // namespace
}  // namespace lanescope::app
