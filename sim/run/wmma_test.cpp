// <mma.h>: results of all shapes and types, and the counts of every row that was measured.
#include <fstream>

#include <nlohmann/json.hpp>

#include "run/run_text.h"

namespace lanescope {
namespace {

using nlohmann::json;

/// One warp: D = A × B + C of one shape; A and B by rows or columns, D by rows.
struct Shape {
  const char* name;
  int m, n, k;
  const char *type, *stored, *accumulator;
  bool a_by_rows, b_by_rows;
};
const Shape kShapes[] = {
    {"square", 16, 16, 16, "half", "half", "float", true, true},
    {"square_by_columns", 16, 16, 16, "half", "half", "float", false, false},
    {"half_sums", 16, 16, 16, "half", "half", "half", true, false},
    {"tall", 32, 8, 16, "half", "half", "float", true, false},
    {"broad", 8, 32, 16, "half", "half", "float", true, true},
    {"broad_by_columns", 8, 32, 16, "__nv_bfloat16", "__nv_bfloat16", "float", false, false},
    {"tf32", 16, 16, 8, "precision::tf32", "float", "float", true, false},
    {"bytes", 16, 16, 16, "signed char", "signed char", "int", true, false},
    {"bytes_by_columns", 8, 32, 16, "unsigned char", "unsigned char", "int", false, true},
    {"doubles", 8, 8, 4, "double", "double", "double", true, false},
};

std::string text_of(const Shape& s) {
  const std::string shape =
      std::to_string(s.m) + ", " + std::to_string(s.n) + ", " + std::to_string(s.k);
  const auto layout = [](bool rows) { return std::string(rows ? "row_major" : "col_major"); };
  const auto cells = [](int a, int b) { return std::to_string(a * b); };
  const std::string stored = s.stored, sum = s.accumulator;
  return "#include <mma.h>\nusing namespace nvcuda::wmma;\n__global__ void k(const float* in, "
         "float* out) {\n"
         "  __shared__ __align__(32) " +
         stored + " a[" + cells(s.m, s.k) + "], b[" + cells(s.k, s.n) +
         "];\n"
         "  __shared__ __align__(32) " +
         sum + " c[" + cells(s.m, s.n) +
         "];\n"
         "  for (int i = threadIdx.x; i < " +
         cells(s.m, s.k) + "; i += 32) a[i] = (" + stored +
         ")in[i];\n"
         "  for (int i = threadIdx.x; i < " +
         cells(s.k, s.n) + "; i += 32) b[i] = (" + stored +
         ")in[i + 7];\n"
         "  for (int i = threadIdx.x; i < " +
         cells(s.m, s.n) + "; i += 32) c[i] = (" + sum +
         ")(i % 3);\n"
         "  __syncthreads();\n"
         "  fragment<matrix_a, " +
         shape + ", " + s.type + ", " + layout(s.a_by_rows) +
         "> fa;\n"
         "  fragment<matrix_b, " +
         shape + ", " + s.type + ", " + layout(s.b_by_rows) +
         "> fb;\n"
         "  fragment<accumulator, " +
         shape + ", " + sum +
         "> fc, fd;\n"
         "  load_matrix_sync(fa, a, " +
         std::to_string(s.a_by_rows ? s.k : s.m) +
         ");\n"
         "  load_matrix_sync(fb, b, " +
         std::to_string(s.b_by_rows ? s.n : s.k) +
         ");\n"
         "  load_matrix_sync(fc, c, " +
         std::to_string(s.n) +
         ", mem_row_major);\n"
         "  fill_fragment(fd, 0);\n"
         "  mma_sync(fd, fa, fb, fc);\n"
         "  store_matrix_sync(c, fd, " +
         std::to_string(s.n) +
         ", mem_row_major);\n"
         "  __syncthreads();\n"
         "  for (int i = threadIdx.x; i < " +
         cells(s.m, s.n) + "; i += 32) out[i] = (float)c[i];\n}";
}

class WmmaShapes : public testing::TestWithParam<Shape> {};

TEST_P(WmmaShapes, GiveTheProduct) {
  const Shape& s = GetParam();
  std::vector<float> in;
  for (int i = 0; i < 600; ++i) in.push_back(static_cast<float>(i * 5 % 7));
  const auto cells = static_cast<std::size_t>(s.m * s.n);
  const Outcome outcome = run_text(text_of(s), "k", {1, 1, 1}, {32, 1, 1},
                                   {data("in", in), buffer<float>("out", cells)});
  expect_each<float>(outcome, "out", [&](std::size_t at) {
    const int row = static_cast<int>(at) / s.n, column = static_cast<int>(at) % s.n;
    float sum = static_cast<float>(at % 3);
    for (int k = 0; k < s.k; ++k)
      sum += in[static_cast<std::size_t>(s.a_by_rows ? row * s.k + k : k * s.m + row)] *
             in[static_cast<std::size_t>(7 + (s.b_by_rows ? k * s.n + column : column * s.k + k))];
    return sum;
  });
}
INSTANTIATE_TEST_SUITE_P(Texts, WmmaShapes, testing::ValuesIn(kShapes),
                         [](const auto& row) { return std::string(row.param.name); });

/// The kernel of one measured row: a fragment of halves or floats, loaded from or stored to shared memory.
std::string text_of(const json& row) {
  const std::string fragment = row["fragment"], type = row["type"], layout = row["layout"],
                    ld = row["ld"].dump();
  const bool stores = row["access"] == "wmma_store", sums = fragment == "accumulator";
  std::string text =
      "#include <mma.h>\nusing namespace nvcuda::wmma;\n__global__ void k(float* out) {\n"
      "  extern __shared__ __align__(32) " +
      type + " tile[];\n  fragment<" + fragment + ", 16, 16, 16, " + type +
      (sums ? "" : ", " + layout) + "> f;\n";
  const std::string how = sums ? ", mem_" + layout : "";
  if (stores)
    return text + "  fill_fragment(f, threadIdx.x);\n  store_matrix_sync(tile, f, " + ld + how +
           ");\n}";
  return text + "  load_matrix_sync(f, tile, " + ld + how +
         ");\n"
         "  out[threadIdx.x] = (float)f.x[0] + (float)f.x[1] + (float)f.x[2] + (float)f.x[3] +\n"
         "    (float)f.x[4] + (float)f.x[5] + (float)f.x[6] + (float)f.x[7];\n}";
}

// Loads and stores of fragments are some lanes' own accesses, but an instruction of all.
TEST(Wmma, IsToldOfSomeLanesOnly) {
  const char* steps[] = {"load_matrix_sync(a, in, 16);",
                         "load_matrix_sync(c, out, 16, mem_row_major);",
                         "store_matrix_sync(out, c, 16, mem_row_major);"};
  for (const std::string step : steps) {
    const std::string text = "#include <mma.h>\nusing namespace nvcuda::wmma;\n"
                             "__global__ void k(const half* in, float* out) {\n"
                             "fragment<matrix_a, 16, 16, 16, half, row_major> a;\n"
                             "fragment<accumulator, 16, 16, 16, float> c;\n"
                             "fill_fragment(a, 1), fill_fragment(c, 2);\n";
    const auto run = [&](const std::string& condition) {
      return run_text(
          text + condition + step + "\nout[threadIdx.x] = c.x[0] + (float)a.x[0];\n}", "k",
          {1, 1, 1}, {32, 1, 1},
          {buffer<std::uint16_t>("in", 256, Fill::zero), buffer<float>("out", 256, Fill::zero)});
    };
    EXPECT_TRUE(run("").ok()) << step << run("").report();
    const Outcome some = run("if (threadIdx.x != 20) ");
    EXPECT_EQ(some.error().kind, DiagnosticKind::divergent_barrier) << step << some.report();
    EXPECT_EQ(some.error().line, 7u) << some.report();
    EXPECT_NE(some.report().find("lane 20 does not execute it"), std::string::npos)
        << some.report();
  }
}

TEST(Wmma, CountsEqualTheCountersOnEveryRow) {
  const std::string folder = LANESCOPE_TRUTH_DIR;
  if (folder.empty()) GTEST_SKIP() << "no folder of hardware measurements";
  std::ifstream file(folder + "/wmma.jsonl");
  int rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    SCOPED_TRACE(line);
    const json row = json::parse(line);
    const Outcome outcome = run_text(text_of(row), "k", {1, 1, 1}, {32, 1, 1},
                                     {buffer<float>("out", 32)}, ExecuteRequest{}, 16 * 136 * 4);
    ASSERT_TRUE(outcome.ok()) << outcome.report();
    std::uint64_t matrices = 0, loads = 0, stores = 0;
    SharedCounts shared;
    for (const AccessInfo& access : outcome.info().accesses) {
      const SharedCounts& counts = outcome.result.accesses[access.id].shared;
      (matrices_of(access.service) != 0 ? matrices
       : access.op == AccessOp::store   ? stores
                                        : loads) += counts.requests;
      shared += counts;
    }
    const json& hw = row["counters"];
    EXPECT_EQ(matrices, hw["ldmatrix"].get<std::uint64_t>());
    EXPECT_EQ(loads, hw["shared_loads"].get<std::uint64_t>());
    EXPECT_EQ(stores, hw["shared_stores"].get<std::uint64_t>());
    EXPECT_EQ(shared.wavefronts, hw["shared_wavefronts_sass"].get<std::uint64_t>());
    EXPECT_EQ(shared.ideal_wavefronts, hw["shared_wavefronts_ideal_sass"].get<std::uint64_t>());
  }
  EXPECT_EQ(rows, 45);
}

}  // namespace
}  // namespace lanescope
