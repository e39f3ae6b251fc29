#include "cli/timing/bench_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/timing/bench_choice.h"
#include "core/kernel/kernel_size.h"
#include "core/run/whole_grid.h"

namespace lanescope::cli {
namespace {

using ::testing::HasSubstr;

// Measures what the simulator says, or nothing.
class FakeService : public app::GpuService {
 public:
  bool present = true, permitted = true;
  std::vector<std::string> measured;

  app::GpuStatus status() override {
    app::GpuStatus status;
    if (present) status.device.emplace().name = "Fake GPU";
    if (!present)
      status.problem = Message::verbatim("no NVIDIA driver"),
      status.hint = Message::verbatim("install it");
    return status;
  }
  app::Measurement measure(const app::ReadyLaunch& ready, const app::MeasureOptions& options,
                           const app::MeasureCallback&, std::stop_token) override {
    app::Measurement m = of(ready);
    measured.push_back(m.kernel + " " + m.arguments["nx"]);
    m.time = app::spread_of(std::vector<double>(options.repetitions, 2.0), 1);
    m.copy = app::spread_of({1.0}, 1);
    m.bytes = 1'000'000;
    m.check = {true, true, {}};
    return m;
  }
  std::vector<app::Measurement> count(const std::vector<const app::ReadyLaunch*>& launches,
                                      const app::MeasureCallback&, std::stop_token) override {
    std::vector<app::Measurement> results;
    for (const app::ReadyLaunch* ready : launches) {
      results.push_back(of(*ready));
      if (permitted) {
        results.back().counters.emplace().values["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] =
            8;
        results.back().counters->values["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = 1;
      } else {
        Diagnostic d;
        d.kind = DiagnosticKind::unsupported,
        d.message = Message::verbatim("may not read counters");
        d.hint = Message::verbatim("be root");
        results.back().diagnostics.push_back(d);
      }
    }
    return results;
  }

 private:
  static app::Measurement of(const app::ReadyLaunch& ready) {
    app::Measurement m;
    m.kernel = ready.prepared->settings.name, m.parameters = ready.prepared->parameters;
    m.grid = ready.prepared->launch.grid, m.block = ready.prepared->launch.block;
    for (const Argument& a : ready.prepared->launch.arguments)
      if (a.buffer.empty()) m.arguments[a.name] = a.scalar;
    return m;
  }
};

class Bench : public ::testing::Test {
 protected:
  int bench() { return bench_command(catalog_, flags_, fronts_, service_); }
  int verify() { return verify_command(catalog_, flags_, fronts_, service_); }

  std::ostringstream out_, err_;
  Fronts fronts_{{}, {}, out_, err_};
  app::Catalog catalog_ = app::load_catalog(std::string(LANESCOPE_SOURCE_DIR) + "/kernels");
  GpuFlags flags_;
  FakeService service_;
};

TEST_F(Bench, MeasuresKernelsTimesSizesTimesValues) {
  flags_.kernels = {"transpose/04_shared_tile_padded"};
  flags_.sizes = {"64,128"};
  flags_.vary = {"PAD=0..2"};
  EXPECT_EQ(bench(), kFine) << err_.str();
  EXPECT_EQ(service_.measured.size(), 6u);
  EXPECT_THAT(out_.str(), HasSubstr("Fake GPU"));
  EXPECT_THAT(out_.str(), HasSubstr("50.0 %")) << "share of the copy";
}

TEST_F(Bench, ArgumentsByNameStayAsTheyAreGiven) {
  flags_.kernels = {"transpose/01_naive_row"};
  flags_.sizes = {"64"};
  flags_.arguments = {"nx=32"};
  EXPECT_EQ(bench(), kFine) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("64 x 32"));
}

TEST_F(Bench, FamiliesLeaveOutWhatHasNoSuchParameter) {
  flags_.kernels = {"transpose"};
  flags_.sizes = {"32"};
  flags_.sets = {"ELEMENT=double"};
  EXPECT_EQ(bench(), kFine) << err_.str();
  EXPECT_THAT(err_.str(), HasSubstr("08_float4_scatter is left out: it has no ELEMENT"));
  EXPECT_GT(service_.measured.size(), 5u);
}

TEST_F(Bench, JsonNamesTheDeviceAndSaysLive) {
  flags_.kernels = {"copy/01_copy"};
  flags_.sizes = {"31x33"};
  flags_.json = true;
  EXPECT_EQ(bench(), kFine);
  const auto json = nlohmann::json::parse(out_.str());
  EXPECT_EQ(json["live"], true);
  const auto& m = json["recordings"][0]["measurements"][0];
  EXPECT_EQ(m["arguments"]["ny"], "31") << "rows";
  EXPECT_EQ(m["arguments"]["nx"], "33") << "columns";
  EXPECT_EQ(m["milliseconds"]["repetitions"], 25);
}

TEST_F(Bench, BadFlagsAreBadUsage) {
  flags_.sizes = {"big"};
  EXPECT_EQ(bench(), kUsage);
  EXPECT_THAT(err_.str(), HasSubstr("--size big"));
  flags_.sizes = {}, flags_.vary = {"PAD"};
  EXPECT_EQ(bench(), kUsage);
  flags_.vary = {}, flags_.kernels = {"no/such"};
  EXPECT_EQ(bench(), kUsage);
}

TEST_F(Bench, WithoutAGpuTheRecordingIsShownAndLabelled) {
  service_.present = false;
  flags_.kernels = {"transpose/20_fastest"};
  flags_.sizes = {"32768"};
  EXPECT_EQ(bench(), kFine);
  EXPECT_THAT(err_.str(), HasSubstr("no NVIDIA driver"));
  EXPECT_THAT(err_.str(), HasSubstr("install it"));
  EXPECT_THAT(out_.str(), HasSubstr("Recorded on NVIDIA H200"));
  EXPECT_THAT(out_.str(), HasSubstr("not measured here"));
  flags_.record = "/tmp/never-written.json";
  EXPECT_EQ(bench(), kFailed) << "a recording of nothing";
}

TEST_F(Bench, RecordMergesIntoTheFile) {
  const std::string file = ::testing::TempDir() + "/lanescope_record.json";
  std::filesystem::remove(file);
  flags_.kernels = {"copy/01_copy"}, flags_.record = file;
  flags_.sizes = {"32"};
  EXPECT_EQ(bench(), kFine);
  flags_.sizes = {"32,64"};
  EXPECT_EQ(bench(), kFine);
  std::ifstream stream(file);
  EXPECT_EQ(nlohmann::json::parse(stream)["measurements"].size(), 2u);
}

TEST_F(Bench, VerifyFailsWhereCountersDiffer) {
  flags_.kernels = {"patterns/11_global_stride"};
  flags_.sets = {"STRIDE=2"};
  EXPECT_EQ(verify(), kFine) << out_.str() << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("1 of 1 launches agree"));
  flags_.sets = {"STRIDE=4"};  // 16 sectors; the fake always says 8
  EXPECT_EQ(verify(), kFailed);
  EXPECT_THAT(out_.str(), HasSubstr("DIFFERS"));
}

TEST_F(Bench, VerifyWithoutPermissionSaysSoAndUsesTheRecording) {
  service_.permitted = false;
  flags_.kernels = {"transpose/03_shared_tile"};
  EXPECT_EQ(verify(), kFine) << out_.str() << err_.str();
  EXPECT_THAT(err_.str(), HasSubstr("may not read counters"));
  EXPECT_THAT(err_.str(), HasSubstr("be root"));
  EXPECT_THAT(out_.str(), HasSubstr("Counters recorded on NVIDIA H200"));
}

TEST(BenchFlags, ValuesAndSizes) {
  EXPECT_EQ(parse_values("1..3"), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(parse_values("a,b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(parse_values("3..1") || parse_values("1..x") || parse_values("a,,b"));
  EXPECT_EQ(app::parse_size("1000x700")->cols, 700u);
  EXPECT_FALSE(app::parse_size("0") || app::parse_size("x") || app::parse_size("4x"));
}

}  // namespace
}  // namespace lanescope::cli
