#include "cli/run/check_command.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cli_testing.h"

namespace lanescope::cli {
namespace {

using Json = nlohmann::json;
using testing_calls::call;
using testing_calls::Call;
using testing_calls::kTile;

TEST(CliCheck, EveryExpectationIsALineWithItsNumbers) {
  const Call good = call({"check", kTile, "--arg", "nx=64", "--arg", "ny=64", "--expect", "correct",
                          "shared_load.conflicts==0", "efficiency>=0.9"});
  EXPECT_EQ(good.status, kFine) << good.err;
  EXPECT_EQ(good.out, "pass  correct                   correct = true\n"
                      "pass  shared_load.conflicts==0  shared_load.conflicts = 0\n"
                      "pass  efficiency>=0.9           efficiency = 1\n");
  const Call bad = call({"check", kTile, "--set", "PAD=0", "--arg", "nx=64", "--arg", "ny=64",
                         "--expect", "shared_load.conflicts==0", "--expect", "diagnostics==0"});
  EXPECT_EQ(bad.status, kFailed);
  EXPECT_NE(bad.out.find("FAIL  shared_load.conflicts==0  shared_load.conflicts = 3968"),
            std::string::npos)
      << bad.out;
  EXPECT_NE(bad.out.find("pass  diagnostics==0"), std::string::npos) << bad.out;
}

TEST(CliCheck, CorrectMeansComparedEvenWhereCountsAreProved) {
  EXPECT_EQ(call({"check", kTile, "--arg", "nx=4096", "--expect", "correct && checked"}).status,
            kFine);
  const Call wrong = call({"check", "broken/06_output_pitch", "--expect", "correct"});
  EXPECT_EQ(wrong.status, kFailed);
  EXPECT_NE(wrong.out.find("FAIL  correct  correct = false"), std::string::npos) << wrong.out;
}

TEST(CliCheck, AKernelThatFailsPassesNothing) {
  const Call failed = call({"check", kTile, "--arg", "in=null", "--expect", "conflicts==0"});
  EXPECT_EQ(failed.status, kFailed);
  EXPECT_NE(failed.out.find("FAIL  conflicts==0"), std::string::npos) << failed.out;
  EXPECT_NE(failed.out.find("FAIL  the kernel: line "), std::string::npos) << failed.out;
  EXPECT_NE(failed.err.find("null"), std::string::npos) << failed.err;
}

TEST(CliCheck, SeveralFilesAreALineEach) {
  const Call several = call({"check", "broken/06_output_pitch", "broken/06_output_pitch_fixed",
                             "nowhere.cu", "--expect", "correct", "conflicts==0"});
  EXPECT_EQ(several.status, kUsage) << "a file that is not there";
  std::istringstream lines(several.out);
  std::string first, second, third, last;
  std::getline(lines, first), std::getline(lines, second), std::getline(lines, third);
  std::getline(lines, last);
  EXPECT_EQ(first.find("FAIL  broken/06_output_pitch  "), 0u) << first;
  EXPECT_EQ(second, "pass  broken/06_output_pitch_fixed  2 of 2");
  EXPECT_EQ(third.find("FAIL  nowhere.cu  0 of 2: "), 0u) << third;
  EXPECT_EQ(last, "1 of 3 files pass");
}

TEST(CliCheck, CsvAndJsonSayTheSame) {
  const Call csv = call({"check", kTile, "transpose/03_shared_tile", "--arg", "nx=64", "--arg",
                         "ny=64", "--csv", "--expect", "conflicts==0"});
  EXPECT_EQ(csv.status, kFailed);
  EXPECT_EQ(csv.out, "file,pass,passed,of,conflicts==0,conflicts,error\n"
                     "transpose/04_shared_tile_padded,true,1,1,true,0,\n"
                     "transpose/03_shared_tile,false,0,1,false,3968,\n");
  const Json json = Json::parse(call({"check", kTile, "--arg", "nx=64", "--arg", "ny=64", "--json",
                                      "--expect", "conflicts==0"})
                                    .out);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["passed"], 1);
  EXPECT_EQ(json["files"][0]["expectations"],
            Json::parse(R"([{"text":"conflicts==0","holds":true,"values":{"conflicts":0}}])"));
}

}  // namespace
}  // namespace lanescope::cli
