// The measured kernels, unchanged, with each measured launch: counts must equal the hardware's.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lanescope/compile.h"
#include "lanescope/run.h"

namespace lanescope {
namespace {

using nlohmann::json;

struct Totals {
  std::uint64_t shared = 0, shared_ideal = 0, load_requests = 0, load_sectors = 0,
                store_requests = 0, store_sectors = 0;
};

Totals totals_of(const KernelInfo& kernel, const RunResult& result) {
  Totals t;
  for (const AccessInfo& access : kernel.accesses) {
    const AccessCounts& counts = result.accesses[access.id];
    t.shared += counts.shared.wavefronts;
    t.shared_ideal += counts.shared.ideal_wavefronts;
    (access.op == AccessOp::store ? t.store_requests : t.load_requests) += counts.global.requests;
    (access.op == AccessOp::store ? t.store_sectors : t.load_sectors) += counts.global.sectors;
  }
  return t;
}

std::string instance(const json& row) {
  const std::string kernel = row["kernel"], type = row["type"];
  const std::string x = std::to_string(row["block"][0].get<int>()),
                    y = std::to_string(row["block"][1].get<int>());
  const std::string pad = std::to_string(row.value("pad", 0));
  if (kernel == "copy" || kernel == "naive_row" || kernel == "naive_col")
    return "k_" + kernel + "<" + type + ">";
  if (kernel == "smem" || kernel == "smem_unroll2")
    return "k_" + kernel + "<" + type + "," + x + "," + y + "," + pad + ">";
  if (kernel.starts_with("tile") && kernel.ends_with("_swizzle"))
    return "k_tile_swizzle<" + type + "," + x + "," + y + ">";
  if (kernel == "tile64x2") return "k_64";
  if (kernel.starts_with("tile"))
    return "k_tile<" + type + "," + kernel.substr(4) + "," + y + "," + pad + ">";
  if (kernel == "vec4") return "k_vec4<" + pad + ">";
  if (kernel == "gemm2d") {
    std::string text = "k_gemm2d<";
    for (const char* p : {"BM", "BN", "BK", "TM", "TN"})
      text += std::to_string(row[p].get<int>()) + (std::string(p) == "TN" ? ">" : ",");
    return text;
  }
  return "k_" + kernel;
}

Launch launch_of(const json& row) {
  Launch launch;
  launch.block = {row["block"][0], row["block"][1], 1};
  launch.grid = {row["grid"][0], row["grid"][1], 1};
  const auto scalar = [&](const char* name, const char* key) {
    launch.arguments.push_back({name, std::to_string(row[key].get<int>()), ""});
  };
  if (row["kernel"] == "gemm2d") {
    for (const char* name : {"M", "N", "K"}) scalar(name, name);
    for (const char* name : {"A", "B", "C"}) launch.arguments.push_back({name, "", name});
  } else {
    scalar("rows", "rows");
    scalar("cols", "cols");
    for (const char* name : {"in", "out"}) launch.arguments.push_back({name, "", name});
  }
  return launch;
}

template <class T>
void expect_result(const json& row, const GlobalMemory& memory) {
  const auto rows = row["rows"].get<std::size_t>(), cols = row["cols"].get<std::size_t>();
  const T* out = reinterpret_cast<const T*>(memory.find("out")->data);
  std::size_t wrong = 0;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; ++c) {
      const T expected = static_cast<T>(r * cols + c),
              got = out[row["kernel"] == "copy" ? r * cols + c : c * rows + r];
      wrong += !(got == expected);
    }
  EXPECT_EQ(wrong, 0u);
}

void expect_gemm(const json& row, const GlobalMemory& memory) {
  const auto M = row["M"].get<std::size_t>(), N = row["N"].get<std::size_t>(),
             K = row["K"].get<std::size_t>();
  const auto* a = reinterpret_cast<const float*>(memory.find("A")->data);
  const auto* b = reinterpret_cast<const float*>(memory.find("B")->data);
  const auto* c = reinterpret_cast<const float*>(memory.find("C")->data);
  for (std::size_t i = 0; i < M; i += 37)
    for (std::size_t j = 0; j < N; j += 29) {
      double sum = 0;
      for (std::size_t k = 0; k < K; ++k) sum += double{a[i * K + k]} * double{b[k * N + j]};
      ASSERT_LE(std::abs(c[i * N + j] - sum), 1e-4 * std::abs(sum) + 1e-3) << i << "," << j;
    }
}

GlobalMemory memory_of(const json& row) {
  GlobalMemory memory;
  const auto add = [&](const char* name, std::uint64_t count, Fill fill) {
    const ScalarType type = row["type"] == "double" ? ScalarType::f64 : ScalarType::f32;
    EXPECT_FALSE(memory.add({name, type, count, fill}).has_value());
  };
  if (row["kernel"] == "gemm2d") {
    const auto M = row["M"].get<std::uint64_t>(), N = row["N"].get<std::uint64_t>(),
               K = row["K"].get<std::uint64_t>();
    add("A", M * K, Fill::random);
    add("B", K * N, Fill::random);
    add("C", M * N, Fill::poison);
  } else {
    const auto count = row["rows"].get<std::uint64_t>() * row["cols"].get<std::uint64_t>();
    add("in", count, Fill::index);
    add("out", count, Fill::poison);
  }
  return memory;
}

void check_row(const std::string& text, const json& row) {
  CompileRequest request;
  request.file = "kernels.cu";
  request.text = text;
  request.kernel = instance(row);
  SCOPED_TRACE("row " + row["row"].dump() + " " + request.kernel);
  const CompileResult compiled = compile(request);
  for (const Diagnostic& d : compiled.diagnostics) ADD_FAILURE() << format_diagnostic(d);
  ASSERT_NE(compiled.program, nullptr);
  GlobalMemory memory = memory_of(row);
  const RunResult result = execute(*compiled.program, launch_of(row), memory, {});
  for (const Diagnostic& d : result.diagnostics) ADD_FAILURE() << format_diagnostic(d);
  const Totals t = totals_of(compiled.program->info(), result);
  const json& hw = row["counters"];
  const std::string kernel = row["kernel"];
  // ptxas merges the GEMM's scalar shared loads into wide ones, and LDGSTS writes shared memory
  // outside this counter.
  const bool source_level_only = kernel == "gemm2d" || kernel == "async";
  if (!source_level_only) {
    EXPECT_EQ(t.shared, hw["shared_wavefronts_sass"].get<std::uint64_t>());
    EXPECT_EQ(t.shared_ideal, hw["shared_wavefronts_ideal_sass"].get<std::uint64_t>());
  }
  EXPECT_EQ(t.load_requests, hw["global_load_requests"].get<std::uint64_t>());
  EXPECT_EQ(t.load_sectors, hw["global_load_sectors"].get<std::uint64_t>());
  EXPECT_EQ(t.store_requests, hw["global_store_requests"].get<std::uint64_t>());
  EXPECT_EQ(t.store_sectors, hw["global_store_sectors"].get<std::uint64_t>());
  const RunResult classes = count(*compiled.program, launch_of(row), memory, {});
  EXPECT_GT(classes.coverage.classes, 0u) << classes.coverage.fallback;
  EXPECT_EQ(classes.accesses, result.accesses);
  EXPECT_EQ(classes.op_executions, result.op_executions);
  if (kernel == "gemm2d")
    expect_gemm(row, memory);
  else if (row["type"] == "double")
    expect_result<double>(row, memory);
  else
    expect_result<float>(row, memory);
}

TEST(HardwareKernels, CountsEqualTheCountersOnEveryRow) {
  const std::string folder = LANESCOPE_TRUTH_DIR;
  if (folder.empty()) GTEST_SKIP() << "no folder of hardware measurements";
  std::ifstream source(folder + "/kernels.cu"), rows(folder + "/kernels.jsonl");
  std::stringstream text;
  text << source.rdbuf();
  int count = 0;
  for (std::string line; std::getline(rows, line); ++count)
    check_row(text.str(), json::parse(line));
  EXPECT_EQ(count, 75);
}

}  // namespace
}  // namespace lanescope
