// The Program view in a window: fields, Run and Stop, bars, rows, output; over programs that are not run.
#include "views/program/program_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/program/program_testing.h"
#include "core/run/counters.h"
#include "platform/gui_test.h"
#include "views/draw/kernel_names.h"
#include "views/frame/frame.h"
#include "views/source/source_view.h"

namespace lanescope::app {
namespace {

using namespace testing_programs;
using ::testing::HasSubstr;

class ProgramViewTest : public testing::Test {
 protected:
  void open(const std::string& only = "program", const Settings& settings = program_settings()) {
    gui = std::make_unique<GuiTest>(SurfaceOptions{.width = 1280, .height = 800});
    if (!gui->error().empty()) GTEST_SKIP() << gui->error();
    workspace = std::make_unique<Workspace>();
    workspace->only = only;
    session = std::make_unique<Session>(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"),
                                        std::function<void()>{}, nullptr, fake);
    session->apply(settings);
    frame = std::make_unique<Frame>(Frame{*session, *workspace, gui->fonts()});
    gui->on_draw([this] { frame->draw(); });
    settle();
  }
  void settle() {
    gui->frames(6);
    session->wait(true);
    gui->frames(6);
  }
  template <class So>
  void until(So so) {
    for (int i = 0; i < 20000 && !so(); ++i) {
      gui->frames(1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(so());
  }
  void click(const std::string& id) {
    gui->run([&](ImGuiTestContext& test) { test.ItemClick(("//###only/**/" + id).c_str()); });
  }
  /// Ends with Enter, which runs the program: until that is over, the button says Stop.
  void type(const std::string& field, const std::string& text) {
    gui->run([&](ImGuiTestContext& test) {
      test.ItemInputValue(("//###only/" + field).c_str(), text.c_str());
    });
    settle();
  }
  void run_it() {
    click("###run");
    gui->frames(2);
    settle();
  }
  [[nodiscard]] std::uint64_t conflicts() const {
    const PicturePtr picture = session->picture();
    return shared_of(totals_of(picture->kernel(), picture->inspected)).conflicts;
  }
  void TearDown() override {
    if (gui) gui->on_draw({});
    workspace.reset();
  }

  std::shared_ptr<FakePrograms> fake = std::make_shared<FakePrograms>();
  std::unique_ptr<GuiTest> gui;
  std::unique_ptr<Session> session;
  std::unique_ptr<Workspace> workspace;
  std::unique_ptr<Frame> frame;
};

TEST_F(ProgramViewTest, RunGivesTheFieldsToTheProgramAndShowsItsFirstLaunch) {
  open();
  EXPECT_EQ(session->picture(), nullptr) << "nothing is guessed";
  EXPECT_TRUE(session->diagnostics().empty());
  type("##arguments", "12 3");
  type("##flags", "-D N=4");
  run_it();
  EXPECT_EQ(fake->asked().arguments, (std::vector<std::string>{"12", "3"}));
  EXPECT_EQ(fake->asked().compile.macros.at(0).value, "4");
  EXPECT_EQ(run_text(session->program()), "ended well, 3 launches");
  ASSERT_NE(session->settings().captured, nullptr);
  EXPECT_EQ(session->settings().captured->number, 0u);
  EXPECT_EQ(conflicts(), 0u);
}

TEST_F(ProgramViewTest, EnterInAFieldRunsTheProgram) {
  open();
  gui->run([](ImGuiTestContext& test) {
    test.ItemClick("//###only/##arguments");
    test.KeyCharsReplaceEnter("7");
  });
  gui->frames(3);
  settle();
  EXPECT_EQ(fake->runs, 1);
  EXPECT_EQ(fake->asked().arguments, (std::vector<std::string>{"7"}));
}

TEST_F(ProgramViewTest, TheStandardInputIsAField) {
  open();
  click("###standard input");
  gui->run([](ImGuiTestContext& test) {
    test.ItemClick("//###only/##input");
    test.KeyCharsReplace("a b");
  });
  gui->frames(2);
  run_it();
  EXPECT_EQ(fake->input(), "a b");
}

TEST_F(ProgramViewTest, ARowOrABarShowsItsLaunch) {
  open();
  run_it();
  click("###launch 1");
  settle();
  EXPECT_EQ(session->settings().captured->number, 1u);
  EXPECT_EQ(conflicts(), 62u);
  // The bar of the last launch is at the end of the lane below.
  gui->run([](ImGuiTestContext& test) {
    const ImRect lanes = test.ItemInfo("//###only/**/launches").RectFull;
    test.MouseMoveToPos(
        {lanes.Max.x - lanes.GetWidth() * 0.1f, lanes.Max.y - lanes.GetHeight() * 0.25f});
    test.MouseClick();
  });
  settle();
  EXPECT_EQ(session->settings().captured->number, 2u);
  EXPECT_EQ(session->picture()->kernel().name, "twice");
}

TEST_F(ProgramViewTest, CallsAndCopiesHaveTheirBars) {
  open();
  run_it();
  const auto& state = state_of<ProgramState>(*workspace);
  EXPECT_EQ(state.streams, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(state.first_ms, 0);
  EXPECT_EQ(state.last_ms, 30);
  const auto point_at = [&](double ms, float row) {
    gui->run([&](ImGuiTestContext& test) {
      const ImRect lanes = test.ItemInfo("//###only/**/launches").RectFull;
      const double share = ms / (30 * 1.01);
      test.MouseMoveToPos({lanes.Min.x + lanes.GetWidth() * static_cast<float>(share),
                           lanes.Min.y + lanes.GetHeight() * (row + 0.5f) / 3});
      test.Yield(2);
    });
  };
  point_at(29.2, 0);
  EXPECT_EQ(state.pointed_at, "cudaMemcpy");
  point_at(29.2, 1);
  EXPECT_EQ(state.pointed_at, "cudaMemcpy") << "the copy is in its stream, too";
  point_at(18.5, 0);
  EXPECT_EQ(state.pointed_at, "cudaMalloc");
  point_at(18.5, 2);
  EXPECT_EQ(state.pointed_at, "") << "an allocation is the host's alone";
  point_at(24, 2);
  EXPECT_EQ(state.pointed_at, "twice");
}

TEST_F(ProgramViewTest, TheWheelZoomsAndADoubleClickShowsAll) {
  open();
  run_it();
  auto& state = state_of<ProgramState>(*workspace);
  EXPECT_EQ(state.span_ms, 0);
  gui->run([&](ImGuiTestContext& test) {
    test.MouseMove("//###only/**/launches");
    test.MouseWheelY(4);
    test.Yield(2);
    const double span = state.span_ms, begin = state.begin_ms;
    IM_CHECK_SILENT(span > 0 && span < 20);
    test.MouseDragWithDelta({-60, 0});
    IM_CHECK_SILENT(state.span_ms == span && state.begin_ms > begin);
    test.MouseDoubleClick();
    IM_CHECK_SILENT(state.span_ms == 0);
  });
}

TEST_F(ProgramViewTest, WhatRunsCanBeStopped) {
  open();
  fake->hold = true;
  click("###run");
  until([&] { return session->program().run && session->program().run->launches.size() >= 1; });
  until([&] { return session->program().run->progress.has_value(); });
  EXPECT_EQ(run_text(session->program()), "launch 3, slow: 12 of 96 blocks");
  // Its bar stands behind all others, as long as it has run so far.
  gui->frames(3);
  const auto& state = state_of<ProgramState>(*workspace);
  EXPECT_EQ(state.last_ms, 1040);
  gui->run([&](ImGuiTestContext& test) {
    const ImRect lanes = test.ItemInfo("//###only/**/launches").RectFull;
    const float row = (static_cast<float>(state.running_stream) + 1.5f) /
                      static_cast<float>(state.streams.size() + 1);
    test.MouseMoveToPos(
        {lanes.Max.x - lanes.GetWidth() * 0.5f, lanes.Min.y + lanes.GetHeight() * row});
    test.Yield(2);
  });
  EXPECT_EQ(state.pointed_at, "void slow<float>");
  click("###run");
  until([&] { return !session->program().running; });
  EXPECT_EQ(run_text(session->program()),
            "stopped after 3 launches, in: launch 3, slow: 12 of 96 blocks");
}

TEST_F(ProgramViewTest, ACrashIsToldAndAClickGoesToItsLine) {
  open("");
  fake->crashes = true;
  gui->run([](ImGuiTestContext& test) {
    test.KeyPress(ImGuiKey_F5);
    test.Yield(3);
  });
  settle();
  EXPECT_EQ(run_text(session->program()), "ended by a crash after 3 launches");
  EXPECT_EQ(session->program().run->result.end.at.line, 12u);
}

TEST_F(ProgramViewTest, AnOpenedProgramBringsItsViewToTheFront) {
  open("");
  gui->frames(10);
  gui->run([](ImGuiTestContext& test) {
    const ImGuiWindow* program = test.GetWindowByRef("//###program");
    IM_CHECK_SILENT(program != nullptr && program->DockTabIsVisible);
  });
}

TEST_F(ProgramViewTest, AKernelWithoutAMainHasNothingToRun) {
  open("program",
       *open_kernel(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"), "copy/01_copy").settings);
  gui->run([](ImGuiTestContext& test) { IM_CHECK_SILENT(!test.ItemExists("//###only/###run")); });
  EXPECT_NE(session->picture(), nullptr);
}

TEST(ProgramWords, NamesAreShort) {
  EXPECT_EQ(short_name("void reduce<float, 256>"), "reduce");
  EXPECT_EQ(short_name("ns::reduce<a::b>(int)"), "reduce");
  EXPECT_EQ(short_name("twice"), "twice");
  EXPECT_EQ(readable_name("ns::reduce<float, 256>"), "ns::reduce<float, 256>");
  EXPECT_EQ(readable_name("fill<" + std::string(80, 'T') + ">"), "fill<...>");
  EXPECT_EQ(shape_text({8, 1, 1}), "8");
  EXPECT_EQ(shape_text({8, 1, 2}), "8×1×2");
}

}  // namespace
}  // namespace lanescope::app
