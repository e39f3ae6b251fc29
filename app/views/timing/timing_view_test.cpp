// The Timing view in a window: what it says of its numbers' origin, what a click does, measuring.
#include "views/timing/timing_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "core/kernel/kernel_size.h"
#include "platform/gui_test.h"
#include "views/frame/frame.h"
#include "views/timing/timing_row.h"

namespace lanescope::app {
namespace {

using ::testing::HasSubstr;

// Measures at once, or not before it is told to go on.
class FakeGpu : public GpuService {
 public:
  GpuStatus status() override {
    GpuStatus status;
    if (there) status.device = GpuDevice{.name = "Fake GPU", .driver = "1.0"};
    if (!there) status.problem = Message::verbatim("no NVIDIA driver");
    return status;
  }
  Measurement measure(const ReadyLaunch& ready, const MeasureOptions&,
                      const MeasureCallback& progress, std::stop_token stop) override {
    ++measured;
    Measurement m;
    m.kernel = ready.prepared->settings.name, m.function = ready.prepared->program->info().name;
    m.parameters = ready.prepared->parameters, m.grid = ready.prepared->launch.grid,
    m.block = ready.prepared->launch.block;
    for (const Argument& a : ready.prepared->launch.arguments)
      if (a.buffer.empty()) m.arguments[a.name] = a.scalar;
    progress({Message::verbatim("timing"), 0.5});
    while (hold && !stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (stop.stop_requested()) {
      m.diagnostics.push_back({Severity::error, DiagnosticKind::cancelled});
      return m;
    }
    m.bytes = 8'000'000;
    m.time = spread_of({2}, 1), m.copy = spread_of({1}, 1);
    m.check = {true, true, {}};
    return m;
  }
  std::vector<Measurement> count(const std::vector<const ReadyLaunch*>&, const MeasureCallback&,
                                 std::stop_token) override {
    return {};
  }
  std::atomic<bool> there{true}, hold{false};
  std::atomic<int> measured{0};
};

class TimingViewTest : public testing::Test {
 protected:
  void open(const std::string& kernel, int width = 1280, int height = 800, float zoom = 1) {
    gui = std::make_unique<GuiTest>(SurfaceOptions{.width = width, .height = height});
    if (!gui->error().empty()) GTEST_SKIP() << gui->error();
    workspace = std::make_unique<Workspace>();
    session = std::make_unique<Session>(load_catalog(LANESCOPE_SOURCE_DIR "/kernels"),
                                        std::function<void()>{}, gpu);
    session->apply(*open_kernel(session->catalog(), kernel).settings);
    session->wait(true);
    workspace->only = "timing";
    workspace->zoom = zoom;
    frame = std::make_unique<Frame>(Frame{*session, *workspace, gui->fonts()});
    gui->on_draw([this] { frame->draw(); });
    settle();
    ASSERT_TRUE(session->timing());
  }
  void settle() {
    gui->frames(6);
    session->wait(true);
    gui->frames(6);
  }
  // Draws until it is so.
  template <class So>
  void until(So so) {
    for (int i = 0; i < 2000 && !so(); ++i) {
      gui->frames(1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(so());
  }
  void click(const std::string& id) {
    gui->run([&](ImGuiTestContext& test) { test.ItemClick(("//###only/**/###" + id).c_str()); });
  }
  [[nodiscard]] const TimingTable& table() const { return *session->timing()->table; }
  [[nodiscard]] std::size_t row_of(const std::string& kernel) const {
    for (std::size_t i = 0; i < table().rows.size(); ++i)
      if (table().rows[i].measurement.kernel == kernel) return i;
    ADD_FAILURE() << "no row of " << kernel;
    return 0;
  }
  void TearDown() override {
    if (gui) gui->on_draw({});
    workspace.reset();
  }

  std::shared_ptr<FakeGpu> gpu = std::make_shared<FakeGpu>();
  std::unique_ptr<GuiTest> gui;
  std::unique_ptr<Session> session;
  std::unique_ptr<Workspace> workspace;
  std::unique_ptr<Frame> frame;
};

TEST_F(TimingViewTest, WithoutAGpuItSaysThatItIsRecordedAndMeasuresNothing) {
  gpu->there = false;
  open("transpose/03_shared_tile");
  EXPECT_THAT(timing_source(*session->timing()), HasSubstr("Recorded on NVIDIA H200, driver"));
  gui->run([](ImGuiTestContext& test) {
    for (const char* id : {"measure this", "measure all", "cancel"}) {
      const ImGuiTestItemInfo item = test.ItemInfo((std::string("//###only/###") + id).c_str());
      IM_CHECK_SILENT((item.ItemFlags & ImGuiItemFlags_Disabled) != 0);
    }
  });
  EXPECT_EQ(gpu->measured, 0);
}

TEST_F(TimingViewTest, NamesTakeTwoLinesAtMostBesideALesson) {
  gpu->there = false;
  open("transpose/15_tile64", 880, 1600, 1.35f);
  if (IsSkipped()) return;
  float line = 0, tallest = 0;
  gui->run([&](ImGuiTestContext& test) {
    line = ImGui::GetFontSize();
    for (std::size_t row = 0; row < table().rows.size(); ++row)
      tallest =
          std::max(tallest, test.ItemInfo(("//###only/**/###row " + std::to_string(row)).c_str())
                                .RectFull.GetHeight());
  });
  EXPECT_GT(tallest, 1.5f * line) << "there are long names";
  EXPECT_LT(tallest, 2.9f * line);
}

TEST_F(TimingViewTest, AClickOpensTheKernelWithThatSetting) {
  gpu->there = false;
  open("transpose/03_shared_tile");
  const std::size_t row = row_of("transpose/05_remapped");
  click("row " + std::to_string(row));
  settle();
  EXPECT_EQ(session->settings().name, "transpose/05_remapped");
  EXPECT_EQ(session->settings().arguments.at("nx"), "4096");
  state_of<TimingState>(*workspace).query.which = TimingQuery::Which::kernel;
  settle();
  ASSERT_GE(table().rows.size(), 60u) << "the recorded grid of blocks and paddings";
  std::size_t padded = 0;
  while (table().rows[padded].settings.parameters.at("PAD") != "4") ++padded;
  const Settings wanted = table().rows[padded].settings;
  EXPECT_THAT(table().rows[padded].changes, HasSubstr("PAD=4"));
  click("row " + std::to_string(padded));
  settle();
  EXPECT_EQ(session->settings().parameters, wanted.parameters);
}

TEST_F(TimingViewTest, AnotherFamilyIsFollowed) {
  gpu->there = false;
  open("gemm/01_block_tiled");
  EXPECT_EQ(table().query.family, "gemm");
  const TimingScale scale = timing_scale(table().rows);
  EXPECT_TRUE(scale.products);
  EXPECT_FALSE(scale.shares);
  session->apply(Action(SelectKernel{"copy/01_copy"}));
  settle();
  EXPECT_EQ(table().query.family, "transpose");
  EXPECT_TRUE(timing_scale(table().rows).shares);
}

TEST_F(TimingViewTest, MeasuredLiveBesideTheRecorded) {
  open("transpose/03_shared_tile");
  EXPECT_THAT(timing_source(*session->timing()), HasSubstr("Live on Fake GPU"));
  EXPECT_FALSE(table().rows[row_of("transpose/03_shared_tile")].live());
  click("measure this");
  until([&] { return session->timing()->done == 1; });
  settle();
  // At the size that it is open with.
  EXPECT_EQ(table().query.size, size_of({{"nx", "1024"}, {"ny", "1024"}}));
  const TimingRow& row = table().rows[row_of("transpose/03_shared_tile")];
  ASSERT_TRUE(row.live());
  EXPECT_DOUBLE_EQ(row.measurement.share_of_copy(), 0.5);
  ASSERT_TRUE(row.predicted && row.predicted->known());
  EXPECT_EQ(row.predicted->conflicts(), 1024u * 32 * 31);
  // The load waits 32-fold, the store not at all: the table's factor is neither.
  EXPECT_DOUBLE_EQ(row.predicted->worst_shared.ratio, 32);
  const std::string& text = session->settings().text;
  const auto load = text.begin() + static_cast<std::ptrdiff_t>(text.rfind("tile[threadIdx.x]"));
  EXPECT_EQ(row.predicted->worst_shared.line, 1 + std::count(text.begin(), load, '\n'));
  EXPECT_EQ(2 * row.predicted->wavefronts(), 33 * row.predicted->ideal_wavefronts());
  EXPECT_EQ(row.predicted->worst_global.line, 0u) << "no access is worse than its ideal";
  EXPECT_FALSE(row.counters.empty()) << "counters recorded of the same launch";
}

TEST_F(TimingViewTest, MeasuringAllShowsProgressAndCanBeCancelled) {
  open("transpose/03_shared_tile");
  gpu->hold = true;
  click("measure all");
  until([&] { return gpu->measured == 1 && session->timing()->measuring; });
  EXPECT_GE(session->timing()->all, 19u);
  until([&] { return session->timing()->progress.stage.english() == "timing"; });
  click("cancel");
  until([&] { return !session->timing()->measuring; });
  EXPECT_EQ(gpu->measured, 1);
}

TEST_F(TimingViewTest, ItsTableIsSavedThroughTheExportDialog) {
  gpu->there = false;
  open("transpose/03_shared_tile");
  const std::string folder = testing::TempDir() + "lanescope_timing_view";
  Files files(*session, Files::Places{{folder, folder}, ""});
  frame->files = &files;
  workspace->only.clear();
  gui->frames(12);
  gui->run([](ImGuiTestContext& test) {
    test.WindowFocus("//###timing");
    test.Yield(4);
    test.ItemClick("//###timing/###csv");
  });
  gui->frames(2);
  EXPECT_EQ(workspace->files.dialog, FileDialog::export_view);
  EXPECT_EQ(workspace->files.export_view, "timing");
  EXPECT_EQ(workspace->files.export_format, ".csv");
  EXPECT_FALSE(state_of<TimingState>(*workspace).export_csv) << "asked once";
  frame->files = nullptr;
  std::filesystem::remove_all(folder);
}

TEST(TimingWords, CountsAreShort) {
  EXPECT_EQ(compact(999), "999");
  EXPECT_EQ(compact(131'072), "131 k");
  EXPECT_EQ(compact(1'048'576), "1.05 M");
  EXPECT_EQ(compact(33'554'432), "33.6 M");
  EXPECT_EQ(compact(999'600'000), "1 G");
}

}  // namespace
}  // namespace lanescope::app
