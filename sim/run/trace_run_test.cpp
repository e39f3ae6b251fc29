// What a recorded run says: variables at a step, who wrote a byte, what moved where. A padded tile
// transpose of a matrix that no block divides, so that the last block has lanes without work.
#include <algorithm>
#include <map>

#include "lanescope/trace.h"
#include "run/run_text.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kMatrixRows = 70, kMatrixCols = 50;
const char* const kTranspose = R"(
__global__ void transpose(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32 + threadIdx.y;
  if (ox < rows && oy < cols) out[oy * rows + ox] = tile[threadIdx.x][threadIdx.y];
})";

class RecordedTranspose : public testing::Test {
 protected:
  void SetUp() override {
    InspectRequest request;
    request.blocks = {{0, 0, 0}, {1, 2, 0}};
    outcome = run_text(kTranspose, "", {2, 3, 1}, {32, 32, 1},
                       {buffer<float>("in", kMatrixRows * kMatrixCols, Fill::index),
                        buffer<float>("out", kMatrixRows * kMatrixCols),
                        scalar("rows", kMatrixRows), scalar("cols", kMatrixCols)},
                       request);
    ASSERT_TRUE(outcome.ok()) << outcome.report();
    ASSERT_EQ(outcome.result.traces.size(), 2u);
  }

  /// The step of an access in a warp; every access here is executed at most once.
  [[nodiscard]] std::size_t step_of(const BlockTrace& trace, std::uint32_t warp,
                                    const std::string& root, AccessOp op) const {
    const WarpTrack& track = trace.warps[warp];
    for (std::size_t i = 0; i < track.size(); ++i) {
      const OpInfo& info = outcome.info().ops[track.op[i]];
      if (info.kind != StepKind::access) continue;
      const AccessInfo& access = outcome.info().accesses[static_cast<std::size_t>(info.access)];
      if (access.root == root && access.op == op) return i;
    }
    return track.size();
  }
  [[nodiscard]] const VariableValues* variable(const std::vector<VariableValues>& values,
                                               const std::string& name) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (outcome.info().variables[i].name == name) return &values[i];
    return nullptr;
  }

  Outcome outcome;
};

TEST_F(RecordedTranspose, VariablesHoldEachLanesCoordinates) {
  const BlockTrace& trace = outcome.result.traces[1];
  for (const std::uint32_t warp : {0u, 5u}) {
    const std::size_t step = step_of(trace, warp, "in", AccessOp::load);
    ASSERT_LT(step, trace.warps[warp].size());
    const auto values = variables_at(outcome.info(), trace, warp, step);
    const VariableValues *x = variable(values, "x"), *y = variable(values, "y"),
                         *ox = variable(values, "ox");
    ASSERT_TRUE(x != nullptr && y != nullptr && ox != nullptr);
    EXPECT_EQ(x->known, kAllLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(x->bits[lane], 32 + lane);
      EXPECT_EQ(y->bits[lane], 64 + warp);
    }
    EXPECT_EQ(ox->known, 0u) << "assigned only after the barrier";
  }
  const auto at_the_end = variables_at(outcome.info(), trace, 5, trace.warps[5].size());
  EXPECT_EQ(variable(at_the_end, "oy")->known, kAllLanes);
  EXPECT_EQ(variable(at_the_end, "oy")->bits[31], 37u);
}

TEST_F(RecordedTranspose, TheTilesReaderFindsItsWriterInAnotherWarp) {
  const BlockTrace& trace = outcome.result.traces[0];
  for (std::uint32_t warp = 0; warp < 32; ++warp) {
    const std::size_t step = step_of(trace, warp, "tile", AccessOp::load);
    ASSERT_LT(step, trace.warps[warp].size());
    const LaneRow& address = trace.rows[trace.warps[warp].rows[step]];
    for (const std::uint32_t lane : {0u, 1u, 17u, 31u}) {
      int writer_lane = -1;
      const auto writer =
          last_writer(outcome.info(), trace, address[lane], {warp, step}, &writer_lane);
      ASSERT_TRUE(writer.has_value()) << warp << "," << lane;
      EXPECT_EQ(writer->warp, lane);
      EXPECT_EQ(writer_lane, static_cast<int>(warp));
      EXPECT_EQ(writer->step, step_of(trace, lane, "tile", AccessOp::store));
    }
    // Before the barrier nobody has written what this warp is about to read, except itself on the
    // diagonal.
    const std::size_t store = step_of(trace, warp, "tile", AccessOp::store);
    EXPECT_FALSE(
        last_writer(outcome.info(), trace, address[(warp + 1) % 32], {warp, store}, nullptr)
            .has_value());
  }
}

TEST_F(RecordedTranspose, ValuesTravelUnchangedFromInToOut) {
  const BlockTrace& trace = outcome.result.traces[0];
  for (std::uint32_t warp = 0; warp < 32; ++warp) {
    const WarpTrack& track = trace.warps[warp];
    const std::size_t load = step_of(trace, warp, "in", AccessOp::load),
                      store = step_of(trace, warp, "tile", AccessOp::store),
                      out = step_of(trace, warp, "out", AccessOp::store);
    const LaneRow &loaded = trace.rows[track.rows[load] + 1],
                  &stored = trace.rows[track.rows[store] + 1],
                  &written = trace.rows[track.rows[out] + 1],
                  &address = trace.rows[track.rows[out]];
    EXPECT_EQ(loaded, stored);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t element = (address[lane] - outcome.memory->find("out")->base) / 4;
      EXPECT_EQ(element, warp * kMatrixRows + lane);
      EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(written[lane])),
                static_cast<float>(lane * kMatrixCols + warp));
    }
  }
}

TEST_F(RecordedTranspose, MasksShowTheLanesWithoutWork) {
  const BlockTrace& trace =
      outcome.result.traces[1];  // columns 32 to 63 of 50, rows 64 to 95 of 70
  for (std::uint32_t warp = 0; warp < 32; ++warp) {
    const std::size_t load = step_of(trace, warp, "in", AccessOp::load),
                      store = step_of(trace, warp, "out", AccessOp::store);
    if (warp < 6)
      EXPECT_EQ(trace.warps[warp].mask.at(load), (1u << 18) - 1);
    else
      EXPECT_EQ(load, trace.warps[warp].size());
    if (warp < 18)
      EXPECT_EQ(trace.warps[warp].mask.at(store), (1u << 6) - 1);
    else
      EXPECT_EQ(store, trace.warps[warp].size());
  }
}

TEST_F(RecordedTranspose, EveryWarpPassesTheSameBarriersAndEnds) {
  for (const BlockTrace& trace : outcome.result.traces) {
    EXPECT_FALSE(trace.truncated);
    ASSERT_EQ(trace.warps.size(), 32u);
    for (const WarpTrack& track : trace.warps) {
      std::size_t barriers = 0;
      for (const std::uint32_t op : track.op)
        barriers += outcome.info().ops[op].kind == StepKind::barrier;
      EXPECT_EQ(barriers, 1u);
      EXPECT_EQ(track.op.size(), track.mask.size());
      EXPECT_EQ(track.op.size(), track.rows.size());
      EXPECT_EQ(outcome.info().ops[track.op.back()].kind, StepKind::exit);
    }
  }
}

TEST_F(RecordedTranspose, CountsOfTheTraceAreThoseOfTheRun) {
  const InspectRequest request{.blocks = {{1, 2, 0}}};
  const Outcome one = run_text(kTranspose, "", {2, 3, 1}, {32, 32, 1},
                               {buffer<float>("in", kMatrixRows * kMatrixCols, Fill::index),
                                buffer<float>("out", kMatrixRows * kMatrixCols),
                                scalar("rows", kMatrixRows), scalar("cols", kMatrixCols)},
                               request);
  ASSERT_TRUE(one.ok()) << one.report();
  std::vector<AccessCounts> counts(one.info().accesses.size());
  const BlockTrace& trace = one.result.traces.at(0);
  for (const WarpTrack& track : trace.warps)
    for (std::size_t i = 0; i < track.size(); ++i) {
      const OpInfo& op = one.info().ops[track.op[i]];
      if (op.kind != StepKind::access) continue;
      const AccessInfo& access = one.info().accesses[static_cast<std::size_t>(op.access)];
      AccessCounts& to = counts[access.id];
      to.executions += 1;
      const LaneRow& address = trace.rows[track.rows[i]];
      if (access.space == MemorySpace::shared)
        to.shared += shared_cost(address, track.mask[i], access.bytes, access.service);
      else
        to.global += global_cost(address, track.mask[i], access.bytes, access.service);
    }
  EXPECT_EQ(counts, one.result.accesses);
}

TEST(Traces, AreCutAtTheCapWithAWarning) {
  const InspectRequest request{.blocks = {{0, 0, 0}}, .trace_bytes = 20'000};
  const Outcome outcome = run_text(
      "__global__ void k(int* out) { for (int i = 0; i < 1000; ++i) out[threadIdx.x] += i; }", "k",
      {1, 1, 1}, {64, 1, 1}, {buffer<int>("out", 64, Fill::zero)}, request);
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  expect_each<int>(outcome, "out", [](std::size_t) { return 499500; });
  EXPECT_TRUE(outcome.result.traces.at(0).truncated);
  EXPECT_LT(outcome.result.traces[0].rows.size() * sizeof(LaneRow), 20'000u);
  ASSERT_EQ(outcome.result.diagnostics.size(), 1u);
  EXPECT_EQ(outcome.result.diagnostics[0].kind, DiagnosticKind::truncated);
  EXPECT_EQ(outcome.result.diagnostics[0].severity, Severity::warning);
  EXPECT_TRUE(outcome.result.coverage.exact);
}

TEST(Traces, LoopCountersAndComponentsAreVariables) {
  const char* text =
      "__global__ void k(const float4* in, float* out) {\n  float4 v = in[threadIdx.x];\n  float "
      "sum = 0;\n  for (int i = 0; i < 3; ++i) sum += v.x * i + v.w;\n  bool big = sum > 100;\n  "
      "out[threadIdx.x] = big ? sum : -sum;\n}";
  const InspectRequest request{.blocks = {{0, 0, 0}}};
  const Outcome outcome =
      run_text(text, "k", {1, 1, 1}, {32, 1, 1},
               {buffer<float>("in", 128, Fill::index), buffer<float>("out", 32)}, request);
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  const BlockTrace& trace = outcome.result.traces[0];
  std::map<std::string, VariableValues> named;
  const auto values = variables_at(outcome.info(), trace, 0, trace.warps[0].size());
  for (std::size_t i = 0; i < values.size(); ++i)
    named[outcome.info().variables[i].name] = values[i];
  for (const char* name : {"v.x", "v.w", "sum", "i", "big"})
    ASSERT_EQ(named.count(name), 1u) << name;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const float x = 4.0f * static_cast<float>(lane), w = x + 3, sum = 3 * w + 3 * x;
    EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(named["v.x"].bits[lane])), x);
    EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(named["v.w"].bits[lane])), w);
    EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(named["sum"].bits[lane])), sum);
    EXPECT_EQ(named["i"].bits[lane], 3u);
    EXPECT_EQ(named["big"].bits[lane] & 1, sum > 100);
  }
}

}  // namespace
}  // namespace lanescope
