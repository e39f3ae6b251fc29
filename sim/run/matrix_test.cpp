// Matrix instructions as kernels use them: ldmatrix, stmatrix, mma.sync, and what is wrong with them.
#include <fstream>
#include <map>

#include <nlohmann/json.hpp>

#include "run/run_text.h"

namespace lanescope {
namespace {

using nlohmann::json;

std::vector<std::uint16_t> numbers(std::size_t count) {
  std::vector<std::uint16_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(static_cast<std::uint16_t>(i));
  return out;
}

/// Four matrices one below the other in a tile of 32 rows of 8 halves, each row of which starts `pitch`
/// halves after the one before.
std::string tile_kernel(const std::string& body) {
  return R"(
__global__ void k(const unsigned short* in, unsigned* out) {
  __shared__ __align__(16) unsigned short tile[32 * PITCH];
  const int lane = threadIdx.x;
  for (int c = 0; c < 8; ++c) tile[lane * PITCH + c] = in[lane * 8 + c];
  __syncthreads();
  unsigned at = (unsigned)__cvta_generic_to_shared(tile + lane * PITCH), r[4] = {0, 0, 0, 0};
)" + body +
         R"(
})";
}

Outcome run_tile(std::string text, int pitch) {
  for (std::size_t at; (at = text.find("PITCH")) != std::string::npos;)
    text.replace(at, 5, std::to_string(pitch));
  return run_text(text, "k", {1, 1, 1}, {32, 1, 1},
                  {data("in", numbers(256)), buffer<unsigned>("out", 128)});
}

const AccessCounts& only_matrix_access(const Outcome& outcome) {
  static const AccessCounts none;
  for (const AccessInfo& access : outcome.info().accesses)
    if (matrices_of(access.service) != 0) return outcome.result.accesses[access.id];
  ADD_FAILURE() << "no matrix access";
  return none;
}

TEST(Matrices, LoadFourAsTheManualDistributesThem) {
  for (const bool transposed : {false, true}) {
    const Outcome outcome =
        run_tile(tile_kernel(std::string("  asm volatile(\"ldmatrix.sync.aligned.m8n8.x4") +
                             (transposed ? ".trans" : "") +
                             R"(.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
  for (int i = 0; i < 4; ++i) out[4 * lane + i] = r[i];)"),
                 8);
    expect_each<unsigned>(outcome, "out", [&](std::size_t at) {
      const std::size_t lane = at / 4, matrix = at % 4;
      const auto element = [&](std::size_t part) {
        const std::size_t a = lane / 4, b = lane % 4 * 2 + part;
        return static_cast<unsigned>(64 * matrix + (transposed ? 8 * b + a : 8 * a + b));
      };
      return element(0) | element(1) << 16;
    });
    EXPECT_EQ(only_matrix_access(outcome).shared, (SharedCounts{1, 4, 4, 0}));
  }
}

TEST(Matrices, OneAndTwoNeedOnlyTheirOwnLanesAddresses) {
  const Outcome outcome = run_tile(tile_kernel(R"(
  unsigned first = lane < 8 ? at : 12345;  // nobody asks the others
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(first));
  asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared::cta.b16 {%0, %1}, [%2 + 0];"
               : "=r"(r[1]), "=r"(r[2]) : "r"(lane < 16 ? at : 7));
  for (int i = 0; i < 4; ++i) out[4 * lane + i] = r[i];)"),
                                   64);
  expect_each<unsigned>(outcome, "out", [](std::size_t at) {
    const std::size_t lane = at / 4, which = at % 4;
    const auto low = static_cast<unsigned>((which == 2 ? 64 : 0) + lane / 4 * 8 + lane % 4 * 2);
    return which == 3 ? 0u : low | (low + 1) << 16;
  });
  EXPECT_EQ(only_matrix_access(outcome).shared, (SharedCounts{1, 8, 1, 7}));
}

TEST(Matrices, StoreWhatTheyLoad) {
  const Outcome outcome = run_tile(tile_kernel(R"(
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};"
               :: "r"(at), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
  __syncwarp();
  for (int i = 0; i < 4; ++i) out[4 * lane + i] = tile[lane * PITCH + 2 * i] | tile[lane * PITCH + 2 * i + 1] << 16;)"),
                                   40);
  expect_each<unsigned>(outcome, "out", [](std::size_t at) {
    const std::size_t row = at / 4, column = at % 4 * 2, matrix = row / 8;
    const auto transposed = [&](std::size_t c) {
      return static_cast<unsigned>(64 * matrix + 8 * c + row % 8);
    };
    return transposed(column) | transposed(column + 1) << 16;
  });
}

// ---- mma.sync ----

struct Product {
  const char* name;
  std::string instruction;
  int a, b, c;
  /// 0: as of C
  int other_d = 0;
  [[nodiscard]] int d() const { return other_d != 0 ? other_d : c; }
};
const Product kProducts[] = {
    {"f16_f32", "m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4},
    {"bf16_f32", "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4},
    {"tf32_f32", "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4},
    {"f16_f16", "m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2},
    {"e4m3_f32", "m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 2, 4},
    {"e5m2_f32", "m16n8k32.row.col.f32.e5m2.e5m2.f32", 4, 2, 4},
    {"s8_s32", "m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 4},
};

/// All registers of a lane side by side: those of A, B and C in, those of D out.
std::string product_kernel(const Product& product) {
  std::string text = "__global__ void k(const unsigned* in, unsigned* out) {\n"
                     "  const unsigned* r = in + threadIdx.x * " +
                     std::to_string(product.a + product.b + product.c) +
                     ";\n  unsigned d[8];\n"
                     "  asm volatile(\"mma.sync.aligned." +
                     product.instruction + " ";
  int number = 0;
  const auto list = [&](int count) {
    text += "{";
    for (int i = 0; i < count; ++i) text += (i ? ", %" : "%") + std::to_string(number++);
    text += "}";
  };
  list(product.d());
  for (const int count : {product.a, product.b, product.c}) text += ", ", list(count);
  text += ";\"\n    : ";
  for (int i = 0; i < product.d(); ++i)
    text += std::string(i ? ", " : "") + "\"=r\"(d[" + std::to_string(i) + "])";
  text += "\n    : ";
  for (int i = 0; i < product.a + product.b + product.c; ++i)
    text += std::string(i ? ", " : "") + "\"r\"(r[" + std::to_string(i) + "])";
  return text + ");\n  for (int i = 0; i < " + std::to_string(product.d()) +
         "; ++i) out[threadIdx.x * " + std::to_string(product.d()) + " + i] = d[i];\n}";
}

std::uint32_t hexadecimal(const json& text) {
  return static_cast<std::uint32_t>(std::stoul(text.get<std::string>(), nullptr, 16));
}

void expect_product(const Product& product, const json& row) {
  std::vector<std::uint32_t> in;
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (const auto& [name, count] :
         {std::pair{"a", product.a}, std::pair{"b", product.b}, std::pair{"c", product.c}})
      for (int i = 0; i < count; ++i)
        in.push_back(hexadecimal(row[name][lane][static_cast<std::size_t>(i)]));
  const Outcome outcome = run_text(
      product_kernel(product), "k", {1, 1, 1}, {32, 1, 1},
      {data("in", in), buffer<std::uint32_t>("out", 32u * static_cast<unsigned>(product.c))});
  expect_each<std::uint32_t>(outcome, "out", [&](std::size_t at) {
    const auto c = static_cast<std::size_t>(product.c);
    return hexadecimal(row["d"][at / c][at % c]);
  });
}

// Four rows are an instruction: quad pair q has lanes 4q to 4q + 3, and 16 on.
TEST(Matrices, ProductsOfQuadPairsAreThoseOfTheHardwareInEveryForm) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/model/rows/quads.jsonl");
  std::map<std::string, std::vector<json>> rows;
  for (std::string line; std::getline(file, line);) {
    json row = json::parse(line);
    std::vector<json>& of_form = rows[row["form"].get<std::string>()];
    if (of_form.size() < 4) of_form.push_back(std::move(row));
  }
  EXPECT_EQ(rows.size(), 12u);
  for (const auto& [form, quads] : rows) {
    const auto registers = [](const json& row, const char* of) {
      return static_cast<int>(row[of].get<std::string>().size() / 64);
    };
    const Product product{"", "m8n8k4." + form,         2,
                          2,  registers(quads[0], "c"), registers(quads[0], "d")};
    const auto word = [&, &held = quads](const char* of, int lane, int reg) {
      const json& row = held[static_cast<std::size_t>(lane % 16 / 4)];
      const int at = (lane / 16 * 4 + lane % 4) * registers(row, of) + reg;
      return hexadecimal(row[of].get<std::string>().substr(static_cast<std::size_t>(8 * at), 8));
    };
    std::vector<std::uint32_t> in;
    for (int lane = 0; lane < 32; ++lane)
      for (const char* of : {"a", "b", "c"})
        for (int reg = 0; reg < registers(quads[0], of); ++reg) in.push_back(word(of, lane, reg));
    const auto count = static_cast<std::size_t>(product.d());
    const Outcome outcome = run_text(product_kernel(product), "k", {1, 1, 1}, {32, 1, 1},
                                     {data("in", in), buffer<std::uint32_t>("out", 32 * count)});
    expect_each<std::uint32_t>(outcome, "out", [&](std::size_t at) {
      return word("d", static_cast<int>(at / count), static_cast<int>(at % count));
    });
  }
}

TEST(Matrices, ProductsAreThoseOfTheHardwareBitForBit) {
  const std::string folder = LANESCOPE_TRUTH_DIR;
  if (folder.empty()) GTEST_SKIP() << "no folder of hardware measurements";
  std::ifstream file(folder + "/mma.jsonl");
  std::map<std::string, int> rows;
  for (std::string line; std::getline(file, line);) {
    const json row = json::parse(line);
    for (const Product& product : kProducts)
      if (row["mma"] == product.name && rows[product.name]++ < 3) {
        SCOPED_TRACE(std::string(product.name) + " case " + row["case"].dump());
        expect_product(product, row);
      }
  }
  EXPECT_EQ(rows.size(), std::size(kProducts));
}

TEST(Matrices, ProductsOfDoublesAndOfBits) {
  const Outcome outcome =
      run_text(R"(
__global__ void k(double* out, int* counted) {
  const int lane = threadIdx.x;
  double a = lane / 4 + 1, b = lane % 4 + 0.5, d0, d1;
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
      : "=d"(d0), "=d"(d1) : "d"(a), "d"(b), "d"(1.0), "d"(2.0));
  out[2 * lane] = d0, out[2 * lane + 1] = d1;
  int c0, c1;
  asm("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%0, %1}, {%2}, {%3}, {%4, %5};"
      : "=r"(c0), "=r"(c1) : "r"(0xff), "r"(0xf0), "r"(0), "r"(0));
  counted[2 * lane] = c0, counted[2 * lane + 1] = c1;
})",
               "k", {1, 1, 1}, {32, 1, 1}, {buffer<double>("out", 64), buffer<int>("counted", 64)});
  expect_each<double>(outcome, "out", [](std::size_t at) {
    const double row = static_cast<double>(at / 8 + 1);
    return row * (0.5 + 1.5 + 2.5 + 3.5) + (at % 2 == 0 ? 1 : 2);
  });
  expect_each<int>(outcome, "counted", [](std::size_t) { return 16; });
}

/// A block of 4 warps multiplies 64 × 64 by 64 × 32 from shared memory, filled by cp.async.
constexpr const char* kGemm = R"(
#include <cuda_fp16.h>
__global__ void gemm(const half* A, const half* B, float* C, int K) {
  __shared__ __align__(16) half a[64][40], b[32][40];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, row = blockIdx.y * 64, col = blockIdx.x * 32;
  float d[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int i = t; i < 64 * 4; i += 128) {
      unsigned to = (unsigned)__cvta_generic_to_shared(&a[i / 4][i % 4 * 8]);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(A + (row + i / 4) * K + k0 + i % 4 * 8));
    }
    unsigned to = (unsigned)__cvta_generic_to_shared(&b[t / 4][t % 4 * 8]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(B + (col + t / 4) * K + k0 + t % 4 * 8));
    asm volatile("cp.async.commit_group; cp.async.wait_group 0;");
    __syncthreads();
    for (int k = 0; k < 32; k += 16) {
      unsigned ra[4];
      unsigned from = (unsigned)__cvta_generic_to_shared(&a[warp * 16 + lane % 16][k + lane / 16 * 8]);
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(from));
      #pragma unroll
      for (int n = 0; n < 4; ++n) {
        unsigned rb[2];
        unsigned at = (unsigned)__cvta_generic_to_shared(&b[n * 8 + lane % 8][k + lane / 8 % 2 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(at));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[n][0]), "+f"(d[n][1]), "+f"(d[n][2]), "+f"(d[n][3])
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
      }
    }
    __syncthreads();
  }
  for (int n = 0; n < 4; ++n)
    for (int i = 0; i < 4; ++i)
      C[(row + warp * 16 + lane / 4 + i / 2 * 8) * gridDim.x * 32 + col + n * 8 + lane % 4 * 2 + i % 2] = d[n][i];
}
)";

std::vector<TextArgument> gemm_arguments(unsigned m, unsigned n, unsigned k) {
  std::vector<std::uint16_t> a, b;  // halves of 1, 2 and 0.5
  for (unsigned i = 0; i < m * k; ++i) a.push_back(i * 7 % 3 == 0 ? 0x3c00 : 0x4000);
  for (unsigned i = 0; i < n * k; ++i) b.push_back(i * 5 % 4 == 0 ? 0x3800 : 0x3c00);
  return {data("A", a), data("B", b), buffer<float>("C", std::uint64_t{m} * n), scalar("K", k)};
}

TEST(Matrices, AWholeProductIsRightAndProved) {
  const std::vector<TextArgument> arguments = gemm_arguments(128, 64, 64);
  const Outcome outcome = run_text(kGemm, "gemm", {2, 2, 1}, {128, 1, 1}, arguments);
  const auto a = outcome.values<std::uint16_t>("A"), b = outcome.values<std::uint16_t>("B");
  expect_each<float>(outcome, "C", [&](std::size_t at) {
    float sum = 0;
    for (std::size_t k = 0; k < 64; ++k)
      sum += (a[at / 64 * 64 + k] == 0x3c00 ? 1.0f : 2.0f) *
             (b[at % 64 * 64 + k] == 0x3800 ? 0.5f : 1.0f);
    return sum;
  });
  ASSERT_TRUE(outcome.ok());
  const RunResult classes = answer(outcome, CountRequest{});
  EXPECT_GT(classes.coverage.classes, 0u) << classes.coverage.fallback;
  EXPECT_EQ(classes.accesses, outcome.result.accesses);
  EXPECT_EQ(classes.op_executions, outcome.result.op_executions);
  std::uint64_t conflicts = 0;
  for (const AccessCounts& counts : outcome.result.accesses) conflicts += counts.shared.conflicts;
  EXPECT_EQ(conflicts, 0u);  // a pitch of 80 bytes
}

TEST(Matrices, NothingIsWrongWithIt) {
  ExecuteRequest request;
  request.checks = true;
  const Outcome outcome =
      run_text(kGemm, "gemm", {2, 2, 1}, {128, 1, 1}, gemm_arguments(128, 64, 64), request);
  EXPECT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome.result.diagnostics.empty()) << outcome.report();
}

// ---- what is wrong ----

struct MatrixMistake {
  const char* name;
  const char* body;
  DiagnosticKind kind;
  const char* says;
};
const MatrixMistake kMatrixMistakes[] = {
    {"load_by_some_lanes",
     "  if (lane < 16)\n  asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : "
     "\"=r\"(r[0]) : \"r\"(at));\n  out[lane] = r[0];",
     DiagnosticKind::divergent_barrier, "lane 16 does not execute it"},
    {"product_by_some_lanes",
     "  if (lane != 3)\n  asm volatile(\"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, "
     "%1}, "
     "{%0, %1}, {%0}, {%0, %1};\" : \"+r\"(r[0]), \"+r\"(r[1]));\n  out[lane] = r[0];",
     DiagnosticKind::divergent_barrier, "lane 3 does not execute it"},
    {"quad_pairs_whose_sums_narrow",
     "\n  asm volatile(\"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32 {%0, %1, %2, %3}, {%0, "
     "%1}, {%2, %3}, {%0, %1, %2, %3, %0, %1, %2, %3};\" : \"+r\"(r[0]), \"+r\"(r[1]), "
     "\"+r\"(r[2]), \"+r\"(r[3]));\n  out[lane] = r[0];",
     DiagnosticKind::unsupported, "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32"},
    {"other_layouts_of_other_shapes",
     "\n  asm volatile(\"mma.sync.aligned.m16n8k8.col.col.f16.f16.f16.f16 {%0, %1}, {%0, %1}, "
     "{%0}, {%0, %1};\" : \"+r\"(r[0]), \"+r\"(r[1]));\n  out[lane] = r[0];",
     DiagnosticKind::unsupported, "mma.sync.aligned.m16n8k8.col.col"},
    {"misaligned",
     "  if (lane == 9) at += 8;\n  asm volatile(\"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, "
     "%1}, "
     "[%2];\" : \"=r\"(r[0]), \"=r\"(r[1]) : \"r\"(at));\n  out[lane] = r[0];",
     DiagnosticKind::misaligned, "16"},
    {"outside_of_shared",
     "\n  asm volatile(\"{ .reg .b64 a; add.u64 a, %1, 0; ldmatrix.sync.aligned.m8n8.x1.b16 {%0}, "
     "[a]; }\" "
     ": \"=r\"(r[0]) : \"l\"(in));\n  out[lane] = r[0];",
     DiagnosticKind::out_of_bounds, "outside of shared memory"},
    {"past_the_end",
     "  at += 32 * 16;\n  asm volatile(\"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};\" :: "
     "\"r\"(at), \"r\"(r[0]) : \"memory\");\n  out[lane] = r[0];",
     DiagnosticKind::out_of_bounds, "16 bytes"},
    {"operand_that_is_an_array",
     "  float d[4] = {};\n  asm volatile(\"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
     "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};\" : \"+f\"(d), \"+f\"(d[1]), "
     "\"+f\"(d[2]), \"+f\"(d[3]) : \"r\"(r[0]), \"r\"(r[1]), \"r\"(r[0]));\n"
     "  out[lane] = r[0] + (d[1] > 0);",
     DiagnosticKind::unsupported, "wider than 64 bits"},
};
class MatrixMistakes : public testing::TestWithParam<MatrixMistake> {};

TEST_P(MatrixMistakes, AreToldWhereTheyAre) {
  const Outcome outcome = run_tile(tile_kernel(GetParam().body), 8);
  const Diagnostic d = outcome.error();
  EXPECT_EQ(d.kind, GetParam().kind) << outcome.report();
  EXPECT_NE(d.message.english().find(GetParam().says), std::string::npos) << outcome.report();
  EXPECT_EQ(d.line, 9u) << outcome.report();
  EXPECT_GT(d.column, 0u);
}
INSTANTIATE_TEST_SUITE_P(Texts, MatrixMistakes, testing::ValuesIn(kMatrixMistakes),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace lanescope
