#include "cli/sweep/sweep_command.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cli_testing.h"

namespace lanescope::cli {
namespace {

using Json = nlohmann::json;
using testing_calls::call;
using testing_calls::Call;
using testing_calls::kTile;

TEST(CliSweep, TheTableNamesTheBest) {
  const Call swept = call({"sweep", kTile, "--vary", "PAD=0..2", "--vary", "BDIMX=16,32", "--arg",
                           "nx=64", "--arg", "ny=64"});
  EXPECT_EQ(swept.status, kFine) << swept.err;
  for (const char* part : {"PAD (3) x BDIMX (2): 6 settings, 6 counted", "nx=64 ny=64",
                           "PAD \\ BDIMX", "best    * PAD=1 BDIMX=32: 256 wavefronts", "256*"})
    EXPECT_NE(swept.out.find(part), std::string::npos) << part << "\n" << swept.out;
}

TEST(CliSweep, JsonSaysWhatAnalyzeSays) {
  const Call swept =
      call({"sweep", kTile, "--vary", "PAD=0,1", "--arg", "nx=128", "--arg", "ny=64", "--json"});
  ASSERT_EQ(swept.status, kFine) << swept.err;
  const Json json = Json::parse(swept.out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["axes"], Json::parse(R"([{"name":"PAD","values":["0","1"]}])"));
  EXPECT_EQ(json["metric"], "wavefronts");
  ASSERT_EQ(json["cells"].size(), 2u);
  const Json& first = json["cells"][0];
  EXPECT_EQ(first["set"], Json::parse(R"({"PAD":"0"})"));
  EXPECT_EQ(
      first["totals"]["shared_load"],
      Json::parse(R"({"requests":256,"wavefronts":8192,"ideal_wavefronts":256,"conflicts":7936})"));
  EXPECT_EQ(first["launch"],
            Json::parse(R"({"grid":[4,2,1],"block":[32,32,1],"shared_bytes":4096})"));
  EXPECT_EQ(first["efficiency"], 1.0);
  EXPECT_EQ(first["occupancy"]["blocks_per_sm"], 2);
  EXPECT_EQ(json["best"]["set"], Json::parse(R"({"PAD":"1"})"));
  EXPECT_EQ(json["best"]["value"], 512);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(swept.out, call({"sweep", kTile, "--vary", "PAD=0,1", "--arg", "nx=128", "--arg",
                               "ny=64", "--json"})
                             .out)
        << "deterministic";
}

TEST(CliSweep, CsvHasALineForEverySettingAndHolesTheirReason) {
  const Call swept = call({"sweep", "transpose/05_remapped", "--vary", "BDIMX=32,64", "--vary",
                           "BDIMY=32", "--arg", "nx=64", "--arg", "ny=64", "--csv"});
  ASSERT_EQ(swept.status, kFine) << swept.err;
  std::istringstream lines(swept.out);
  std::string head, first, second, more;
  std::getline(lines, head), std::getline(lines, first), std::getline(lines, second);
  EXPECT_EQ(head.find("BDIMX,BDIMY,state,wavefronts,"), 0u);
  EXPECT_EQ(first.find("32,32,counted,256,256,0,1024,1024,1.0000,4224,1.0000,"), 0u) << first;
  EXPECT_EQ(second, "64,32,impossible,,,,,,,,,,,block of 2048 threads: at most 1024 on H200");
  EXPECT_EQ(std::count(head.begin(), head.end(), ','), std::count(first.begin(), first.end(), ','));
  EXPECT_EQ(std::count(head.begin(), head.end(), ','),
            std::count(second.begin(), second.end(), ','));
  EXPECT_FALSE(std::getline(lines, more));
}

TEST(CliSweep, RecordedTimesSayWhereTheyAreFrom) {
  const Call swept = call({"sweep", "transpose/05_remapped", "--vary", "BDIMX=32", "--vary",
                           "PAD=0..1", "--recorded", "--metric", "time"});
  EXPECT_EQ(swept.status, kFine) << swept.err;
  for (const char* part :
       {"nx=4096 ny=4096", "milliseconds, recorded on NVIDIA H200", "ms recorded"})
    EXPECT_NE(swept.out.find(part), std::string::npos) << part << "\n" << swept.out;
  EXPECT_EQ(call({"sweep", "patterns/03_shared_stride", "--vary", "STRIDE=7", "--recorded"}).status,
            kUsage);
}

TEST(CliSweep, NothingRightAnywhereFails) {
  const Call none =
      call({"sweep", "transpose/05_remapped", "--vary", "BDIMX=64", "--set", "BDIMY=32"});
  EXPECT_EQ(none.status, kUsage);
  EXPECT_NE(none.err.find("block of 2048 threads"), std::string::npos) << none.err;
  const Call wrong = call({"sweep", kTile, "--vary", "PAD=0,1", "--set", "COLOUR=1"});
  EXPECT_EQ(wrong.status, kUsage);
  EXPECT_NE(wrong.err.find("unknown parameter 'COLOUR'"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace lanescope::cli
