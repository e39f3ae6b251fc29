// Cooperative groups, and the warp's own operations that they are made of: matches and reductions.
#include <algorithm>
#include <bit>
#include <functional>

#include "run/run_text.h"

namespace lanescope {
namespace {

using U = std::uint32_t;

std::vector<int> mixed(std::size_t n, int below = 1000) {
  std::vector<int> values(n);
  U seed = 99;
  for (int& v : values)
    v = static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 8) % below - below / 3;
  return values;
}
int fold(const std::vector<int>& in, std::size_t first, std::size_t count,
         const std::function<int(int, int)>& op) {
  int result = in[first];
  for (std::size_t i = 1; i < count; ++i) result = op(result, in[first + i]);
  return result;
}

TEST(Reductions, OfTheWholeWarpAndOfPartsOfIt) {
  const char* text = R"(
__global__ void k(const int* in, int* out) {
  int t = threadIdx.x, v = in[t]; unsigned u = v; int* o = out + t * 10;
  o[0] = __reduce_add_sync(~0u, v); o[1] = __reduce_min_sync(~0u, v); o[2] = __reduce_max_sync(~0u, v);
  o[3] = __reduce_min_sync(~0u, u); o[4] = __reduce_max_sync(~0u, u); o[5] = __reduce_and_sync(~0u, u);
  o[6] = __reduce_or_sync(~0u, u); o[7] = __reduce_xor_sync(~0u, u);
  unsigned half = t % 32 < 16 ? 0xffffu : 0xffff0000u;
  o[8] = __reduce_add_sync(half, v);
  o[9] = -1;
  if (t % 3 == 0) o[9] = __reduce_max_sync(__activemask(), v);
})";
  const std::vector<int> in = mixed(64);
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {64, 1, 1}, {data("in", in), buffer<int>("out", 640)});
  expect_each<int>(outcome, "out", [&](std::size_t i) {
    const std::size_t t = i / 10, warp = t / 32 * 32;
    const auto all = [&](auto op) { return fold(in, warp, 32, op); };
    switch (i % 10) {
    case 0:
      return all(std::plus<>());
    case 1:
      return all([](int a, int b) { return std::min(a, b); });
    case 2:
      return all([](int a, int b) { return std::max(a, b); });
    case 3:
      return all([](int a, int b) { return static_cast<int>(std::min(U(a), U(b))); });
    case 4:
      return all([](int a, int b) { return static_cast<int>(std::max(U(a), U(b))); });
    case 5:
      return all(std::bit_and<>());
    case 6:
      return all(std::bit_or<>());
    case 7:
      return all(std::bit_xor<>());
    case 8:
      return fold(in, t / 16 * 16, 16, std::plus<>());
    default:
      break;
    }
    int most = -100000;
    for (std::size_t l = warp; l < warp + 32; ++l)
      if (l % 3 == 0) most = std::max(most, in[l]);
    return t % 3 == 0 ? most : -1;
  });
}

TEST(Reductions, ALaneThatTheMaskForgetsIsFound) {
  const char* text =
      "__global__ void k(int* out) { out[threadIdx.x] = __reduce_add_sync(0xffffu, 1); }";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {32, 1, 1}, {buffer<int>("out", 32)});
  EXPECT_EQ(outcome.error().kind, DiagnosticKind::divergent_barrier) << outcome.report();
}

TEST(Matches, CompareBits) {
  const char* text = R"(
__global__ void k(unsigned* out) {
  int t = threadIdx.x, all; unsigned* o = out + t * 5;
  o[0] = __match_all_sync(~0u, 7.5, &all); o[1] = all;
  o[2] = __match_all_sync(~0u, t / 31, &all); o[3] = all;
  o[4] = __match_any_sync(~0u, t % 2 ? 0.0f : -0.0f);
})";
  const Outcome outcome = run_text(text, "k", {1, 1, 1}, {32, 1, 1}, {buffer<U>("out", 160)});
  expect_each<U>(outcome, "out", [](std::size_t i) -> U {
    const U values[] = {0xffffffffu, 1, 0, 0, i / 5 % 2 != 0 ? 0xaaaaaaaau : 0x55555555u};
    return values[i % 5];
  });
}

const char* const kGroupHeaders = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
)";

// 80 threads: the last warp has 16.
Outcome run_groups(const std::string& body, std::size_t per_thread, const std::vector<int>& in,
                   U blocks = 1) {
  const std::string text =
      kGroupHeaders +
      std::string(
          "struct Big { int a; float b, c; };\n__global__ void k(const int* in, int* out) {\n"
          "  auto block = cg::this_thread_block(); auto grid = cg::this_grid(); int t = "
          "grid.thread_rank(), v = in[t]; int* o = out + t * ") +
      std::to_string(per_thread) + ";\n" + body + "}";
  return run_text(text, "k", {blocks, 1, 1}, {20, 4, 1},
                  {data("in", in), buffer<int>("out", in.size() * per_thread)});
}

TEST(Groups, RanksAndSizes) {
  const Outcome outcome = run_groups(R"(
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  auto inner = cg::tiled_partition<4>(cg::tiled_partition<16>(block));
  cg::thread_group any = block, part = cg::tiled_partition(block, 32), of_part = cg::tiled_partition(part, 8);
  o[0] = block.thread_rank(); o[1] = block.num_threads(); o[2] = block.dim_threads().y * 100 + block.group_index().x; o[3] = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size();
  o[4] = inner.thread_rank() + 100 * inner.meta_group_rank() + 10000 * inner.meta_group_size();
  o[5] = any.thread_rank() + 100 * any.size(); o[6] = part.thread_rank() + 100 * part.size(); o[7] = of_part.thread_rank() + 100 * of_part.size();
  o[8] = grid.thread_rank(); o[9] = grid.num_blocks() * 10000 + grid.size(); o[10] = cg::thread_rank(tile) + 100 * cg::group_size(any);
  any.sync(); part.sync(); of_part.sync(); tile.sync(); cg::sync(block); block.barrier_wait(block.barrier_arrive());
  )",
                                     11, mixed(160), 2);
  expect_each<int>(outcome, "out", [](std::size_t i) {
    const int all = static_cast<int>(i / 11), t = all % 80;
    const int values[] = {t,
                          80,
                          400 + all / 80,
                          t % 16 + 100 * (t / 16) + 50000,
                          t % 4 + 100 * (t % 16 / 4) + 40000,
                          t + 8000,
                          t % 32 + 100 * (t < 64 ? 32 : 16),
                          t % 8 + 800,
                          all,
                          20160,
                          t % 16 + 8000};
    return values[i % 11];
  });
}

TEST(Groups, TilesMoveAndVote) {
  const std::vector<int> in = mixed(80);
  const Outcome outcome = run_groups(R"(
  auto tile = cg::tiled_partition<8>(block); int all;
  o[0] = tile.shfl(v, 3); o[1] = tile.shfl_up(v, 2); o[2] = tile.shfl_down(v, 1); o[3] = tile.shfl_xor(v, 5);
  o[4] = tile.ballot(v > 100); o[5] = tile.any(v > 600); o[6] = tile.all(v > -300); o[7] = tile.match_any(v % 2 != 0);
  o[8] = tile.match_all((long long)(t / 9), all) * 10 + all;
  Big big = tile.shfl(Big{v, 2.0f * v, 3.0f * v}, 1); o[9] = big.a + (int)(big.c - big.b);
  o[10] = tile.shfl((char)t, 2) + tile.shfl((short)v, 4);
  o[11] = cg::tiled_partition<1>(block).shfl(v, 0) + cg::tiled_partition<32>(block).size();
  )",
                                     12, in);
  expect_each<int>(outcome, "out", [&](std::size_t i) {
    const std::size_t t = i / 12, first = t / 8 * 8, rank = t % 8;
    const auto mask = [&](auto test) {
      int m = 0;
      for (std::size_t l = 0; l < 8; ++l) m |= static_cast<int>(test(first + l)) << l;
      return m;
    };
    const int same = mask([&](std::size_t l) { return (in[l] % 2 != 0) == (in[t] % 2 != 0); });
    const bool all = first / 9 == (first + 7) / 9;
    const int values[] = {in[first + 3],
                          in[rank >= 2 ? t - 2 : t],
                          in[rank < 7 ? t + 1 : t],
                          in[first + (rank ^ 5)],
                          mask([&](std::size_t l) { return in[l] > 100; }),
                          mask([&](std::size_t l) { return in[l] > 600; }) != 0,
                          mask([&](std::size_t l) { return in[l] > -300; }) == 255,
                          same,
                          all ? 2551 : 0,
                          2 * in[first + 1],
                          static_cast<int>(first + 2) + in[first + 4],
                          in[t] + 32};
    return values[i % 12];
  });
}

TEST(Groups, CoalescedThreadsAreRenumbered) {
  const std::vector<int> in = mixed(80);
  const Outcome outcome = run_groups(R"(
  for (int i = 0; i < 9; ++i) o[i] = -1;
  if (t % 3 == 1) {
    cg::coalesced_group g = cg::coalesced_threads();
    o[0] = g.thread_rank() + 100 * g.size(); o[1] = g.shfl(v, 2); o[2] = g.shfl_down(v, 3); o[3] = g.shfl_up(v, 1);
    o[4] = g.ballot(v % 2 != 0); o[5] = cg::reduce(g, v, cg::plus<int>()); o[6] = (int)cg::reduce(g, (float)v, cg::greater<float>());
    auto four = cg::tiled_partition(g, 4); o[7] = four.thread_rank() + 100 * four.size() + 10000 * four.meta_group_rank();
    o[8] = cg::exclusive_scan(g, v); g.sync();
  }
  )",
                                     9, in);
  expect_each<int>(outcome, "out", [&](std::size_t i) {
    const std::size_t t = i / 9, warp = t / 32 * 32;
    if (t % 3 != 1) return -1;
    std::vector<int> members;
    std::size_t rank = 0;
    for (std::size_t l = warp; l < std::min<std::size_t>(warp + 32, 80); ++l) {
      if (l == t) rank = members.size();
      if (l % 3 == 1) members.push_back(in[l]);
    }
    const std::size_t n = members.size();
    int votes = 0;
    for (std::size_t r = 0; r < n; ++r) votes |= (members[r] % 2 != 0 ? 1 : 0) << r;
    const std::size_t last = n % 4 != 0 && rank / 4 == n / 4 ? n % 4 : 4;
    const int values[] = {static_cast<int>(rank + 100 * n),
                          members[2],
                          members[rank + 3 < n ? rank + 3 : rank],
                          members[rank > 0 ? rank - 1 : 0],
                          votes,
                          fold(members, 0, n, std::plus<>()),
                          *std::max_element(members.begin(), members.end()),
                          static_cast<int>(rank % 4 + 100 * last + 10000 * (rank / 4)),
                          rank == 0 ? 0 : fold(members, 0, rank, std::plus<>())};
    return values[i % 9];
  });
}

TEST(Groups, PartitionsReductionsAndScans) {
  const std::vector<int> in = mixed(64);
  const char* body = R"(
  auto warp = cg::tiled_partition<32>(block); auto tile = cg::tiled_partition<8>(warp);
  o[0] = cg::reduce(warp, v, cg::plus<int>()); o[1] = cg::reduce(tile, v, cg::less<int>()); o[2] = cg::reduce(warp, (unsigned)v, cg::bit_xor<unsigned>());
  o[3] = (int)cg::reduce(warp, (double)v, cg::plus<double>()); o[4] = cg::reduce(tile, v, [](int a, int b) { return a * 3 + b; });
  o[5] = cg::inclusive_scan(tile, v); o[6] = cg::exclusive_scan(warp, v, cg::plus<int>()); o[7] = cg::inclusive_scan(warp, v, cg::greater<int>());
  auto odd = cg::binary_partition(warp, v % 2 != 0); o[8] = odd.size() + 100 * odd.thread_rank() + 10000 * odd.meta_group_rank();
  auto label = cg::labeled_partition(warp, v & 3); o[9] = cg::reduce(label, v, cg::plus<int>()) + 100000 * (label.meta_group_rank() + 10 * label.meta_group_size());
  o[10] = cg::invoke_one_broadcast(tile, [&] { return v; });
  )";
  const std::string text =
      kGroupHeaders +
      std::string(
          "__global__ void k(const int* in, int* out) { auto block = cg::this_thread_block(); int "
          "t = block.thread_rank(), v = in[t]; int* o = out + t * 11;\n") +
      body + "}";
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {64, 1, 1}, {data("in", in), buffer<int>("out", 64 * 11)});
  expect_each<int>(outcome, "out", [&](std::size_t i) {
    const std::size_t t = i / 11, warp = t / 32 * 32, tile = t / 8 * 8;
    // The butterfly's order: neighbours four apart first, each with its own value on the left.
    std::vector<int> butterfly(in.begin() + static_cast<std::ptrdiff_t>(tile),
                               in.begin() + static_cast<std::ptrdiff_t>(tile) + 8);
    for (std::size_t with = 4; with > 0; with /= 2) {
      const std::vector<int> before = butterfly;
      for (std::size_t l = 0; l < 8; ++l) butterfly[l] = before[l] * 3 + before[l ^ with];
    }
    int odd_size = 0, odd_rank = 0, label_sum = 0, labels = 0, label_rank = 0;
    std::vector<int> seen;
    for (std::size_t l = warp; l < warp + 32; ++l) {
      const bool same = (in[l] % 2 != 0) == (in[t] % 2 != 0);
      odd_size += same;
      odd_rank += same && l < t;
      if ((in[l] & 3) == (in[t] & 3)) label_sum += in[l];
      if (std::find(seen.begin(), seen.end(), in[l] & 3) == seen.end()) seen.push_back(in[l] & 3);
    }
    labels = static_cast<int>(seen.size());
    label_rank = static_cast<int>(std::find(seen.begin(), seen.end(), in[t] & 3) - seen.begin());
    const int values[] = {fold(in, warp, 32, std::plus<>()),
                          fold(in, tile, 8, [](int a, int b) { return std::min(a, b); }),
                          fold(in, warp, 32, std::bit_xor<>()),
                          fold(in, warp, 32, std::plus<>()),
                          butterfly[t - tile],
                          fold(in, tile, t - tile + 1, std::plus<>()),
                          t == warp ? 0 : fold(in, warp, t - warp, std::plus<>()),
                          fold(in, warp, t - warp + 1, [](int a, int b) { return std::max(a, b); }),
                          odd_size + 100 * odd_rank + 10000 * (in[t] % 2 != 0 ? 1 : 0),
                          label_sum + 100000 * (label_rank + 10 * labels),
                          in[tile]};
    return values[i % 11];
  });
}

TEST(Groups, AGridCannotMeetWithoutACooperativeLaunch) {
  const Outcome outcome = run_text(
      kGroupHeaders +
          std::string("__global__ void k(int* out) { cg::this_grid().sync(); out[0] = 1; }"),
      "k", {1, 1, 1}, {32, 1, 1}, {buffer<int>("out", 1)});
  EXPECT_FALSE(outcome.ok());
  EXPECT_NE(outcome.report().find("not cooperative"), std::string::npos) << outcome.report();
}

/// Each block adds up its part, then the first one the others' sums; twice, with shared and local
/// variables kept meanwhile.
const char* const kMeetingText = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* sums, int* out) {
  __shared__ int part[64];
  int t = threadIdx.x, mine = in[blockIdx.x * 64 + t], round = 0;
  for (; round < 2; ++round) {
    part[t] = mine + round;
    __syncthreads();
    if (t == 0) { int s = 0; for (int i = 0; i < 64; ++i) s += part[i]; sums[blockIdx.x] = s; }
    cg::this_grid().sync();
    if (blockIdx.x == 0 && t == 0) { int s = 0; for (int b = 0; b < gridDim.x; ++b) s += sums[b]; out[round] = s; }
    cg::this_grid().sync();
    if (part[t] != mine + round) out[round] = -1;
  }
})";

Outcome meet(const char* text, U blocks, const std::vector<TextArgument>& arguments) {
  Outcome outcome = run_text(text, "k", {blocks, 1, 1}, {64, 1, 1}, arguments, InspectRequest{});
  outcome.launch.cooperative = true;
  outcome.memory->refill();
  return outcome;
}

TEST(Groups, ACooperativeGridMeets) {
  Outcome outcome =
      meet(kMeetingText, 20,
           {buffer<int>("in", 1280, Fill::index), buffer<int>("sums", 20), buffer<int>("out", 2)});
  outcome.result = answer(outcome, ExecuteRequest{});
  const int sum = 1280 * 1279 / 2;
  expect_each<int>(outcome, "out", [&](std::size_t i) { return sum + static_cast<int>(i) * 1280; });
  const RunResult executed = outcome.result;
  // No proof, and the same counts.
  outcome.memory->refill();
  const RunResult counted = answer(outcome, CountRequest{});
  EXPECT_EQ(counted.coverage.classes, 0u);
  EXPECT_TRUE(counted.coverage.exact);
  EXPECT_EQ(counted.accesses, executed.accesses);
  // A recorded block has the others beside it.
  outcome.memory->refill();
  InspectRequest inspected;
  inspected.blocks = {{3, 0, 0}, {0, 0, 0}};
  outcome.result = answer(outcome, inspected);
  ASSERT_EQ(outcome.result.traces.size(), 2u);
  EXPECT_EQ(outcome.result.traces[0].block, (Dim3{3, 0, 0}));
  EXPECT_GT(outcome.result.traces[1].warps.size(), 0u);
  expect_each<int>(outcome, "out", [&](std::size_t i) { return sum + static_cast<int>(i) * 1280; });
}

TEST(Groups, ABlockThatEndsIsWaitedForForEver) {
  Outcome outcome = meet(R"(
#include <cooperative_groups.h>
__global__ void k(int* out) {
  if (blockIdx.x == 2) return;
  cooperative_groups::this_grid().sync();
  out[blockIdx.x] = 1;
})",
                         4, {buffer<int>("out", 4)});
  outcome.result = answer(outcome, ExecuteRequest{});
  const Diagnostic error = outcome.error();
  EXPECT_EQ(error.kind, DiagnosticKind::divergent_barrier) << outcome.report();
  EXPECT_EQ(error.line, 5u);
  EXPECT_EQ(error.block, (Dim3{2, 0, 0}));
}

}  // namespace
}  // namespace lanescope
