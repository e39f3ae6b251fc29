// Bulk copies and tensor copies: what they move, what waits for them, and what is told of mistakes.
#include <algorithm>

#include <fstream>

#include <nlohmann/json.hpp>

#include "machine/bulk_reduction.h"
#include "run/bulk_text.h"
#include "run/nothing_wrong.h"

namespace lanescope {
namespace {

struct BulkCase {
  const char* name;
  const char* body;
  int (*expected)(int i);
};

const BulkCase kBulkCases[] = {
    {"to_shared_memory",
     "if (t == 0) { expect(bar, 1024); get(s, a + 4, 512, bar); get(s + 128, a + 256, 512, bar); } "
     "wait(bar, 0); for (int i = t; i < 256; i += 64) b[i] = s[i];",
     [](int i) { return i < 128   ? i + 4
                        : i < 256 ? i + 128
                                  : 0; }},
    {"from_shared_memory",
     "for (int i = t; i < 256; i += 64) s[i] = i * 3; fence(); __syncthreads(); if (t == 0) { "
     "put(b + 8, "
     "s, 1024); commit(); done(); }",
     [](int i) { return i >= 8 && i < 264 ? (i - 8) * 3 : 0; }},
    {"stages_in_turn",
     "for (int i = 0; i < 7; ++i) { if (t == 0) { expect(&bar[i % 2], 512); get(s + i % 2 * 128, a "
     "+ i * "
     "128, 512, &bar[i % 2]); } wait(&bar[i % 2], i / 2 % 2); b[i * 128 + t] = s[i % 2 * 128 + t]; "
     "__syncthreads(); }",
     [](int i) { return i < 896 && i % 128 < 64 ? i : 0; }},
    {"a_tile_and_what_lies_beyond_it",
     "if (t == 0) { expect(bar, 1024); get_tile(s, &map, 16, 20, bar); } wait(bar, 0);"
     "for (int i = t; i < 256; i += 64) b[i] = s[i] + 1;",
     [](int i) {
       const int x = i % 32 + 16, y = i / 32 + 20;
       return i >= 256 ? 0 : x < 40 && y < 24 ? y * 40 + x + 1 : 1;
     }},
    {"before_the_tensor_begins",
     "if (t == 0) { expect(bar, 1024); get_tile(s, &map, -8, -2, bar); } wait(bar, 0);"
     "for (int i = t; i < 256; i += 64) b[i] = s[i] + 1;",
     [](int i) {
       const int x = i % 32 - 8, y = i / 32 - 2;
       return i >= 256 ? 0 : x >= 0 && y >= 0 ? y * 40 + x + 1 : 1;
     }},
};

class BulkCopies : public testing::TestWithParam<BulkCase> {};

TEST_P(BulkCopies, MoveWhatTheManualSays) {
  for (const bool checks : {false, true}) {
    const Outcome outcome = run_bulk(std::string(kBegin) + GetParam().body, checks);
    EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
    expect_each<int>(outcome, "b",
                     [](std::size_t i) { return GetParam().expected(static_cast<int>(i)); });
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, BulkCopies, testing::ValuesIn(kBulkCases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(TensorCopies, WriteOnlyWhatTheTensorHas) {
  const Outcome outcome = run_bulk(
      std::string(kBegin) + "for (int i = t; i < 256; i += 64) s[i] = -1; fence(); __syncthreads();"
                            "if (t == 0) { put_tile(&map, s, 20, 18); commit(); done(); }",
      true);
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  expect_each<int>(outcome, "a", [](std::size_t i) {
    const int x = static_cast<int>(i) % 40, y = static_cast<int>(i) / 40;
    return x >= 20 && y >= 18 ? -1 : static_cast<int>(i);
  });
}

/// CUDA C++ Programming Guide, "Swizzle patterns": the chunk of 16 bytes a row's chunk c lies in.
int chunk_in(int row_bytes, int row, int chunk) {
  if (row_bytes == 128) return chunk ^ (row % 8);
  if (row_bytes == 64) return chunk ^ (row / 2 % 4);
  return chunk ^ (row / 4 % 2);
}

/// The counts of the only access that does this.
AccessCounts counts_of(const Outcome& outcome, AccessOp op) {
  for (const AccessInfo& access : outcome.info().accesses)
    if (access.op == op) return outcome.result.accesses[access.id];
  ADD_FAILURE() << "no access of that kind";
  return {};
}

TEST(TensorCopies, AreCounted) {
  const Outcome outcome = run_bulk(
      std::string(kBegin) +
      "if (t < 3) { if (t == 0) expect(bar, 3072); __syncwarp(7); get_tile(s + t * 256, &map, "
      "t * 12, t * 8, bar); } wait(bar, 0); fence(); if (t == 0) { put_tile(&map, s, 20, 18); "
      "commit(); done(); }");
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  // Rows of 128 bytes: at 0; at 48, five sectors of four; at 96, 64 bytes inside and 64 that are zeros.
  const AccessCounts load = counts_of(outcome, AccessOp::bulk_load);
  EXPECT_EQ(load.executions, 1u);
  EXPECT_EQ(load.global,
            (GlobalCounts{3, 8 * 4 + 8 * 5 + 8 * 4, (1024 + 896 + 512) / 32, 1024 + 896 + 512}));
  // 80 of 160 bytes of six rows, from byte 80 on.
  const AccessCounts store = counts_of(outcome, AccessOp::bulk_store);
  EXPECT_EQ(store.global, (GlobalCounts{1, 6 * 3, 15, 480}));
}

TEST(BulkCopies, AreCounted) {
  const Outcome outcome =
      run_bulk(std::string(kBegin) + "if (t == 0) { expect(bar, 1056); get(s, a + 4, 1024, bar); } "
                                     "if (t == 32) get(s + 512, a, 32, bar); wait(bar, 0);");
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  std::uint64_t sectors = 0, requests = 0;
  for (const AccessInfo& access : outcome.info().accesses)
    if (access.op == AccessOp::bulk_load) {
      sectors += outcome.result.accesses[access.id].global.sectors;
      requests += outcome.result.accesses[access.id].global.requests;
    }
  EXPECT_EQ(requests, 2u);
  // Eight lines of shared memory, whose bytes lie in five sectors each; and one sector.
  EXPECT_EQ(sectors, 8 * 5 + 1u);
}

TEST(TensorCopies, SwizzleAsTheGuideDraws) {
  for (const auto& [swizzle, bytes] :
       {std::pair(TensorSwizzle::bytes128, 128), std::pair(TensorSwizzle::bytes64, 64),
        std::pair(TensorSwizzle::bytes32, 32)}) {
    const int width = bytes / 4;
    const Outcome outcome =
        run_bulk(std::string(kBegin) + "if (t == 0) { expect(bar, 16 * " + std::to_string(bytes) +
                     "); get_tile(s, &map, 0, 0, bar); } wait(bar, 0);"
                     "for (int i = t; i < 16 * " +
                     std::to_string(width) + "; i += 64) b[i] = s[i];",
                 map_of(static_cast<std::uint32_t>(width), 16, swizzle));
    expect_each<int>(outcome, "b", [&](std::size_t i) {
      const int at = static_cast<int>(i), row = at / width, chunk = at % width / 4;
      return row >= 16 ? 0 : row * 40 + chunk_in(bytes, row, chunk) * 4 + at % 4;
    });
  }
}

/// Read from an H200: rows begin at multiples of the swizzle's width however short they are, and the element stride
/// counts for all dimensions but the first.
TEST(TensorCopies, LeaveRoomBetweenShortRows) {
  TextArgument map = map_of(12, 5, TensorSwizzle::bytes64);
  const Outcome outcome = run_bulk(
      std::string(kBegin) + "if (t == 0) { expect(bar, 240); get_tile(s, &map, 4, 3, bar); } "
                            "wait(bar, 0); b[t] = s[t]; if (t < 16) b[t + 64] = s[t + 64];",
      map);
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  const std::span<const int> b = outcome.values<int>("b");
  for (int row = 0; row < 5; ++row)
    for (int x = 0; x < 12; ++x) {
      const int chunk = (x / 4) ^ (row / 2 % 4);
      EXPECT_EQ(b[static_cast<std::size_t>(row * 16 + chunk * 4 + x % 4)], (row + 3) * 40 + x + 4);
    }
}

TEST(TensorCopies, SkipElementsBeyondTheFirstDimension) {
  TensorMap map;
  map.address = 16;
  map.rank = 2, map.element_bytes = 4;
  map.extent = {40, 24}, map.stride = {4, 160}, map.box = {8, 7}, map.element_stride = {2, 3};
  TextArgument argument = map_of(8, 7, TensorSwizzle::none);
  const auto bytes = encode(map);
  argument.argument.bytes.assign(bytes.begin(), bytes.end());
  const Outcome outcome = run_bulk(
      std::string(kBegin) + "if (t == 0) { expect(bar, 96); get_tile(s, &map, 4, 1, bar); } "
                            "wait(bar, 0); if (t < 24) b[t] = s[t];",
      argument);
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  expect_each<int>(outcome, "b", [](std::size_t i) {
    const int at = static_cast<int>(i);
    return at < 24 ? (1 + at / 8 * 3) * 40 + 4 + at % 8 : 0;
  });
}

TEST(BulkCopies, ByBarriersOfTheLibrary) {
  const char* text = R"(
#include <cuda.h>
#include <cuda/barrier>
namespace cde = cuda::device::experimental;
__global__ void k(int* a, int* b, const __grid_constant__ CUtensorMap map) {
  __shared__ __align__(128) int s[256], u[64];
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) { init(&bar, blockDim.x); cde::fence_proxy_async_shared_cta(); }
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(s, &map, 8, 8, bar);
    cde::cp_async_bulk_global_to_shared(u, a + 64, 256, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof s + sizeof u);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < 256; i += 64) s[i] += u[i % 64];
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_shared_to_global(b, s, 1024);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
})";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {64, 1, 1},
               {buffer<int>("a", 960, Fill::index), buffer<int>("b", 256, Fill::zero),
                map_of(32, 8, TensorSwizzle::none)},
               ExecuteRequest{.checks = true});
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  expect_each<int>(outcome, "b", [](std::size_t i) {
    const int at = static_cast<int>(i);
    return (at / 32 + 8) * 40 + at % 32 + 8 + 64 + at % 64;
  });
}

// ---- cp.reduce ----

TensorElement element_named(const std::string& name) {
  if (name == "f32ftz") return TensorElement::f32_ftz;
  for (int i = 0; i <= static_cast<int>(TensorElement::tf32_ftz); ++i)
    if (tensor_element_name(static_cast<TensorElement>(i)) == name)
      return static_cast<TensorElement>(i);
  ADD_FAILURE() << name;
  return {};
}
BulkReduction reduction_named(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(BulkReduction::xor_); ++i)
    if (reduction_name(static_cast<BulkReduction>(i)) == name) return static_cast<BulkReduction>(i);
  ADD_FAILURE() << name;
  return {};
}

TEST(BulkReductions, MakeWhatAnH200Makes) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/model/rows/bulk_reductions.jsonl");
  std::size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const nlohmann::json row = nlohmann::json::parse(line);
    // "add.noftz.f16", "tensor.min.s32"
    std::string name = row["op"];
    if (name.starts_with("tensor.")) name.erase(0, 7);
    const BulkReduction how = reduction_named(name.substr(0, name.find('.')));
    const TensorElement element = element_named(name.substr(name.rfind('.') + 1));
    const auto words = [&](const char* of) {
      std::vector<std::uint32_t> out;
      const std::string hex = row[of];
      for (std::size_t at = 0; at < hex.size(); at += 8)
        out.push_back(static_cast<std::uint32_t>(std::stoul(hex.substr(at, 8), nullptr, 16)));
      return out;
    };
    std::vector<std::uint32_t> to = words("before");
    const std::vector<std::uint32_t> from = words("source");
    ASSERT_TRUE(is_known(how, element)) << row["op"];
    bulk::reduce(how, element, reinterpret_cast<std::byte*>(to.data()),
                 reinterpret_cast<const std::byte*>(from.data()), 512);
    EXPECT_EQ(to, words("after")) << row["op"];
  }
  EXPECT_EQ(rows, 32u);
}

// Blocks add to the same numbers, in whatever order.
TEST(BulkReductions, AddUpOverTheBlocksOfAGrid) {
  const Outcome outcome = run_text(
      std::string(kBulkFunctions) +
          "__global__ void k(int* b) {\n__shared__ __align__(16) int s[256];\n"
          "for (int i = threadIdx.x; i < 256; i += 32) s[i] = i + blockIdx.x; fence(); "
          "__syncthreads();\nif (threadIdx.x == 0) { add(b, s, 1024); commit(); done(); }\n}",
      "k", {5, 1, 1}, {32, 1, 1}, {buffer<int>("b", 256, Fill::index)},
      ExecuteRequest{.checks = true});
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  expect_each<int>(outcome, "b",
                   [](std::size_t i) { return 6 * static_cast<int>(i) + 0 + 1 + 2 + 3 + 4; });
  GlobalCounts all;
  for (const AccessCounts& counts : outcome.result.accesses) all += counts.global;
  EXPECT_EQ(all.requests, 5u);
  EXPECT_EQ(all.sectors, 5u * 32);
}

TEST(BulkReductions, AddHalvesThatDoNotFlush) {
  const Outcome outcome = run_text(
      std::string(kBulkFunctions) +
          "__global__ void k(unsigned* b) {\n__shared__ __align__(16) unsigned s[32];\n"
          "s[threadIdx.x] = threadIdx.x * 0x10001; fence(); __syncwarp();\n"
          "if (threadIdx.x == 0) { asm volatile(\"cp.reduce.async.bulk.global.shared::cta.bulk_"
          "group.L2::cache_hint.add.noftz.bf16 [%0], [%1], %2, %3;\" :: \"l\"(b), \"r\"(at(s)), "
          "\"r\"(128), \"l\"(0ull) : \"memory\"); commit(); done(); }\n}",
      "k", {1, 1, 1}, {32, 1, 1}, {buffer<unsigned>("b", 32, Fill::zero)});
  expect_each<unsigned>(outcome, "b",
                        [](std::size_t i) { return static_cast<unsigned>(i) * 0x10001u; });
}

TEST(BulkReductions, OfATileTakeItsTypeFromTheMap) {
  const Outcome outcome = run_bulk(
      std::string(kBegin) +
          "for (int i = t; i < 256; i += 64) s[i] = i % 2 ? 2000 : -5; fence(); __syncthreads();"
          "if (t == 0) { most_of_tile(&map, s, 32, 20); commit(); done(); } __syncthreads();"
          "for (int i = t; i < 960; i += 64) b[i] = a[i];",
      true);
  EXPECT_TRUE(nothing_is_wrong(outcome)) << outcome.report();
  expect_each<int>(outcome, "b", [](std::size_t i) {
    const int at = static_cast<int>(i), x = at % 40, y = at / 40;
    return at < 960 && x >= 32 && y >= 20 && x % 2 == 1 ? 2000 : at < 960 ? at : 0;
  });
}

struct BulkMistake {
  const char* name;
  const char* body;
  const char* says;
  DiagnosticKind kind;
  bool checks = false;
};

const BulkMistake kBulkMistakes[] = {
    {"a_size_that_is_no_multiple",
     "if (t == 0) { expect(bar, 8); get(s, a, 8, bar); } wait(bar, 0);",
     "a bulk copy of 8 bytes from address", DiagnosticKind::misaligned},
    {"a_source_that_is_not_aligned",
     "if (t == 0) { expect(bar, 16); get(s, a + 1, 16, bar); } wait(bar, 0);",
     "have to be multiples of 16", DiagnosticKind::misaligned},
    {"past_the_end", "if (t == 0) { expect(bar, 64); get(s, a + 952, 64, bar); } wait(bar, 0);",
     "out-of-bounds read of 64 bytes: element 960 of 'a'", DiagnosticKind::out_of_bounds},
    {"past_shared_memory",
     "if (t == 0) { expect(bar, 2048); get(s + 1020, a, 2048, bar); } wait(bar, 0);",
     "out-of-bounds write of 2048 bytes", DiagnosticKind::out_of_bounds},
    {"more_bytes_than_are_expected",
     "if (t == 0) { expect(bar, 512); get(s, a, 1024, bar); } wait(bar, 0);",
     "512 bytes have been copied that nobody expects", DiagnosticKind::divergent_barrier},
    {"fewer_bytes_than_are_expected",
     "if (t == 0) { expect(bar, 2048); get(s, a, 1024, bar); } wait(bar, 0);",
     "0 of 1 arrivals and 1024 bytes are missing", DiagnosticKind::divergent_barrier},
    {"an_mbarrier_that_is_none", "__shared__ u64 none; if (t == 0) { get(s, a, 1024, &none); }",
     "is no mbarrier", DiagnosticKind::divergent_barrier},
    {"read_before_the_wait",
     "if (t == 0) { expect(bar, 256); get(s, a, 256, bar); } __syncthreads(); b[t] = s[t]; "
     "wait(bar, 0);",
     "before the bulk copy by thread (0, 0, 0)", DiagnosticKind::race, true},
    {"another_mbarrier_is_waited_for",
     "if (t == 0) { expect(bar, 256); get(s, a, 256, bar); expect(bar + 1, 256); get(s + 64, a, "
     "256, bar + "
     "1); } wait(bar + 1, 0); b[t] = s[t]; wait(bar, 0);",
     "before the bulk copy by thread (0, 0, 0)", DiagnosticKind::race, true},
    {"a_stage_that_is_still_read",
     "if (t == 0) { expect(bar, 256); get(s, a, 256, bar); } wait(bar, 0); b[t] = s[t]; if (t == "
     "32) { "
     "expect(bar, 256); get(s, a + 64, 256, bar); } wait(bar, 1);",
     "race: write to shared byte", DiagnosticKind::race, true},
    {"no_fence_before_the_copy",
     "s[t] = t; __syncthreads(); if (t == 0) { put(b, s, 256); commit(); done(); }",
     "no fence.proxy.async follows the write by thread", DiagnosticKind::race, true},
    {"the_source_is_overwritten",
     "s[t] = t; fence(); __syncthreads(); if (t == 0) { put(b, s, 256); commit(); } s[t] = 0;",
     "before the bulk copy by thread (0, 0, 0)", DiagnosticKind::race, true},
    {"no_map_at_all", "if (t == 0) get_tile(s, (const Map*)a, 0, 0, bar);",
     "a tensor copy without a tensor map", DiagnosticKind::usage},
    {"a_tile_that_is_not_aligned", "if (t == 0) get_tile(s + 16, &map, 0, 0, bar);",
     "a tensor copy to or from shared byte 64: through this map it has to be a multiple of 128",
     DiagnosticKind::misaligned},
    {"a_tile_past_shared_memory", "if (t == 0) get_tile(s + 960, &map, 0, 0, bar);",
     "out-of-bounds write of 1024 bytes", DiagnosticKind::out_of_bounds},
    {"a_tile_between_chunks",
     "if (t == 0) { expect(bar, 1024); get_tile(s, &map, 2, 0, bar); } wait(bar, 0);",
     "begins at element 2 of a row, elements of 4 bytes: an illegal instruction",
     DiagnosticKind::misaligned},
    {"a_tile_stored_before_its_tensor", "if (t == 0) put_tile(&map, s, 0, -1);",
     "at coordinate -1 of dimension 1: an illegal instruction below 0", DiagnosticKind::usage},
    {"sums_that_are_read_before_they_are_there",
     "s[t] = 1; fence(); __syncthreads(); if (t == 0) { add(b, s, 256); commit(); } s[t] = 2;",
     "before the bulk copy by thread (0, 0, 0)", DiagnosticKind::race, true},
    {"sums_of_a_few_bytes", "if (t == 0) { add(b + 1, s, 16); commit(); done(); }",
     "have to be multiples of 16", DiagnosticKind::misaligned},
    {"a_sum_that_ptx_does_not_have",
     "if (t == 0) asm volatile(\"cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%0], "
     "[%1], %2;\" :: \"l\"(b), \"r\"(at(s)), \"r\"(16) : \"memory\");",
     "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32", DiagnosticKind::unsupported},
    {"a_tile_of_another_type",
     "if (t == 0) asm volatile(\"cp.reduce.async.bulk.tensor.2d.global.shared::cta.inc.bulk_group "
     "[%0, {%2, %2}], [%1];\" :: \"l\"(&map), \"r\"(at(s)), \"r\"(0) : \"memory\");",
     "a tensor copy cannot inc numbers of the map's type s32", DiagnosticKind::usage},
    {"another_rank",
     "if (t == 0) asm "
     "volatile(\"cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
     "[%0], [%1, {%2}], [%3];\" :: \"r\"(at(s)), \"l\"(&map), \"r\"(0), \"r\"(at(bar)) : "
     "\"memory\");",
     "a tensor copy of 1 dimensions through a map of 2", DiagnosticKind::usage},
};

class BulkMistakes : public testing::TestWithParam<BulkMistake> {};

TEST_P(BulkMistakes, AreTold) {
  const BulkMistake& mistake = GetParam();
  const Outcome outcome = run_bulk(std::string(kBegin) + mistake.body, mistake.checks);
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  const std::vector<Diagnostic>& all = outcome.result.diagnostics;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Diagnostic& d) {
    return d.kind == mistake.kind && d.message.english().find(mistake.says) != std::string::npos;
  });
  ASSERT_NE(found, all.end()) << outcome.report();
  EXPECT_GT(found->line, 0u);
}

INSTANTIATE_TEST_SUITE_P(Texts, BulkMistakes, testing::ValuesIn(kBulkMistakes),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(BulkProof, KnowsWhetherATileFitsInEveryBlock) {
  const auto fallback = [](const std::string& copy) {
    const Outcome outcome = run_text(
        std::string(kBulkFunctions) +
            "__global__ void k(int* a, const __grid_constant__ Map map) {\n"
            "__shared__ __align__(128) int s[1024]; s[threadIdx.x] = 1; fence(); __syncthreads();\n"
            "if (threadIdx.x == 0) { " +
            copy + " commit(); done(); }\n}",
        "k", {3, 1, 1}, {32, 1, 1},
        {buffer<int>("a", 960, Fill::index), map_of(32, 8, TensorSwizzle::none)}, CountRequest{});
    return outcome.result.coverage.fallback;
  };
  EXPECT_EQ(fallback("put_tile(&map, s, 0, 8 * (int)blockIdx.x);"), "");
  EXPECT_EQ(fallback("put_tile(&map, s + 32 * blockIdx.x, 0, 0);"), "");
  EXPECT_NE(fallback("put_tile(&map, s + 4 * blockIdx.x, 0, 0);").find("misaligned"),
            std::string::npos);
  EXPECT_NE(fallback("put_tile(&map, s + 512 * blockIdx.x, 0, 0);").find("leave shared memory"),
            std::string::npos);
  EXPECT_NE(fallback("put_tile(&map, s, 0, (int)blockIdx.x - 1);").find("before its tensor"),
            std::string::npos);
}

}  // namespace
}  // namespace lanescope
