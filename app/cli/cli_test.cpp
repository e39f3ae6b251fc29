#include "cli/cli.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "cli/cli_testing.h"
#include "cli/kernel/settings_flags.h"
#include "cli/text/table.h"

namespace lanescope::cli {
namespace {

using Json = nlohmann::json;
using testing_calls::call;
using testing_calls::Call;
using testing_calls::kTile;

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> result;
  for (const auto& [key, value] : object.items()) result.push_back(key);
  return result;
}

TEST(Cli, TellsItsVersion) {
  const Call told = call({"--version"});
  EXPECT_EQ(told.status, kFine);
  EXPECT_TRUE(std::regex_match(told.out, std::regex("lanescope \\d+\\.\\d+\\.\\d+\n"))) << told.out;
}

TEST(Cli, ListNamesTheKernels) {
  const Call listed = call({"list", "--json"});
  EXPECT_EQ(listed.status, kFine) << listed.err;
  const Json json = Json::parse(listed.out);
  EXPECT_EQ(json["schema"], 1);
  const auto kernel = std::find_if(json["kernels"].begin(), json["kernels"].end(),
                                   [](const Json& k) { return k["name"] == kTile; });
  ASSERT_NE(kernel, json["kernels"].end());
  EXPECT_EQ((*kernel)["family"], "transpose");
  EXPECT_FALSE((*kernel)["title"].get<std::string>().empty());
  EXPECT_TRUE(std::filesystem::exists((*kernel)["file"].get<std::string>()));
  const Json& parameters = (*kernel)["parameters"];
  const auto pad = std::find_if(parameters.begin(), parameters.end(),
                                [](const Json& p) { return p["name"] == "PAD"; });
  ASSERT_NE(pad, parameters.end());
  EXPECT_EQ(*pad, Json::parse(R"({"name":"PAD","default":1,"min":0,"max":32})"));
  EXPECT_NE(call({"list"}).out.find(kTile), std::string::npos);
}

TEST(Cli, AnalyzeWritesTablesAndReports) {
  const std::vector<const char*> small = {"analyze", kTile, "--arg", "nx=64", "--arg", "ny=64"};
  const auto with = [&](std::vector<const char*> more) {
    std::vector<const char*> all = small;
    all.insert(all.end(), more.begin(), more.end());
    return call(all);
  };
  const Call csv = with({"--csv"});
  EXPECT_EQ(csv.status, kFine) << csv.err;
  EXPECT_TRUE(csv.out.starts_with("kernel,scope,file,line,")) << csv.out;
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 5);
  EXPECT_EQ(with({"--csv", "--json"}).status, kUsage);

  const std::string file = testing::TempDir() + "/report.html";
  const Call html = with({"--html", file.c_str()});
  EXPECT_EQ(html.status, kFine) << html.err;
  std::ifstream stream(file);
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_NE(page.find("Result: correct"), std::string::npos);
  EXPECT_TRUE(page.ends_with("</html>\n"));
  std::filesystem::remove(file);

  for (const char* bad : {"/dev/full", "/no/such/folder/report.html", "/tmp"}) {
    const Call failed = with({"--html", bad});
    EXPECT_EQ(failed.status, kInternal) << bad;
    EXPECT_NE(failed.err.find(bad), std::string::npos) << failed.err;
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(Cli, AnalyzeJsonHasTheContractsShape) {
  const Call analyzed =
      call({"analyze", kTile, "--set", "PAD=0", "--arg", "nx=128", "--arg", "ny=64", "--json"});
  EXPECT_EQ(analyzed.status, kFine) << analyzed.err;
  const Json json = Json::parse(analyzed.out);
  EXPECT_EQ(keys(json),
            (std::vector<std::string>{"accesses", "coverage", "diagnostics", "file", "kernel",
                                      "launch", "result", "schema", "totals"}));
  EXPECT_EQ(json["kernel"], "transpose_shared_tile_padded<float>");
  EXPECT_EQ(json["launch"],
            Json::parse(R"({"grid":[4,2,1],"block":[32,32,1],"shared_bytes":4096})"));
  EXPECT_EQ(json["coverage"], Json::parse(R"({"blocks":8,"blocks_executed":8,"exact":true})"));
  EXPECT_EQ(
      json["totals"]["shared_load"],
      Json::parse(R"({"requests":256,"wavefronts":8192,"ideal_wavefronts":256,"conflicts":7936})"));
  EXPECT_EQ(json["totals"]["global_store"],
            Json::parse(R"({"requests":256,"sectors":1024,"ideal_sectors":1024})"));
  EXPECT_EQ(json["result"], Json::parse(R"({"checked":true,"correct":true})"));
  EXPECT_EQ(json["diagnostics"], Json::array());
  ASSERT_EQ(json["accesses"].size(), 4u);
  const Json& load = json["accesses"][3];
  EXPECT_EQ(load["space"], "shared");
  EXPECT_EQ(load["op"], "load");
  EXPECT_EQ(load["bytes"], 4);
  EXPECT_EQ(load["text"], "tile[threadIdx.x][threadIdx.y]");
  EXPECT_EQ(load["wavefronts"], 8192);
  EXPECT_GT(load["line"], 0);
  EXPECT_GT(load["column"], 0);
  EXPECT_EQ(
      analyzed.out,
      call({"analyze", kTile, "--set", "PAD=0", "--arg", "nx=128", "--arg", "ny=64", "--json"}).out)
      << "deterministic";
}

TEST(Cli, AnalyzeTextIsForPeople) {
  const Call analyzed = call({"analyze", kTile, "--arg", "nx=128", "--arg", "ny=64"});
  EXPECT_EQ(analyzed.status, kFine);
  for (const char* part : {"PAD=1", "4 x 2 x 1", "tile[threadIdx.x][threadIdx.y]", "100.0 %",
                           "correct: every element"}) {
    EXPECT_NE(analyzed.out.find(part), std::string::npos) << part << "\n" << analyzed.out;
  }
  EXPECT_TRUE(analyzed.err.empty());
}

TEST(Cli, AnalyzeOfSomeBlocksIsNotTheWhole) {
  const Json json = Json::parse(call({"analyze", kTile, "--blocks", "3", "--json"}).out);
  EXPECT_EQ(json["coverage"]["blocks_executed"], 3);
  EXPECT_EQ(json["coverage"]["exact"], false);
  EXPECT_EQ(json["result"]["checked"], false);
  EXPECT_EQ(json["totals"]["shared_load"]["requests"], 96);
}

TEST(Cli, TraceGivesEveryLane) {
  const Call traced = call({"trace", kTile, "--warp", "2", "--blocks", "1,0", "--json"});
  EXPECT_EQ(traced.status, kFine) << traced.err;
  const Json json = Json::parse(traced.out);
  ASSERT_EQ(json["blocks"].size(), 1u);
  EXPECT_EQ(json["blocks"][0]["block"], Json::parse("[1,0,0]"));
  const Json& accesses = json["blocks"][0]["accesses"];
  ASSERT_EQ(accesses.size(), 4u);
  const Json& load = accesses[0];
  EXPECT_EQ(load["text"], "in[ti]");
  EXPECT_EQ(load["warp"], 2);
  EXPECT_EQ(load["sectors"], 4);
  ASSERT_EQ(load["lanes"].size(), 32u);
  const Json& lane = load["lanes"][7];
  EXPECT_EQ(lane["thread"], Json::parse("[7,2,0]"));
  EXPECT_EQ(lane["array"], "in");
  EXPECT_EQ(lane["element"], 2 * 1024 + 32 + 7);
  EXPECT_EQ(lane["value"], 2 * 1024 + 32 + 7);
  EXPECT_EQ(accesses[1]["lanes"][7]["element"], 2 * 33 + 7);
  EXPECT_NE(call({"trace", kTile, "--warp", "2"}).out.find("tile[73]"), std::string::npos);
}

TEST(Cli, FailedRunsStillGiveJson) {
  const Call failed = call({"analyze", kTile, "--arg", "in=null", "--json"});
  EXPECT_EQ(failed.status, kFailed);
  const Json json = Json::parse(failed.out);
  ASSERT_FALSE(json["diagnostics"].empty());
  const Json& diagnostic = json["diagnostics"][0];
  EXPECT_EQ(diagnostic["kind"], "null-pointer");
  EXPECT_EQ(diagnostic["severity"], "error");
  EXPECT_GT(diagnostic["line"], 0);
  EXPECT_EQ(diagnostic["block"].size(), 3u);
  EXPECT_EQ(diagnostic["thread"].size(), 3u);
  EXPECT_EQ(json["result"]["checked"], false);
}

TEST(Cli, WrongResultsFail) {
  const std::string file = (std::filesystem::temp_directory_path() /
                            ("lanescope_wrong" + std::to_string(::getpid()) + ".cu"))
                               .string();
  std::ofstream(file) << R"cu(/*---
[[argument]]
name = "in"
type = "int"
shape = ["n"]
[[argument]]
name = "out"
type = "int"
shape = ["n"]
[[argument]]
name = "n"
value = 100
[launch]
block = [32]
grid = ["ceil_div(n, 32)"]
[reference]
kind = "copy"
inputs = ["in"]
output = "out"
---*/
__global__ void copy(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) out[i] = in[i];
}
)cu";
  const Call wrong = call({"analyze", file.c_str(), "--json"});
  std::filesystem::remove(file);
  EXPECT_EQ(wrong.status, kFailed);
  const Json json = Json::parse(wrong.out);
  EXPECT_EQ(json["result"], Json::parse(R"({"checked":true,"correct":false})"));
  EXPECT_EQ(json["diagnostics"][0]["kind"], "wrong-result");
  EXPECT_NE(wrong.err.find(file + ":23:25: error: wrong result: out[99] is -1, expected 99"),
            std::string::npos)
      << wrong.err;
}

TEST(Cli, WindowAndPicturesGetTheirSettings) {
  const Call window = call({"04_shared_tile_padded", "--set", "PAD=2", "--theme", "light", "--lang",
                            "zh", "--width", "1920"});
  ASSERT_TRUE(window.gui) << window.err;
  EXPECT_EQ(window.gui->open->parameters.at("PAD"), "2");
  EXPECT_EQ(window.gui->theme, "light");
  EXPECT_EQ(window.gui->language, "zh");
  EXPECT_EQ(window.gui->width, 1920);
  const Call plain = call({});
  ASSERT_TRUE(plain.gui);
  EXPECT_FALSE(plain.gui->open);

  const Call picture = call({"render", kTile, "--view", "banks", "--out", "a.svg", "--warp", "3",
                             "--lane", "5", "--scale", "1.5"});
  ASSERT_TRUE(picture.render) << picture.err;
  EXPECT_EQ(picture.render->view, "banks");
  EXPECT_EQ(picture.render->warp, 3u);
  EXPECT_EQ(picture.render->lane, 5);
  EXPECT_FALSE(picture.render->access);
  EXPECT_FLOAT_EQ(picture.render->scale, 1.5f);
  EXPECT_EQ(picture.render->settings.name, kTile);
}

TEST(Cli, HelpIsNoError) {
  const Call help = call({"--help"});
  EXPECT_EQ(help.status, kFine);
  EXPECT_NE(help.out.find("Examples:"), std::string::npos);
  const Call analyze = call({"analyze", "--help"});
  EXPECT_EQ(analyze.status, kFine);
  EXPECT_NE(analyze.out.find("--blocks"), std::string::npos);
}

TEST(Cli, BlocksAreChosenInLinearOrder) {
  const Dim3 grid{3, 2, 2};
  EXPECT_TRUE(choose_blocks("all", grid).all);
  EXPECT_TRUE(choose_blocks("12", grid).all);
  const BlockChoice first = choose_blocks("8", grid);
  ASSERT_EQ(first.blocks.size(), 8u);
  EXPECT_EQ(first.blocks[3], (Dim3{0, 1, 0}));
  EXPECT_EQ(first.blocks[7], (Dim3{1, 0, 1}));
  EXPECT_EQ(choose_blocks("2,1", grid).blocks, (std::vector<Dim3>{{2, 1, 0}}));
  EXPECT_EQ(choose_blocks("2,1,1", grid).blocks, (std::vector<Dim3>{{2, 1, 1}}));
  for (const char* wrong : {"0", "-1", "x", "3,0", "0,0,2", "1,1,1,1"}) {
    EXPECT_TRUE(has_errors(choose_blocks(wrong, grid).diagnostics)) << wrong;
  }
}

TEST(Table, AlignsAndGroups) {
  Table table({"<name", "count"});
  table.add({"a", grouped(1234567)});
  table.add({"größer", grouped(12)});
  std::ostringstream out;
  table.print(out, "");
  EXPECT_EQ(out.str(), "name        count\na       1,234,567\ngrößer         12\n");
}

}  // namespace
}  // namespace lanescope::cli
