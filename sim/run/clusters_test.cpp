// Clusters: blocks that run together, meet, and reach each other's shared memory.
#include "run/run_text.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kClusterThreads = 64;

Outcome run_cluster(const std::string& cluster, const std::string& body, Dim3 grid,
                    const std::string& before = "") {
  const std::string text = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n" +
                           before + "__global__ void __cluster_dims__(" + cluster +
                           ") k(int* a, int* b) {\n" + body + "\n}";
  const auto run = [&](const ExecuteRequest& request) {
    return run_text(text, "k", grid, {kClusterThreads, 1, 1},
                    {buffer<int>("a", 2048, Fill::index), buffer<int>("b", 2048, Fill::zero)},
                    request);
  };
  Outcome outcome = run({});
  if (outcome.ok()) {
    const Outcome watched = run({.checks = true});
    EXPECT_TRUE(watched.ok()) << watched.report();
  }
  return outcome;
}

TEST(Clusters, ABlockReadsWhatItsNeighbourStored) {
  const Outcome outcome = run_cluster("4, 1, 1", R"(
    __shared__ int s[64];
    cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x;
    s[t] = a[blockIdx.x * 64 + t];
    cluster.sync();
    const int* other = cluster.map_shared_rank(s, (cluster.block_rank() + 1) % cluster.num_blocks());
    b[blockIdx.x * 64 + t] = other[t];
    cluster.sync();)",
                                      {8, 1, 1});
  expect_each<int>(outcome, "b", [](int i) {
    const int block = i / 64;
    return block >= 8 ? 0 : (block / 4 * 4 + (block + 1) % 4) * 64 + i % 64;
  });
}

TEST(Clusters, EachKnowsItsPlace) {
  const Outcome outcome = run_cluster("2, 2, 1", R"(
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank, count, x, y, id;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
    asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
    asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
    const bool same = rank == cluster.block_rank() && count == cluster.num_blocks() &&
                      x == cluster.block_index().x && cluster.dim_blocks().y == 2;
    if (threadIdx.x == 0)
      b[blockIdx.y * gridDim.x + blockIdx.x] = same ? 1000 * id + 100 * rank + 10 * y + x + 1 : -1;)",
                                      {4, 2, 1});
  expect_each<int>(outcome, "b", [](int i) {
    if (i >= 8) return 0;
    const int x = i % 4 % 2, y = i / 4, id = i % 4 / 2;
    return 1000 * id + 100 * (2 * y + x) + 10 * y + x + 1;
  });
}

// As the programming guide's example spreads its bins over the blocks of a cluster.
TEST(Clusters, AHistogramSpreadOverABlocksSharedMemories) {
  const Outcome outcome = run_cluster("2, 1, 1", R"(
    __shared__ int bins[16];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    cluster.sync();
    for (int i = blockIdx.x * 64 + threadIdx.x; i < 2048; i += gridDim.x * 64) {
      const int bin = a[i] * 7 % 32;
      atomicAdd(cluster.map_shared_rank(bins, bin / 16) + bin % 16, 1);
    }
    cluster.sync();
    if (threadIdx.x < 16) atomicAdd(&b[cluster.block_rank() * 16 + threadIdx.x], bins[threadIdx.x]);)",
                                      {4, 1, 1});
  expect_each<int>(outcome, "b", [](int i) { return i < 32 ? 2048 / 32 : 0; });
}

TEST(Clusters, PtxMapsAddressesAndReachesThem) {
  const Outcome outcome = run_cluster("2, 1, 1", R"(
    __shared__ int s[64];
    const int t = threadIdx.x;
    unsigned rank, at = (unsigned)__cvta_generic_to_shared(&s[t]), there;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(rank ^ 1));
    asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(there), "r"(a[blockIdx.x * 64 + t]) : "memory");
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    int old;
    asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(at), "r"(1) : "memory");
    b[blockIdx.x * 64 + t] = s[t] - old == 1 ? old : -1;)",
                                      {4, 1, 1});
  expect_each<int>(outcome, "b", [](int i) { return i < 256 ? (i / 64 ^ 1) * 64 + i % 64 : 0; });
}

constexpr const char* kMbarriers = R"(
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(unsigned long long* bar, unsigned n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory");
}
__device__ void arrive_at(unsigned long long* bar, unsigned rank) {
  asm volatile("{ .reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
               "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }"
               :: "r"(at(bar)), "r"(rank) : "memory");
}
__device__ void wait(unsigned long long* bar, unsigned parity) {
  asm volatile("{ .reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra WAIT;\nDONE: }" :: "r"(at(bar)), "r"(parity) : "memory");
}
)";

TEST(Clusters, ABlockWaitsForAnArrivalFromAnother) {
  const Outcome outcome = run_cluster("2, 1, 1", R"(
    __shared__ unsigned long long bar;
    __shared__ int s;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) init(&bar, 1);
    cluster.sync();
    if (cluster.block_rank() == 1 && threadIdx.x == 0) {
      *cluster.map_shared_rank(&s, 0) = 42;
      arrive_at(&bar, 0);
    }
    if (cluster.block_rank() == 0) {
      wait(&bar, 0);
      b[blockIdx.x * 32 + threadIdx.x] = s;
    }
    cluster.sync();)",
                                      {4, 1, 1}, kMbarriers);
  expect_each<int>(outcome, "b", [](int i) { return i < 128 ? 42 : 0; });
}

TEST(Clusters, WhoWaitsForAnArrivalThatNeverComesIsTold) {
  const Outcome outcome = run_cluster("2, 1, 1", R"(
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) init(&bar, 1);
    cg::this_cluster().sync();
    if (cg::this_cluster().block_rank() == 0) wait(&bar, 0);
    cg::this_cluster().sync();)",
                                      {2, 1, 1}, kMbarriers);
  EXPECT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().kind, DiagnosticKind::divergent_barrier) << outcome.report();
}

// A row of 16 bytes for each block, asked for once.
TEST(Clusters, ACopyComesToSeveralBlocks) {
  const Outcome outcome = run_cluster("4, 1, 1", R"(
    __shared__ __align__(16) int s[64];
    __shared__ unsigned long long bar;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
      init(&bar, 1);
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(at(&bar)), "r"(256) : "memory");
    }
    s[threadIdx.x] = -1;
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0)
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                   :: "r"(at(s)), "l"(a + 64), "r"(256), "r"(at(&bar)), "h"((short)0b1011) : "memory");
    if (cluster.block_rank() != 2) wait(&bar, 0);
    b[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
    cluster.sync();)",
                                      {4, 1, 1}, kMbarriers);
  expect_each<int>(outcome, "b", [](int i) {
    return i >= 256 ? 0 : i / 64 == 2 ? -1 : 64 + i % 64;
  });
}

// Each adds its numbers to its neighbour's, which knows by its mbarrier when they are there.
TEST(Clusters, ACopyAddsToWhatAnotherBlockHas) {
  const Outcome outcome = run_cluster("2, 1, 1", R"(
    __shared__ __align__(16) int s[64], sums[64];
    __shared__ unsigned long long bar;
    cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x;
    if (t == 0) {
      init(&bar, 1);
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(at(&bar)), "r"(256) : "memory");
    }
    s[t] = a[blockIdx.x * 64 + t], sums[t] = 1000;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    cluster.sync();
    if (t == 0)
      asm volatile("{ .reg .b32 there, counter;\nmapa.shared::cluster.u32 there, %0, %4;\n"
                   "mapa.shared::cluster.u32 counter, %3, %4;\n"
                   "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32 "
                   "[there], [%1], %2, [counter]; }"
                   :: "r"(at(sums)), "r"(at(s)), "r"(256), "r"(at(&bar)), "r"(cluster.block_rank() ^ 1) : "memory");
    wait(&bar, 0);
    b[blockIdx.x * 64 + t] = sums[t];
    cluster.sync();)",
                                      {4, 1, 1}, kMbarriers);
  expect_each<int>(outcome, "b",
                   [](int i) { return i >= 256 ? 0 : 1000 + (i / 64 ^ 1) * 64 + i % 64; });
  for (const AccessInfo& access : outcome.info().accesses) {
    if (access.op == AccessOp::bulk_load) {
      EXPECT_EQ(outcome.result.accesses[access.id].global.sectors, 0u);
    }
  }
}

TEST(Clusters, ABlockThatHasEndedIsWaitedForNoMore) {
  const Outcome outcome = run_cluster("2, 1, 1", R"(
    if (blockIdx.x % 2 == 1) return;
    cg::this_cluster().sync();
    b[blockIdx.x] = 1;)",
                                      {4, 1, 1});
  expect_each<int>(outcome, "b", [](int i) { return i < 4 && i % 2 == 0; });
}

TEST(Clusters, AGridThatTheyDoNotDivideIsRefused) {
  const Outcome outcome = run_cluster("2, 1, 1", "b[0] = 1;", {3, 1, 1});
  EXPECT_FALSE(outcome.result.ok());
  EXPECT_EQ(outcome.error().message.english(),
            "a grid of 3×1×1 blocks cannot be made of clusters of 2×1×1: in each dimension it has "
            "to be a multiple");
}

TEST(Clusters, OfARankThatThereIsNotNothingIsRead) {
  const Outcome outcome = run_cluster("2, 1, 1", R"(
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    cg::this_cluster().sync();
    b[threadIdx.x] = cg::this_cluster().map_shared_rank(s, 2)[threadIdx.x];)",
                                      {2, 1, 1});
  EXPECT_EQ(outcome.error().kind, DiagnosticKind::out_of_bounds) << outcome.report();
}

TEST(Clusters, ABlockIsRecordedAmongItsNeighbours) {
  CompileRequest request;
  request.text = R"(#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(int* a) {
  __shared__ int s[32];
  s[threadIdx.x] = blockIdx.x;
  cooperative_groups::this_cluster().sync();
  a[blockIdx.x * 32 + threadIdx.x] =
      cooperative_groups::this_cluster().map_shared_rank(s, 0)[threadIdx.x];
  cooperative_groups::this_cluster().sync();
})";
  Outcome outcome;
  outcome.compiled = compile(request);
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  outcome.launch = {{6, 1, 1}, {32, 1, 1}, 0, {}};
  set_up(outcome, {buffer<int>("a", 192, Fill::zero)});
  outcome.result = answer(outcome, InspectRequest{.blocks = {{3, 0, 0}, {2, 0, 0}}});
  ASSERT_TRUE(outcome.ok()) << outcome.report();
  ASSERT_EQ(outcome.result.traces.size(), 2u);
  EXPECT_EQ(outcome.result.traces[0].block.x, 3u);
  EXPECT_EQ(outcome.result.traces[1].block.x, 2u);
  EXPECT_EQ(outcome.values<int>("a")[96], 2);
  EXPECT_EQ(outcome.values<int>("a")[0], 0);  // its cluster was not asked for
  // What reaching another block takes is in no count.
  const RunResult counted = answer(outcome, CountRequest{});
  EXPECT_TRUE(counted.coverage.exact);
  for (const AccessInfo& access : outcome.info().accesses)
    if (access.space == MemorySpace::shared && access.op == AccessOp::store) {
      EXPECT_EQ(counted.accesses[access.id].shared.wavefronts, 6u);
    }
}

}  // namespace
}  // namespace lanescope
