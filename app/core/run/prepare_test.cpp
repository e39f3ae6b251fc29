#include "core/run/prepare.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/kernel/arguments.h"
#include "core/kernel/kernel_testing.h"
#include "core/run/captured_launch.h"
#include "core/run/reference.h"
#include "core/run/totals.h"

namespace lanescope::app {
namespace {

using namespace testing_texts;

const std::string kPlain =
    "__global__ void k(float* p, int n, double s, unsigned char c, bool b) {\n"
    "  if (threadIdx.x < n) p[threadIdx.x] = s + c + b;\n"
    "}\n";

Settings plain() {
  Settings settings = settings_of(kPlain);
  settings.block = Dim3{32, 1, 1};
  settings.arguments = {
      {"p", "float[64]:zero"}, {"n", "32"}, {"s", "0.5"}, {"c", "200"}, {"b", "true"}};
  return settings;
}

TEST(Prepare, LaunchComesFromTheFrontMatter) {
  const PrepareResult result = prepare(settings_of(kTranspose));
  ASSERT_TRUE(result.ready) << messages(result.diagnostics);
  EXPECT_EQ(result.ready->prepared->launch.block, (Dim3{32, 32, 1}));
  EXPECT_EQ(result.ready->prepared->launch.grid, (Dim3{2, 3, 1}));
  ASSERT_EQ(result.ready->prepared->buffers.size(), 2u);
  EXPECT_EQ(result.ready->prepared->buffers[0].rows(), 96u);
  EXPECT_EQ(result.ready->prepared->buffers[0].cols(), 64u);
  EXPECT_EQ(result.ready->prepared->buffers[1].rows(), 64u);
  EXPECT_EQ(result.ready->prepared->buffers[1].bytes, 64u * 96 * 4);
}

TEST(Prepare, ABlockByHandTakesItsParametersAlong) {
  Settings settings = settings_of(kTranspose);
  settings.block = Dim3{16, 16, 1};
  const PrepareResult result = prepare(settings);
  ASSERT_TRUE(result.ready) << messages(result.diagnostics);
  EXPECT_EQ(result.ready->prepared->parameters.at("BX"), "16");
  EXPECT_EQ(result.ready->prepared->launch.grid, (Dim3{4, 6, 1}));
  settings.block = Dim3{16, 8, 1};
  EXPECT_NE(messages(prepare(settings).diagnostics).find("needs BX=8, but BX is 16"),
            std::string::npos);
}

TEST(Prepare, FlagsDescribeAnyFile) {
  const PrepareResult result = prepare(plain());
  ASSERT_TRUE(result.ready) << messages(result.diagnostics);
  EXPECT_EQ(result.ready->prepared->launch.grid, (Dim3{1, 1, 1}));
  EXPECT_EQ(result.ready->prepared->launch.arguments.size(), 5u);
  RunResult ran = result.ready->execute({});
  EXPECT_TRUE(ran.ok()) << messages(ran.diagnostics);
  const Matrix p{result.ready->memory.find("p")->data, ScalarType::f32, 1, 64};
  EXPECT_EQ(format_scalar(ScalarType::f32, p.bits(31)), "201.5");
  EXPECT_EQ(p.bits(32), 0u);
}

struct Bad {
  const char* name;
  std::function<void(Settings&)> make;
  const char* message;
  DiagnosticKind kind = DiagnosticKind::usage;
  std::uint32_t line = 0, column = 0;
};

class BadLaunch : public ::testing::TestWithParam<Bad> {};

TEST_P(BadLaunch, IsRefused) {
  const Bad& bad = GetParam();
  Settings settings = plain();
  bad.make(settings);
  const PrepareResult result = prepare(settings);
  EXPECT_FALSE(result.ready);
  ASSERT_TRUE(has_errors(result.diagnostics));
  const Diagnostic& first = result.diagnostics.front();
  EXPECT_NE(messages(result.diagnostics).find(bad.message), std::string::npos)
      << messages(result.diagnostics);
  EXPECT_EQ(first.kind, bad.kind) << messages(result.diagnostics);
  EXPECT_EQ(first.line, bad.line);
  EXPECT_EQ(first.column, bad.column);
}

void bundled(Settings& settings) { settings = settings_of(kTranspose); }

INSTANTIATE_TEST_SUITE_P(
    All, BadLaunch,
    ::testing::Values(
        Bad{"NotCxx", [](Settings& s) { s.text = "hello world\n"; }, "hello", DiagnosticKind::compile, 1, 1},
        Bad{"Syntax", [](Settings& s) { s.text = "__global__ void k() {\n  int x = 1\n}\n"; }, "expected ';'", DiagnosticKind::compile, 2, 12},
        Bad{"NoKernel", [](Settings& s) { s.text = "int f() { return 1; }\n"; }, "no kernel"},
        Bad{"SeveralKernels", [](Settings& s) { s.text += "__global__ void other() {}\n"; }, "several kernels"},
        Bad{"UnknownKernel", [](Settings& s) { s.kernel = "nope"; }, "nope"},
        Bad{"NoBlock", [](Settings& s) { s.block.reset(); }, "no block shape"},
        Bad{"BlockOfNone", [](Settings& s) { s.block = Dim3{0, 1, 1}; }, "block of 0"},
        Bad{"BlockTooLarge", [](Settings& s) { s.block = Dim3{64, 32, 1}; }, "2048 threads"},
        Bad{"GridOfNone", [](Settings& s) { s.grid = Dim3{1, 0, 1}; }, "grid"},
        Bad{"HugeGrid", [](Settings& s) { s.grid = Dim3{1, 70000, 1}; }, "70000"},
        Bad{"SharedTooLarge", [](Settings& s) { s.shared_bytes = 1u << 30; }, "shared", DiagnosticKind::usage, 1, 17},
        Bad{"MissingArgument", [](Settings& s) { s.arguments.erase("p"), s.arguments.erase("n"); }, "arguments p (float *) and n (int) not given"},
        Bad{"UnknownArgument", [](Settings& s) { s.arguments["q"] = "1"; }, "k takes p (float *), n (int), s (double), c (unsigned char) and b (bool)"},
        Bad{"RealForInteger", [](Settings& s) { s.arguments["n"] = "1.5"; }, "'1.5' is not an integer"},
        Bad{"NumberTooLarge", [](Settings& s) { s.arguments["n"] = "3000000000"; }, "outside -2147483648 to 2147483647"},
        Bad{"NegativeForUnsigned", [](Settings& s) { s.arguments["c"] = "-1"; }, "outside 0 to 255"},
        Bad{"WordForNumber", [](Settings& s) { s.arguments["s"] = "half"; }, "'half' is not a number"},
        Bad{"BufferForNumber", [](Settings& s) { s.arguments["n"] = "int[4]"; }, "is not an integer"},
        Bad{"NumberForBuffer", [](Settings& s) { s.arguments["p"] = "5"; }, "write TYPE[COUNT]"},
        Bad{"WrongElement", [](Settings& s) { s.arguments["p"] = "double[64]"; }, "the kernel takes float *"},
        Bad{"UnknownElement", [](Settings& s) { s.arguments["p"] = "flaot[64]"; }, "no element type"},
        Bad{"UnknownFill", [](Settings& s) { s.arguments["p"] = "float[64]:ones"; }, "write TYPE[COUNT]"},
        Bad{"NoElements", [](Settings& s) { s.arguments["p"] = "float[0]"; }, "at least one element"},
        Bad{"BufferTooLarge", [](Settings& s) { s.arguments["p"] = "float[9000000000000]"; }, "needs 32.7 TiB"},
        Bad{"BufferOverflow", [](Settings& s) { s.arguments["p"] = "float[9000000000000][9000000000000]"; }, "memory"},
        Bad{"NotAMacro", [](Settings& s) { s.parameters["1x"] = "2"; }, "no macro's name"},
        Bad{"TileTooLarge", [](Settings& s) { s.text = "__global__ void k() { __shared__ float t[128][96 + PAD]; t[0][threadIdx.x] = 1; }"; s.arguments.clear(); s.parameters["PAD"] = "1"; }, "shared", DiagnosticKind::usage, 1, 1},
        Bad{"UnknownParameter", [](Settings& s) { bundled(s), s.parameters["PADD"] = "1"; }, "parameters: PAD (0 to 4) and BX (1 to 32)"},
        Bad{"ParameterOutOfRange", [](Settings& s) { bundled(s), s.parameters["PAD"] = "5"; }, "5 is outside 0 to 4"},
        Bad{"ParameterNoInteger", [](Settings& s) { bundled(s), s.parameters["PAD"] = "x"; }, "'x' is not an integer"},
        Bad{"FrontMatterTypo", [](Settings& s) { s = settings_of(replaced(kTranspose, "title", "titel")); }, "unknown key", DiagnosticKind::usage, 2, 1},
        Bad{"GridExpression", [](Settings& s) { s = settings_of(replaced(kTranspose, "ceil_div(nx, BX)", "ceil_div(mx, BX)")); }, "undeclared identifier 'mx'", DiagnosticKind::usage, 31, 8},
        Bad{"NegativeExtent", [](Settings& s) { bundled(s), s.arguments["nx"] = "-5"; }, "-5", DiagnosticKind::usage},
        Bad{"ArgumentNoNumber", [](Settings& s) { bundled(s), s.arguments["nx"] = "many"; }, "'many' is not a number"},
        Bad{"ArgumentRemovedFromKernel", [](Settings& s) { s = settings_of(replaced(kTranspose, "int nx, int ny) {", "int nx) { int ny = nx;")); }, "argument ny: the kernel has no such parameter", DiagnosticKind::usage, 26, 1}),
    [](const auto& bad) { return std::string(bad.param.name); });

TEST(Arguments, BufferTexts) {
  const auto plain_text = parse_buffer_text("float[1024]");
  ASSERT_TRUE(plain_text);
  EXPECT_EQ(plain_text->type, "float");
  EXPECT_EQ(plain_text->shape, (std::vector<std::uint64_t>{1024}));
  EXPECT_FALSE(plain_text->fill);
  const auto matrix = parse_buffer_text(" unsigned int[4][8] : random ");
  ASSERT_TRUE(matrix);
  EXPECT_EQ(matrix->type, "unsigned int");
  EXPECT_EQ(matrix->shape, (std::vector<std::uint64_t>{4, 8}));
  EXPECT_EQ(matrix->fill, Fill::random);
  EXPECT_TRUE(parse_buffer_text("null")->null);
  EXPECT_EQ(parse_buffer_text(":poison")->fill, Fill::poison);
  for (const char* wrong : {"", "float", "[3]", "float[", "float[x]", "float[3", "float[3]x",
                            "float[-1]", "float[3]:ones"}) {
    EXPECT_FALSE(parse_buffer_text(wrong)) << wrong;
  }
  EXPECT_EQ(element_type("float4"), (ElementType{ScalarType::f32, 4}));
  EXPECT_EQ(element_type("uint2"), (ElementType{ScalarType::u32, 2}));
  EXPECT_EQ(element_type("float5").scalar, ScalarType::unknown);
}

TEST(Prepare, NullPointersAndOverriddenFills) {
  Settings settings = settings_of(kTranspose);
  settings.arguments["in"] = ":random";
  const PrepareResult filled = prepare(settings);
  ASSERT_TRUE(filled.ready) << messages(filled.diagnostics);
  EXPECT_EQ(filled.ready->memory.find("in")->spec.fill, Fill::random);
  settings.arguments["in"] = "null";
  const PrepareResult null = prepare(settings);
  ASSERT_TRUE(null.ready) << messages(null.diagnostics);
  const RunResult ran = null.ready->execute({});
  ASSERT_FALSE(ran.diagnostics.empty());
  EXPECT_EQ(ran.diagnostics[0].kind, DiagnosticKind::null_pointer);
  EXPECT_GT(ran.diagnostics[0].line, 0u);
}

// The bundled kernels' counts against the counters of real hardware, row by row.
TEST(Prepare, BundledKernelsEqualTheHardwareRows) {
  std::ifstream rows(std::string(LANESCOPE_TRUTH_DIR) + "/kernels.jsonl");
  if (!rows) GTEST_SKIP() << "no hardware rows";
  const std::map<std::string, std::string> names = {{"copy", "copy/01_copy"},
                                                    {"naive_row", "transpose/01_naive_row"},
                                                    {"naive_col", "transpose/02_naive_col"},
                                                    {"smem", "transpose/05_remapped"}};
  const Catalog catalog = load_catalog(LANESCOPE_SOURCE_DIR "/kernels");
  int compared = 0;
  for (std::string line; std::getline(rows, line);) {
    const auto row = nlohmann::json::parse(line);
    const auto name = names.find(row["kernel"]);
    if (name == names.end()) continue;
    SCOPED_TRACE(line);
    Settings settings = *open_kernel(catalog, name->second).settings;
    settings.block = Dim3{row["block"][0], row["block"][1], 1};
    settings.parameters["ELEMENT"] = row["type"];
    if (row["kernel"] == "smem") settings.parameters["PAD"] = std::to_string(row["pad"].get<int>());
    settings.arguments = {{"nx", std::to_string(row["cols"].get<int>())},
                          {"ny", std::to_string(row["rows"].get<int>())}};
    const PrepareResult result = prepare(settings);
    ASSERT_TRUE(result.ready) << messages(result.diagnostics);
    const RunResult ran = result.ready->execute({});
    const Totals totals = totals_of(result.ready->prepared->program->info(), ran);
    const auto& counters = row["counters"];
    EXPECT_EQ(totals.shared_load.wavefronts + totals.shared_store.wavefronts,
              counters["shared_wavefronts_sass"]);
    EXPECT_EQ(totals.shared_load.ideal_wavefronts + totals.shared_store.ideal_wavefronts,
              counters["shared_wavefronts_ideal_sass"]);
    EXPECT_EQ(totals.global_load.requests, counters["global_load_requests"]);
    EXPECT_EQ(totals.global_store.requests, counters["global_store_requests"]);
    EXPECT_EQ(totals.global_load.sectors + totals.global_store.sectors,
              counters["global_sectors_sass"]);
    EXPECT_EQ(totals.global_load.ideal_sectors + totals.global_store.ideal_sectors,
              counters["global_sectors_ideal_sass"]);
    EXPECT_TRUE(check_result(*result.ready).check.correct);
    ++compared;
  }
  EXPECT_GE(compared, 30);
}

/// A launch of a program: two buffers of 8 x 48 floats, and what its kernel does with them.
Settings captured(const std::string& text) {
  auto launch = std::make_shared<CapturedLaunch>();
  launch->compile.files = {"prog.cu"};
  launch->compile.texts["prog.cu"] = text;
  launch->compile.device_only = true;
  launch->symbol = "_Z1kPKfPfi";
  const WholeProgramResult compiled = compile_whole_program(launch->compile);
  EXPECT_FALSE(compiled.texts.empty()) << messages(compiled.diagnostics);
  std::vector<Diagnostic> problems;
  launch->program = compiled.texts.at(0).device->kernel(launch->symbol, {}, problems);
  launch->launch.grid = {2, 8, 1}, launch->launch.block = {24, 1, 1};
  const auto add = [&](const char* name, auto value) {
    Argument argument;
    argument.name = name;
    argument.bytes.resize(sizeof value);
    std::memcpy(argument.bytes.data(), &value, sizeof value);
    launch->launch.arguments.push_back(argument);
  };
  for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{4096}}) {
    add(at == 0 ? "in" : "out", kGlobalWindow + at);
    launch->buffers.push_back({at == 0 ? "in" : "out", ScalarType::f32, kGlobalWindow + at,
                               MemorySpace::global,
                               std::make_shared<const std::vector<std::byte>>(8 * 48 * 4)});
  }
  add("w", 48);
  Settings settings;
  settings.file = "prog.cu";
  settings.text = text;
  settings.captured = launch;
  return settings;
}

TEST(Prepare, ABufferOfAProgramIsTheMatrixThatItsKernelIndexes) {
  Settings settings = captured("__global__ void k(const float* in, float* out, int w) {\n"
                               "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;\n"
                               "  int at = y * w + x;\n"
                               "  out[x * gridDim.y + y] = in[at];\n"
                               "}\n"
                               "int main() {}\n");
  PrepareResult result = prepare(settings);
  ASSERT_TRUE(result.ready) << messages(result.diagnostics);
  const auto& buffers = result.ready->prepared->buffers;
  EXPECT_EQ(buffers.at(0).dims, (std::vector<std::uint64_t>{8, 48}));
  EXPECT_EQ(buffers.at(1).dims, (std::vector<std::uint64_t>{384})) << "gridDim.y is no name";
  settings.columns = {{"in", 1}, {"out", 8}};
  result = prepare(settings);
  ASSERT_TRUE(result.ready) << messages(result.diagnostics);
  EXPECT_EQ(result.ready->prepared->buffers.at(0).dims, (std::vector<std::uint64_t>{384}));
  EXPECT_EQ(result.ready->prepared->buffers.at(1).dims, (std::vector<std::uint64_t>{48, 8}));
  settings.columns = {{"out", 7}};
  EXPECT_EQ(prepare(settings).ready->prepared->buffers.at(1).dims,
            (std::vector<std::uint64_t>{384}))
      << "rows that do not fill it";
}

TEST(Prepare, ALaunchOfAProgramTakesOtherBlocksThatCoverTheSame) {
  Settings settings =
      captured("#ifndef STEP\n#define STEP 1\n#endif\n"
               "__global__ void k(const float* in, float* out, int w) {\n"
               "  __shared__ float t[STEP * 64];\n"
               "  t[threadIdx.x * STEP] = in[blockIdx.x * blockDim.x + threadIdx.x];\n"
               "  out[blockIdx.y * w + threadIdx.x] = t[threadIdx.x * STEP];\n"
               "}\n"
               "int main() {}\n");
  settings.block = Dim3{16, 1, 1}, settings.grid = Dim3{3, 8, 1};
  settings.parameters = {{"STEP", "2"}};
  PrepareResult result = prepare(settings);
  ASSERT_TRUE(result.ready) << messages(result.diagnostics);
  EXPECT_EQ(result.ready->prepared->launch.block, (Dim3{16, 1, 1}));
  EXPECT_EQ(result.ready->prepared->launch.grid, (Dim3{3, 8, 1}));
  EXPECT_EQ(result.ready->prepared->shared_bytes(), 2u * 64 * 4) << "the macro is compiled in";
  settings.block = Dim3{32, 1, 1}, settings.grid = Dim3{2, 8, 1};
  EXPECT_NE(messages(prepare(settings).diagnostics)
                .find("blocks of 32,1,1 threads do not cover exactly the 48,8,1 threads"),
            std::string::npos)
      << messages(prepare(settings).diagnostics);
}

}  // namespace
}  // namespace lanescope::app
