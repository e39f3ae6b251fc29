// <mma.h>: results of all shapes and types, and the counts of every row that was measured.
#include <fstream>
#include <map>

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

/// With <mma.h>
std::string product_of(const Shape& s) {
  const std::string shape =
      std::to_string(s.m) + ", " + std::to_string(s.n) + ", " + std::to_string(s.k);
  const auto layout = [](bool rows) { return std::string(rows ? "row_major" : "col_major"); };
  const std::string sum = s.accumulator;
  return "  fragment<matrix_a, " + shape + ", " + s.type + ", " + layout(s.a_by_rows) +
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
         std::to_string(s.n) + ", mem_row_major);\n";
}

std::string text_of(const Shape& s, const std::string& product) {
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
         "  __syncthreads();\n" +
         product +
         "  __syncthreads();\n"
         "  for (int i = threadIdx.x; i < " +
         cells(s.m, s.n) + "; i += 32) out[i] = (float)c[i];\n}";
}

class WmmaShapes : public testing::TestWithParam<Shape> {};

void expect_product(const Shape& s, const std::string& product) {
  std::vector<float> in;
  for (int i = 0; i < 600; ++i) in.push_back(static_cast<float>(i * 5 % 7));
  const auto cells = static_cast<std::size_t>(s.m * s.n);
  const Outcome outcome = run_text(text_of(s, product), "k", {1, 1, 1}, {32, 1, 1},
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

TEST_P(WmmaShapes, GiveTheProduct) { expect_product(GetParam(), product_of(GetParam())); }

// ---- wmma as PTX writes it ----

/// The PTX name of an element, its registers' type in C++ and the constraint.
struct Named {
  std::string ptx, type, constraint;
  int bits;
};
Named named(const std::string& type) {
  static const std::map<std::string, Named> kNames = {
      {"half", {"f16", "unsigned", "r", 16}},
      {"__half", {"f16", "unsigned", "r", 16}},
      {"__nv_bfloat16", {"bf16", "unsigned", "r", 16}},
      {"precision::tf32", {"tf32", "unsigned", "r", 32}},
      {"float", {"f32", "float", "f", 32}},
      {"double", {"f64", "double", "d", 64}},
      {"signed char", {"s8", "unsigned", "r", 8}},
      {"unsigned char", {"u8", "unsigned", "r", 8}},
      {"int", {"s32", "int", "r", 32}}};
  return kNames.at(type);
}

/// One operand of fragments: an array of registers.
struct Registers {
  std::string array;
  Named of;
  int count;

  /// "{%2, %3}"
  [[nodiscard]] std::string list(int first) const {
    std::string out;
    for (int i = 0; i < count; ++i) out += (i == 0 ? "{%" : ", %") + std::to_string(first + i);
    return out + "}";
  }
  [[nodiscard]] std::string operands(const std::string& kind) const {
    std::string out;
    for (int i = 0; i < count; ++i)
      out += (i == 0 ? "" : ", ") + ("\"" + kind + of.constraint) + "\"(" + array + "[" +
             std::to_string(i) + "])";
    return out;
  }
  [[nodiscard]] std::string declared() const {
    return "  " + of.type + " " + array + "[" + std::to_string(count) + "];\n";
  }
};

/// Of halves there are always eight.
Registers factor(const std::string& array, const std::string& type, int elements) {
  const Named of = named(type);
  return {array, of,
          of.ptx == "f16" ? 8 : std::max(1, elements * of.bits / 32 / 32) / (of.bits / 64 + 1)};
}
Registers sums(const std::string& array, const std::string& type, int elements) {
  const Named of = named(type);
  return {array, of, of.bits == 16 ? elements / 64 : elements / 32};
}

std::string loaded(const std::string& which, const Registers& to, const std::string& form,
                   const std::string& address, const std::string& pitch = "") {
  return "  asm volatile(\"wmma.load." + which + ".sync.aligned." + form + "." + to.of.ptx + " " +
         to.list(0) + ", [%" + std::to_string(to.count) + "]" +
         (pitch.empty() ? "" : ", " + pitch) + ";\" : " + to.operands("=") + " : " + address +
         " : \"memory\");\n";
}
std::string stored(const Registers& from, const std::string& form, const std::string& address,
                   const std::string& pitch = "") {
  return "  asm volatile(\"wmma.store.d.sync.aligned." + form + "." + from.of.ptx + " [%" +
         std::to_string(from.count) + "], " + from.list(0) + (pitch.empty() ? "" : ", " + pitch) +
         ";\" :: " + from.operands("") + ", " + address + " : \"memory\");\n";
}
std::string in_shared(const std::string& pointer) {
  return "\"r\"((unsigned)__cvta_generic_to_shared(" + pointer + "))";
}

std::string ptx_product_of(const Shape& s) {
  const std::string type = s.type, sum = s.accumulator,
                    shape = "m" + std::to_string(s.m) + "n" + std::to_string(s.n) + "k" +
                            std::to_string(s.k),
                    a_layout = s.a_by_rows ? "row" : "col", b_layout = s.b_by_rows ? "row" : "col";
  const Registers a = factor("ra", type, s.m * s.k), b = factor("rb", type, s.n * s.k),
                  c = sums("rc", sum, s.m * s.n), d = sums("rd", sum, s.m * s.n);
  const std::string types = type == "half"
                                ? c.of.ptx + "." + c.of.ptx
                                : c.of.ptx + "." + a.of.ptx + "." + b.of.ptx + "." + c.of.ptx;
  int next = 0;
  const auto list = [&](const Registers& of) {
    next += of.count;
    return of.list(next - of.count);
  };
  std::string lists = list(d);
  for (const Registers& of : {a, b, c}) lists += ", " + list(of);
  return a.declared() + b.declared() + c.declared() + d.declared() +
         loaded("a", a, a_layout + "." + shape + ".shared", in_shared("a")) +
         loaded("b", b, b_layout + "." + shape, "\"l\"(b)",
                std::to_string(s.b_by_rows ? s.n : s.k)) +
         loaded("c", c, "row." + shape + ".shared::cta", in_shared("c"), std::to_string(s.n)) +
         "  asm volatile(\"wmma.mma.sync.aligned." + a_layout + "." + b_layout + "." + shape + "." +
         types + " " + lists + ";\" : " + d.operands("=") + " : " + a.operands("") + ", " +
         b.operands("") + ", " + c.operands("") + ");\n" + stored(d, "row." + shape, "\"l\"(c)");
}

TEST_P(WmmaShapes, GiveTheProductAsPtx) { expect_product(GetParam(), ptx_product_of(GetParam())); }

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

/// The same as PTX. Of a load, what is loaded is used.
std::string ptx_text_of(const json& row) {
  const std::string fragment = row["fragment"], type = row["type"], layout = row["layout"];
  const bool is_sum = fragment == "accumulator";
  const Registers r = is_sum ? sums("r", type, 256) : factor("r", type, 256);
  const std::string form =
                        (layout == "row_major" ? "row" : "col") + std::string(".m16n16k16.shared"),
                    which = is_sum                   ? "c"
                            : fragment == "matrix_a" ? "a"
                                                     : "b",
                    pitch = row["ld"].dump();
  std::string text = "__global__ void k(float* out) {\n  extern __shared__ __align__(32) char "
                     "tile[];\n" +
                     r.declared();
  if (row["access"] == "wmma_store")
    return text + "  for (auto& each : r) each = threadIdx.x;\n" +
           stored(r, form, in_shared("tile"), pitch) + "}";
  text += loaded(which, r, form, in_shared("tile"), pitch) + "  float all = 0;\n";
  return text + "  for (auto each : r) all += each;\n  out[threadIdx.x] = all;\n}";
}

void expect_counts(const json& row, const std::string& text) {
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {32, 1, 1}, {buffer<float>("out", 32)},
                                   ExecuteRequest{}, 16 * 136 * 4);
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

TEST(Wmma, CountsEqualTheCountersOnEveryRow) {
  const std::string folder = LANESCOPE_TRUTH_DIR;
  if (folder.empty()) GTEST_SKIP() << "no folder of hardware measurements";
  std::ifstream file(folder + "/wmma.jsonl");
  int rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    SCOPED_TRACE(line);
    const json row = json::parse(line);
    expect_counts(row, text_of(row));
    expect_counts(row, ptx_text_of(row));
  }
  EXPECT_EQ(rows, 45);
}

/// What an H200's registers hold after a load of elements that are their own indices, of bytes one of the two that the
/// index has; from its shared memory.
TEST(Wmma, AsPtxHoldsInEachRegisterWhatAnH200Holds) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/model/rows/wmma_fragments.jsonl");
  std::vector<json> rows;
  for (std::string line; std::getline(file, line);) rows.push_back(json::parse(line));
  ASSERT_EQ(rows.size(), 78u);
  for (const int bytes : {1, 2, 4, 8}) {
    std::string text = "__global__ void k(const char* in, unsigned* out) {\n"
                       "  __shared__ __align__(32) char s[16 * 16 * 8];\n";
    std::vector<unsigned> expected;
    const auto width = [](const json& row) {
      const std::string type = row["type"];
      return type == "f64" ? 8 : type == "s8" ? 1 : type == "f16" || type == "bf16" ? 2 : 4;
    };
    std::size_t loads = 0;
    for (const json& row : rows) {
      if (width(row) != bytes) continue;
      const std::string type = row["type"], hex = row["hex"];
      const std::string cpp = type == "f16"    ? "half"
                              : type == "bf16" ? "__nv_bfloat16"
                              : type == "tf32" ? "precision::tf32"
                              : type == "f32"  ? "float"
                              : type == "f64"  ? "double"
                              : type == "s8"   ? "signed char"
                                               : "int";
      const int count = row["registers"], words = bytes == 8 ? 2 : 1;
      const Registers r{"r", named(cpp), count};
      // 2 KB of elements for each load: bytes by their shift.
      const std::string from = std::to_string(row["shift"] == 8 ? 2048 : 0);
      text += "  {\n" + r.declared() +
              "  __syncwarp();\n  for (int i = threadIdx.x; i < 2048; i += "
              "32) s[i] = in[" +
              from + " + i];\n  __syncwarp();\n" +
              loaded(row["load"], r,
                     std::string(row["layout"]) + "." + std::string(row["shape"]) + ".shared",
                     in_shared("s")) +
              "  for (int i = 0; i < " + std::to_string(count * words) + "; ++i) out[" +
              std::to_string(expected.size()) + " + threadIdx.x * " +
              std::to_string(count * words) + " + i] = ((unsigned*)r)[i];\n  }\n";
      for (std::size_t at = 0; at < hex.size(); at += 8 * static_cast<std::size_t>(words))
        for (int word = 0; word < words; ++word)
          expected.push_back(static_cast<unsigned>(std::stoul(
              hex.substr(at + 8 * static_cast<std::size_t>(words - 1 - word), 8), nullptr, 16)));
      ++loads;
    }
    EXPECT_GT(loads, 0u);
    std::vector<std::uint8_t> in(4096);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const std::size_t element = i / static_cast<std::size_t>(bytes), byte = i % bytes;
      in[i] = static_cast<std::uint8_t>(bytes == 1 ? i % 2048 >> (i < 2048 ? 0 : 8)
                                        : byte < 4 ? element >> (8 * byte)
                                                   : 0);
    }
    const Outcome outcome = run_text(text + "}", "k", {1, 1, 1}, {32, 1, 1},
                                     {data("in", in), buffer<unsigned>("out", expected.size())});
    expect_each<unsigned>(outcome, "out", [&](std::size_t at) { return expected[at]; });
  }
}

TEST(Wmma, AsPtxMaySumInOneTypeAndGiveAnother) {
  const Registers halves = sums("h", "half", 256), floats = sums("f", "float", 256),
                  ones = factor("one", "half", 256);
  const auto product = [&](const Registers& d, const Registers& c) {
    return "  asm volatile(\"wmma.mma.sync.aligned.row.col.m16n16k16." + d.of.ptx + "." + c.of.ptx +
           " " + d.list(0) + ", " + ones.list(d.count) + ", " + ones.list(d.count) + ", " +
           c.list(d.count + 8) + ";\" : " + d.operands("=") + " : " + ones.operands("") + ", " +
           c.operands("") + ");\n";
  };
  const std::string begin = "__global__ void k(unsigned* out) {\n" + ones.declared() +
                            halves.declared() + floats.declared() +
                            "  for (auto& each : one) each = 0x3c003c00;\n"
                            "  for (auto& each : h) each = 0x34003400;\n"
                            "  for (auto& each : f) each = 0x1p-7f;\n";
  const auto run = [&](const std::string& body) {
    return run_text(begin + body + "}", "k", {1, 1, 1}, {32, 1, 1}, {buffer<unsigned>("out", 32)});
  };
  // 16.25; 16 + 2^-7 lies between two halves.
  const Outcome wide = run(product(floats, halves) + "  out[threadIdx.x] = __float_as_uint(f[3]);");
  expect_each<unsigned>(wide, "out", [](std::size_t) { return 0x41820000u; });
  const Outcome narrow = run(product(halves, floats) + "  out[threadIdx.x] = h[3];");
  expect_each<unsigned>(narrow, "out", [](std::size_t) { return 0x4c004c00u; });
}

TEST(Wmma, AsPtxTellsWhatIsWrong) {
  const auto run = [](const std::string& statement) {
    return run_text("__global__ void k(const char* in, unsigned* out) {\n"
                    "unsigned r[8] = {0, 0, 0, 0, 0, 0, 0, 0};\n" +
                        statement + "\nout[threadIdx.x] = r[0] + r[7];\n}",
                    "k", {1, 1, 1}, {32, 1, 1},
                    {buffer<std::uint16_t>("in", 512, Fill::zero), buffer<unsigned>("out", 32)});
  };
  const Registers r = factor("r", "half", 256);
  const std::string form = "row.m16n16k16.global";
  EXPECT_TRUE(run(loaded("a", r, form, "\"l\"(in)")).ok());
  const Outcome some = run("if (threadIdx.x != 20)" + loaded("a", r, form, "\"l\"(in)"));
  EXPECT_EQ(some.error().kind, DiagnosticKind::divergent_barrier) << some.report();
  const Outcome odd = run(loaded("a", r, form, "\"l\"(in + 1)"));
  EXPECT_EQ(odd.error().kind, DiagnosticKind::misaligned) << odd.report();
  const Outcome far = run(loaded("a", r, form, "\"l\"(in)", "64"));
  EXPECT_EQ(far.error().kind, DiagnosticKind::out_of_bounds) << far.report();
  // Elements of less than a byte, a shape of another type, a register too few, a layout too many.
  const Registers one{"r", named("int"), 1}, seven{"r", named("half"), 7};
  for (const std::string& statement :
       {loaded("a", one, "row.m8n8k32.global", "\"l\"(in)"),
        loaded("a", r, "row.m16n16k8.global", "\"l\"(in)"), loaded("a", seven, form, "\"l\"(in)"),
        loaded("a", r, "row." + form, "\"l\"(in)")}) {
    const Outcome outcome = run(statement);
    EXPECT_EQ(outcome.error().kind, DiagnosticKind::unsupported) << outcome.report();
    EXPECT_EQ(outcome.error().line, 3u) << outcome.report();
    EXPECT_NE(outcome.report().find("wmma.load.a.sync.aligned"), std::string::npos)
        << outcome.report();
  }
}

}  // namespace
}  // namespace lanescope
