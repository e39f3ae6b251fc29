// Mistakes between the blocks of a cluster, and correct twins of which nothing is said.
#include <algorithm>

#include "run/run_text.h"

namespace lanescope {
namespace {

constexpr const char* kOfClusters = R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(unsigned long long* bar, unsigned n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void arrive_at(unsigned long long* bar, unsigned rank) {
  asm volatile("{ .reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
               "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }"
               :: "r"(at(bar)), "r"(rank) : "memory");
}
__device__ void expect(unsigned long long* bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(bytes) : "memory");
}
__device__ void wait(unsigned long long* bar, unsigned parity) {
  asm volatile("{ .reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra WAIT;\nDONE: }" :: "r"(at(bar)), "r"(parity) : "memory");
}
__device__ void multicast(int* to, const int* from, unsigned long long* bar, short blocks) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
               :: "r"(at(to)), "l"(from), "r"(256), "r"(at(bar)), "h"(blocks) : "memory");
}
__device__ void store_async(int* to, int value, unsigned long long* bar, unsigned rank) {
  asm volatile("{ .reg .b32 there, counter;\nmapa.shared::cluster.u32 there, %0, %3;\nmapa.shared::cluster.u32 counter, %2, %3;\n"
               "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [there], %1, [counter]; }"
               :: "r"(at(to)), "r"(value), "r"(at(bar)), "r"(rank) : "memory");
}
#define ARRIVE asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#define ARRIVE_RELAXED asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory")
#define WAIT asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")
__global__ void __cluster_dims__(2, 1, 1) k(int* a, int* b) {
  __shared__ __align__(128) int s[64];
  __shared__ unsigned long long bar;
  cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x, rank = cluster.block_rank();
  int* other = cluster.map_shared_rank(s, rank ^ 1);
)";

Outcome run_watched(const std::string& body) {
  return run_text(kOfClusters + body + "\n}", "k", {4, 1, 1}, {64, 1, 1},
                  {buffer<int>("a", 256, Fill::index), buffer<int>("b", 256, Fill::zero)},
                  ExecuteRequest{.checks = true});
}

struct InCluster {
  const char* name;
  const char* body;
  /// Empty: nothing is said
  const char* says = "";
};

constexpr const char* kNotBegun = "which may not have begun yet";
constexpr const char* kEnded = "which may have ended by then";
constexpr const char* kUnordered = "are not ordered";

const InCluster kInClusters[] = {
    {"Halo", R"(
      s[t] = a[t];
      cluster.sync();
      b[blockIdx.x * 64 + t] = s[t] + other[63 - t];
      cluster.sync();)"},
    {"WithoutASyncBefore", R"(
      s[t] = a[t];
      b[blockIdx.x * 64 + t] = other[63 - t];
      cluster.sync();)",
     kNotBegun},
    {"ABlocksBarrierIsNoneOfTheCluster", R"(
      s[t] = a[t];
      __syncthreads();
      b[blockIdx.x * 64 + t] = other[63 - t];
      cluster.sync();)",
     kNotBegun},
    {"WithoutASyncAtTheEnd", R"(
      s[t] = a[t];
      cluster.sync();
      b[blockIdx.x * 64 + t] = s[t] + other[63 - t];)",
     kEnded},
    {"OneEndsEarly", R"(
      s[t] = a[t];
      cluster.sync();
      if (rank == 0) return;
      b[blockIdx.x * 64 + t] = other[63 - t];)",
     kEnded},
    {"WrittenAgainBeforeAllHaveRead", R"(
      s[t] = a[t];
      cluster.sync();
      b[blockIdx.x * 64 + t] = other[63 - t];
      s[t] = 0;
      cluster.sync();)",
     kUnordered},
    {"WrittenAgainWhenAllHaveRead", R"(
      s[t] = a[t];
      cluster.sync();
      b[blockIdx.x * 64 + t] = other[63 - t];
      cluster.sync();
      s[t] = 0;)"},
    {"AStoreBesideItsOwnersLoad", R"(
      s[t] = 0;
      cluster.sync();
      other[t] = a[t];
      __syncthreads();
      b[blockIdx.x * 64 + t] = s[t];
      cluster.sync();)",
     kUnordered},
    {"AStoreBesideItsOwnersStore", R"(
      cluster.sync();
      if (rank == 0) other[t] = a[t]; else s[t] = a[t] + 1;
      cluster.sync();
      b[blockIdx.x * 64 + t] = s[rank];)",
     kUnordered},
    {"AStoreThatIsWaitedFor", R"(
      cluster.sync();
      other[t] = a[t];
      cluster.sync();
      b[blockIdx.x * 64 + t] = s[t];)"},
    {"TwoBlocksStoreToOneWord", R"(
      cluster.sync();
      cluster.map_shared_rank(s, 0)[t] = rank + t;
      cluster.sync();
      b[blockIdx.x * 64 + t] = rank == 0 ? s[t] : 0;)",
     kUnordered},
    {"AtomicsOfTwoBlocks", R"(
      s[t] = 0;
      cluster.sync();
      atomicAdd(cluster.map_shared_rank(s, t & 1) + t / 2, 1);
      cluster.sync();
      b[blockIdx.x * 64 + t] = s[t];)"},
    {"AtomicsBeforeTheZeros", R"(
      cluster.sync();
      s[t] = 0;
      atomicAdd(cluster.map_shared_rank(s, t & 1) + t / 2, 1);
      cluster.sync();
      b[blockIdx.x * 64 + t] = s[t];)",
     kUnordered},
    {"UnsetWordsOfTheOther", R"(
      if (t < 32) s[t] = a[t];
      cluster.sync();
      b[blockIdx.x * 64 + t] = other[t];
      cluster.sync();)",
     "nothing has written"},
    {"WorkBetweenArrivalAndWait", R"(
      __shared__ int mine[64];
      s[t] = a[t];
      ARRIVE;
      mine[t] = a[t + 64];
      WAIT;
      b[blockIdx.x * 64 + t] = other[t] + mine[t];
      ARRIVE;
      WAIT;)"},
    {"AStoreBetweenArrivalAndWait", R"(
      ARRIVE;
      s[t] = a[t];
      WAIT;
      b[blockIdx.x * 64 + t] = other[t];
      cluster.sync();)",
     kUnordered},
    {"AStoreBetweenArrivalAndWaitOfTheOwnBlock", R"(
      ARRIVE;
      s[t] = a[t];
      WAIT;
      b[blockIdx.x * 64 + t] = s[63 - t];)",
     kUnordered},
    {"ArrivalThatOrdersNothing", R"(
      s[t] = a[t];
      ARRIVE_RELAXED;
      WAIT;
      b[blockIdx.x * 64 + t] = other[t];
      cluster.sync();)",
     kUnordered},
    {"AFenceBeforeAnArrivalThatOrdersNothing", R"(
      s[t] = a[t];
      asm volatile("fence.acq_rel.cluster;" ::: "memory");
      ARRIVE_RELAXED;
      WAIT;
      b[blockIdx.x * 64 + t] = other[t];
      cluster.sync();)"},
    {"AnMbarrierTellsOfAStore", R"(
      if (t == 0) init(&bar, 64);
      ARRIVE_RELAXED;
      WAIT;
      other[t] = a[t];
      arrive_at(&bar, rank ^ 1);
      wait(&bar, 0);
      b[blockIdx.x * 64 + t] = s[63 - t];
      cluster.sync();)"},
    {"OneArrivesForItsBlock", R"(
      if (t == 0) init(&bar, 1);
      cluster.sync();
      other[t] = a[t];
      __syncthreads();
      if (t == 0) arrive_at(&bar, rank ^ 1);
      wait(&bar, 0);
      b[blockIdx.x * 64 + t] = s[63 - t];
      cluster.sync();)"},
    {"OneArrivesBeforeItsBlockHasStored", R"(
      if (t == 0) init(&bar, 1);
      cluster.sync();
      other[t] = a[t];
      if (t == 0) arrive_at(&bar, rank ^ 1);
      wait(&bar, 0);
      b[blockIdx.x * 64 + t] = s[63 - t];
      cluster.sync();)",
     kUnordered},
    {"AnArrivalThatNobodyWaitsFor", R"(
      if (t == 0) init(&bar, 2);
      cluster.sync();
      if (t == 0) arrive_at(&bar, rank ^ 1);
      b[blockIdx.x * 64 + t] = t;)",
     kEnded},
    {"CopiesToBoth", R"(
      if (t == 0) init(&bar, 1), expect(&bar, 256);
      cluster.sync();
      if (rank == 0 && t == 0) multicast(s, a, &bar, 3);
      wait(&bar, 0);
      b[blockIdx.x * 64 + t] = s[t];
      cluster.sync();)"},
    {"StoresThatAnMbarrierCounts", R"(
      if (t == 0) init(&bar, 1), expect(&bar, 256);
      cluster.sync();
      store_async(&s[t], a[t], &bar, rank ^ 1);
      wait(&bar, 0);
      b[blockIdx.x * 64 + t] = s[63 - t];
      cluster.sync();)"},
    {"StoresThatNobodyWaitsFor", R"(
      if (t == 0) init(&bar, 1), expect(&bar, 256);
      s[t] = 0;
      cluster.sync();
      store_async(&s[t], a[t], &bar, rank ^ 1);
      b[blockIdx.x * 64 + t] = s[63 - t];
      wait(&bar, 0);
      cluster.sync();)",
     kUnordered},
    {"ACopyThatTheOtherDoesNotWaitFor", R"(
      if (t == 0) init(&bar, 1), expect(&bar, 256);
      cluster.sync();
      if (rank == 0 && t == 0) multicast(s, a, &bar, 3);
      if (rank == 0) wait(&bar, 0);
      b[blockIdx.x * 64 + t] = s[t];
      cluster.sync();)",
     "before the bulk copy by"},
    {"ACopyOverWhatTheOtherStillReads", R"(
      if (t == 0) init(&bar, 1), expect(&bar, 256);
      s[t] = t;
      cluster.sync();
      if (rank == 1) b[blockIdx.x * 64 + t] = s[63 - t];
      if (rank == 1) cluster.sync();
      if (rank == 0 && t == 0) multicast(s, a, &bar, 3);
      if (rank == 0) cluster.sync();
      wait(&bar, 0);
      b[blockIdx.x * 64 + t] = s[t];
      cluster.sync();)",
     "before the bulk copy by"},
    {"SumsOfAllBlocks", R"(
      __shared__ int sum;
      if (t == 0) sum = 0;
      __syncthreads();
      atomicAdd(&sum, a[blockIdx.x * 64 + t]);
      cluster.sync();
      int all = 0;
      for (unsigned r = 0; r < cluster.num_blocks(); ++r) all += *cluster.map_shared_rank(&sum, r);
      cluster.sync();
      b[blockIdx.x * 64 + t] = all;)"},
    {"AFlagInTheOthersMemory", R"(
      __shared__ int flag;
      if (t == 0) flag = 0;
      cluster.sync();
      if (rank == 1) {
        other[t] = a[t];
        __threadfence();
        __syncthreads();
        if (t == 0) atomicExch(cluster.map_shared_rank(&flag, 0), 1);
      } else {
        if (t == 0) while (atomicAdd(&flag, 0) == 0) {}
        __threadfence();
        __syncthreads();
        b[blockIdx.x * 64 + t] = s[t];
      }
      cluster.sync();)"},
};

class ClusterRaces : public testing::TestWithParam<InCluster> {};

TEST_P(ClusterRaces, AreToldAndNothingElse) {
  const InCluster& text = GetParam();
  const Outcome outcome = run_watched(text.body);
  ASSERT_NE(outcome.compiled.program, nullptr) << outcome.report();
  const std::string says = text.says;
  if (says.empty()) {
    const bool quiet =
        std::all_of(outcome.result.diagnostics.begin(), outcome.result.diagnostics.end(),
                    [](const Diagnostic& d) { return d.severity == Severity::note; });
    EXPECT_TRUE(quiet) << outcome.report();
    return;
  }
  EXPECT_FALSE(outcome.ok());
  EXPECT_NE(outcome.error().message.english().find(says), std::string::npos) << outcome.report();
}

INSTANTIATE_TEST_SUITE_P(All, ClusterRaces, testing::ValuesIn(kInClusters),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(ClusterRacesInDetail, BothSidesAreNamed) {
  const Outcome outcome = run_watched(R"(
    s[t] = a[t];
    cluster.sync();
    if (rank == 1) other[5] = 1;
    if (rank == 0 && t == 5) s[t] = 2;
    cluster.sync();)");
  EXPECT_FALSE(outcome.ok());
  const Diagnostic error = outcome.error();
  EXPECT_EQ(error.kind, DiagnosticKind::race);
  EXPECT_NE(error.message.english().find(
                "element 5 of 's' (64 elements) of the block of rank 0 in "
                "the cluster and a write by thread (5, 0, 0) of block (0, 0, 0)"),
            std::string::npos)
      << outcome.report();
  ASSERT_TRUE(error.block.has_value());
  EXPECT_EQ(error.block->x, 1u);
}

}  // namespace
}  // namespace lanescope
