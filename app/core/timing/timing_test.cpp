#include "core/timing/timing.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "core/export/export.h"
#include "core/kernel/kernel_size.h"
#include "core/kernel/kernel_testing.h"
#include "core/run/prepare.h"
#include "core/session/session.h"
#include "core/timing/timing_worker.h"

namespace lanescope::app {
namespace {

using namespace std::chrono_literals;
using namespace testing_texts;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A GPU that needs no GPU: each launch takes a millisecond, unless it hangs or fails.
class FakeGpu : public GpuService {
 public:
  GpuStatus status() override {
    ++asked;
    GpuStatus status;
    if (there) status.device = GpuDevice{.name = "Fake GPU", .driver = "1.0"};
    if (!there)
      status.problem = Message::verbatim("no NVIDIA driver"),
      status.hint = Message::verbatim("install one");
    return status;
  }
  Measurement measure(const ReadyLaunch& ready, const MeasureOptions&,
                      const MeasureCallback& progress, std::stop_token stop) override {
    ++measured;
    Measurement m;
    m.kernel = ready.prepared->settings.name, m.function = ready.prepared->program->info().name;
    m.parameters = ready.prepared->parameters;
    for (const Argument& a : ready.prepared->launch.arguments)
      if (a.buffer.empty()) m.arguments[a.name] = a.scalar;
    m.grid = ready.prepared->launch.grid, m.block = ready.prepared->launch.block;
    progress({Message::verbatim("timing"), 0.5});
    while (hang && !stop.stop_requested()) std::this_thread::sleep_for(1ms);
    Diagnostic trouble;
    trouble.kind = stop.stop_requested() ? DiagnosticKind::cancelled : DiagnosticKind::unsupported;
    trouble.message = Message::verbatim("the launch failed");
    if (stop.stop_requested() || fail) {
      m.diagnostics.push_back(trouble);
      return m;
    }
    m.bytes = 1'000'000;
    m.time = m.copy = spread_of({milliseconds}, 1);
    m.check = {true, true, {}};
    return m;
  }
  std::vector<Measurement> count(const std::vector<const ReadyLaunch*>&, const MeasureCallback&,
                                 std::stop_token) override {
    return {};
  }

  std::atomic<bool> there{true}, hang{false}, fail{false};
  std::atomic<double> milliseconds{1};
  std::atomic<int> asked{0}, measured{0};
};

Catalog catalog_of(std::vector<std::pair<std::string, std::string>> texts) {
  Catalog catalog;
  for (auto& [name, text] : texts) {
    CatalogEntry entry;
    entry.name = name, entry.family = name.substr(0, name.find('/')), entry.file = name + ".cu";
    entry.text = text;
    entry.front_matter = *parse_front_matter(entry.file, text).front_matter;
    catalog.entries.push_back(std::move(entry));
  }
  return catalog;
}

class Timing : public testing::Test {
 protected:
  void SetUp() override {
    folder = testing::TempDir() + "/timing_" +
             testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  // A recorded launch of the tile, at a size, with a padding, in so many milliseconds.
  static Measurement recorded(const std::string& kernel, const std::string& pad, int size,
                              double ms) {
    Settings settings = settings_of(kTranspose, kernel + ".cu");
    settings.name = kernel;
    settings.parameters["PAD"] = pad;
    settings.arguments = {{"nx", std::to_string(size)}, {"ny", std::to_string(size)}};
    const PrepareResult prepared = prepare(settings);
    EXPECT_TRUE(prepared.ready) << messages(prepared.diagnostics);
    Measurement m;
    m.kernel = kernel, m.function = prepared.ready->prepared->program->info().name;
    m.parameters = prepared.ready->prepared->parameters, m.arguments = settings.arguments;
    m.grid = prepared.ready->prepared->launch.grid,
    m.block = prepared.ready->prepared->launch.block;
    m.bytes = 8ull * static_cast<unsigned>(size * size);
    m.time = spread_of({ms}, 1);
    m.copy = spread_of({ms / 2}, 1);
    m.check = {true, true, {}};
    return m;
  }
  void record(const std::string& file, const std::string& date, std::vector<Measurement> all) {
    Recording recording;
    recording.device.name = "Recorded GPU", recording.device.driver = "580";
    recording.date = date;
    recording.measurements = std::move(all);
    std::ofstream(folder + "/" + file) << recording_text(recording);
  }
  TimingWorker::Parts parts() { return {gpu, folder, {}, 20}; }
  // What is shown once nothing is left to do.
  static TimingPtr settled(TimingWorker& worker, const TimingQuery& query) {
    worker.show(query);
    worker.wait();
    TimingPtr news = worker.take();
    EXPECT_TRUE(news);
    return news;
  }

  std::string folder;
  std::shared_ptr<FakeGpu> gpu = std::make_shared<FakeGpu>();
  Catalog catalog = catalog_of({{"copy/01_tile", kTranspose}, {"transpose/02_tile", kTranspose}});
};

TEST_F(Timing, RecordedRowsHaveExactCounts) {
  record("a.json", "2026-01-01",
         {recorded("transpose/02_tile", "0", 64, 2), recorded("transpose/02_tile", "1", 64, 1),
          recorded("copy/01_tile", "0", 64, 1), recorded("transpose/02_tile", "0", 128, 8)});
  TimingWorker worker(catalog, parts());
  TimingQuery query;
  query.kernel = "transpose/02_tile", query.size = "64";
  const TimingPtr news = settled(worker, query);
  EXPECT_THAT(news->table->sizes, ElementsAre("64", "128"));
  EXPECT_THAT(news->table->families, ElementsAre("transpose"));
  const auto& rows = news->table->rows;
  ASSERT_EQ(rows.size(), 2u) << "by default each kernel as it comes";
  EXPECT_EQ(rows[0].measurement.kernel, "copy/01_tile");
  EXPECT_FALSE(rows[1].live());
  ASSERT_TRUE(rows[1].predicted && rows[1].predicted->known())
      << rows[1].predicted->problem.english();
  EXPECT_EQ(rows[1].predicted->conflicts(), 4u * 32 * 31) << "a load of 32 warps in 4 blocks";
  EXPECT_EQ(rows[1].predicted->sectors(), 2u * 64 * 64 * 4 / 32);

  query.which = TimingQuery::Which::kernel;
  const TimingPtr settings = settled(worker, query);
  ASSERT_EQ(settings->table->rows.size(), 2u);
  EXPECT_EQ(settings->table->rows[1].changes, "PAD=1");
  EXPECT_EQ(settings->table->rows[1].predicted->conflicts(), 0u);
  EXPECT_EQ(settings->table->rows[1].settings.parameters.at("PAD"), "1") << "what a click opens";
}

TEST_F(Timing, NewestRecordingOfALaunchIsShownAndCountersJoinIt) {
  Measurement counted = recorded("transpose/02_tile", "0", 64, 1);
  counted.time.reset(), counted.copy.reset();
  const Totals expected = predict(
                              [] {
                                Settings s = settings_of(kTranspose);
                                s.arguments = {{"nx", "64"}, {"ny", "64"}};
                                return s;
                              }(),
                              20, {})
                              .totals;
  counted.counters =
      Counters{{{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", expected.global_load.sectors},
                {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", expected.global_load.requests}},
               "a profiler"};
  record("a.json", "2026-01-01", {recorded("transpose/02_tile", "0", 64, 2)});
  record("b.json", "2026-02-01", {recorded("transpose/02_tile", "0", 64, 3)});
  record("c.json", "2026-01-15", {recorded("transpose/02_tile", "0", 64, 4), counted});
  TimingWorker worker(catalog, parts());
  const TimingPtr news = settled(worker, {});
  ASSERT_EQ(news->table->rows.size(), 1u);
  const TimingRow& row = news->table->rows[0];
  EXPECT_DOUBLE_EQ(row.measurement.time->median, 3);
  EXPECT_EQ(news->recordings[static_cast<std::size_t>(row.recording)].date, "2026-02-01");
  EXPECT_FALSE(row.counters.empty());
  EXPECT_TRUE(all_agree(row.counters));
}

TEST_F(Timing, UnreadableRecordingIsTold) {
  std::ofstream(folder + "/bad.json") << "{";
  record("good.json", "2026-01-01", {recorded("transpose/02_tile", "0", 64, 2)});
  TimingWorker worker(catalog, parts());
  const TimingPtr news = settled(worker, {});
  EXPECT_EQ(news->table->rows.size(), 1u);
  EXPECT_THAT(messages(news->diagnostics), HasSubstr("bad.json"));
}

TEST_F(Timing, NothingIsAskedBeforeSomebodyLooks) {
  TimingWorker worker(catalog, parts());
  worker.wait();
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(gpu->asked, 0);
  EXPECT_FALSE(worker.take());
}

TEST_F(Timing, NoGpuSaysWhatIsMissing) {
  gpu->there = false;
  TimingWorker worker(catalog, parts());
  const TimingPtr news = settled(worker, {});
  ASSERT_TRUE(news->gpu);
  EXPECT_FALSE(news->gpu->device);
  EXPECT_EQ(news->gpu->problem.english(), "no NVIDIA driver");
  worker.measure({settings_of(kTranspose)});
  worker.wait_measured();
  EXPECT_EQ(gpu->measured, 0);
  EXPECT_THAT(messages(worker.take()->diagnostics), HasSubstr("no NVIDIA driver"));
  gpu = nullptr;
  TimingWorker without(catalog, parts());
  EXPECT_FALSE(settled(without, {})->gpu->problem.empty());
}

TEST_F(Timing, LiveMeasurementTakesTheRecordedOnesPlace) {
  record("a.json", "2026-01-01", {recorded("transpose/02_tile", "0", 64, 2)});
  TimingWorker worker(catalog, parts());
  TimingQuery query;
  query.size = "64";
  settled(worker, query);
  query.family = "transpose", query.element = "float";
  const std::vector<Settings> launches = family_launches(catalog, query);
  ASSERT_EQ(launches.size(), 2u);
  for (const double ms : {5.0, 4.0}) {  // the newest of a launch stays
    gpu->milliseconds = ms;
    worker.measure(launches);
    worker.wait_measured();
  }
  const TimingPtr news = settled(worker, query);
  ASSERT_EQ(news->table->rows.size(), 2u);
  for (const TimingRow& row : news->table->rows) {
    EXPECT_TRUE(row.live());
    EXPECT_DOUBLE_EQ(row.measurement.time->median, 4);
    EXPECT_TRUE(row.predicted && row.predicted->known());
  }
  EXPECT_EQ(news->done, 2u);
  EXPECT_EQ(news->all, 2u);
  EXPECT_FALSE(news->measuring);
  EXPECT_TRUE(news->diagnostics.empty());
}

TEST_F(Timing, CancelEndsTheQueueAndKeepsWhatIsThere) {
  TimingWorker worker(catalog, parts());
  Settings settings = settings_of(kTranspose);
  worker.measure({settings});
  worker.wait_measured();
  gpu->hang = true;
  settings.parameters["PAD"] = "1";
  Settings other = settings;
  other.parameters["PAD"] = "2";
  worker.measure({settings, other});
  while (gpu->measured < 2) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(worker.measuring());
  const TimingPtr during = worker.take();
  ASSERT_TRUE(during);
  EXPECT_TRUE(during->measuring);
  worker.cancel();
  worker.wait_measured();
  EXPECT_EQ(gpu->measured, 2) << "the one that waited was not begun";
  const TimingPtr news = settled(worker, {.which = TimingQuery::Which::all});
  EXPECT_EQ(news->table->rows.size(), 1u);
  EXPECT_TRUE(news->diagnostics.empty()) << "who cancels is not told so";
  gpu->hang = false;  // and it goes on afterwards
  worker.measure({other});
  worker.wait_measured();
  EXPECT_EQ(settled(worker, {.which = TimingQuery::Which::kernel, .kernel = "test.cu"})
                ->table->rows.size(),
            2u);
}

TEST_F(Timing, FailureIsADiagnosticAndNoRow) {
  gpu->fail = true;
  TimingWorker worker(catalog, parts());
  worker.measure({settings_of(kTranspose), settings_of("__global__ void k() { nonsense }")});
  worker.wait_measured();
  const TimingPtr news = settled(worker, {});
  EXPECT_TRUE(news->table->rows.empty());
  EXPECT_THAT(messages(news->diagnostics), HasSubstr("the launch failed"));
  EXPECT_THAT(messages(news->diagnostics), HasSubstr("nonsense"));
}

TEST_F(Timing, LeavingWhileTheGpuHangsEndsIt) {
  gpu->hang = true;
  TimingWorker worker(catalog, parts());
  worker.measure({settings_of(kTranspose)});
  while (gpu->measured < 1) std::this_thread::sleep_for(1ms);
}

TEST_F(Timing, CountingThatTakesTooLongIsGivenUp) {
  // An index from memory: no proof, every block must be executed.
  Settings settings =
      settings_of(replaced(kTranspose, "int jx = blockIdx.x * BX + threadIdx.y;",
                           "int jx = blockIdx.x * BX + threadIdx.y + (in[threadIdx.x] < -1.0f);"));
  settings.arguments = {{"nx", "16384"}, {"ny", "16384"}};
  const Prediction prediction = predict(settings, 0.05, {});
  EXPECT_FALSE(prediction.known());
  EXPECT_THAT(prediction.problem.english(), HasSubstr("too long"));
}

TEST_F(Timing, CsvHasARowForEach) {
  record("a.json", "2026-01-01", {recorded("transpose/02_tile", "0", 64, 2)});
  TimingWorker worker(catalog, parts());
  const TimingPtr news = settled(worker, {});
  const std::string csv = csv_of_timing(news->table->rows, news->recordings, {});
  EXPECT_EQ(csv_of(ExportTable::timing, Picture{}, Selection{}, news.get()), csv);
  EXPECT_THAT(csv, HasSubstr("transpose/02_tile,BX=32 PAD=0,64,float,recorded,Recorded GPU,"
                             "2026-01-01,2.000000"));
  EXPECT_THAT(csv, HasSubstr(",0.5000,,"));  // half of a copy; no cuBLAS
}

TEST(KernelSize, ReadsAndWritesSizes) {
  EXPECT_EQ(size_of({{"nx", "64"}, {"ny", "64"}}), "64");
  EXPECT_EQ(size_of({{"nx", "700"}, {"ny", "1000"}}), "1000x700");
  EXPECT_EQ(size_of({{"K", "1"}, {"M", "2"}, {"N", "3"}}), "K=1 M=2 N=3");
  EXPECT_EQ(size_of({}), "");
}

// The recordings that come with the program: every bundled kernel's row can be opened and counted.
TEST(RecordedTiming, EveryRowOfTheProgramsOwnRecordingsHasCounts) {
  const Catalog catalog = load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels");
  TimingWorker worker(
      catalog, {nullptr, std::string(LANESCOPE_SOURCE_DIR) + "/assets/measurements", {}, 20});
  worker.show({.kernel = "transpose/03_shared_tile"});
  worker.wait();
  const TimingPtr news = worker.take();
  ASSERT_TRUE(news);
  EXPECT_EQ(news->table->query.size, "4096");
  EXPECT_GE(news->table->rows.size(), 19u);
  for (const TimingRow& row : news->table->rows) {
    ASSERT_TRUE(row.predicted) << row.measurement.kernel;
    EXPECT_EQ(row.predicted->problem.english(), "") << row.measurement.kernel;
    EXPECT_GT(row.predicted->sectors(), 0u) << row.measurement.kernel;
  }
  // Counters were read at 1024; what is simulated now agrees with every one of them.
  worker.show({.kernel = "transpose/03_shared_tile", .size = "1024"});
  worker.wait();
  const TimingPtr small = worker.take();
  ASSERT_TRUE(small);
  std::size_t read = 0;
  for (const TimingRow& row : small->table->rows) {
    read += !row.counters.empty();
    EXPECT_TRUE(all_agree(row.counters)) << row.measurement.kernel;
  }
  EXPECT_GE(read, 15u);
}

}  // namespace
}  // namespace lanescope::app
