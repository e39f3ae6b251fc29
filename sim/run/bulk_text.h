// What the tests of bulk copies share: the instructions as functions, a map, and a kernel round a body.
#pragma once

#include "lanescope/tensor_map.h"
#include "run/run_text.h"

namespace lanescope {

inline constexpr const char* kBulkFunctions = R"(
typedef unsigned long long u64;
struct alignas(64) Map { u64 opaque[16]; };
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(u64* bar, unsigned n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory"); }
__device__ void expect(u64* bar, unsigned n) { asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory"); }
__device__ void wait(u64* bar, unsigned parity) {
  asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra DONE; bra WAIT; DONE: }"
               :: "r"(at(bar)), "r"(parity) : "memory");
}
__device__ void get(void* to, const void* from, unsigned n, u64* bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               :: "r"(at(to)), "l"(from), "r"(n), "r"(at(bar)) : "memory");
}
__device__ void put(void* to, const void* from, unsigned n) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(n) : "memory");
}
__device__ void get_tile(void* to, const Map* map, int x, int y, u64* bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%3, %4}], [%2], %5;"
               :: "r"(at(to)), "l"(map), "r"(at(bar)), "r"(x), "r"(y), "l"(0ull) : "memory");
}
__device__ void put_tile(const Map* map, const void* from, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
               :: "l"(map), "r"(at(from)), "r"(x), "r"(y) : "memory");
}
__device__ void add(void* to, const void* from, unsigned n) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" :: "l"(to), "r"(at(from)), "r"(n) : "memory");
}
__device__ void most_of_tile(const Map* map, const void* from, int x, int y) {
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group [%0, {%2, %3}], [%1];"
               :: "l"(map), "r"(at(from)), "r"(x), "r"(y) : "memory");
}
__device__ void get_pixels(void* to, const Map* map, int c, int w, int h, int n, unsigned short right, unsigned short down, u64* bar) {
  asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8};"
               :: "r"(at(to)), "l"(map), "r"(at(bar)), "r"(c), "r"(w), "r"(h), "r"(n), "h"(right), "h"(down) : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void done() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
__device__ void fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
)";

/// A tensor of ints, 40 wide and 24 high, in buffer "a", and its map as the kernel's argument.
inline TextArgument map_of(std::uint32_t box_x, std::uint32_t box_y, TensorSwizzle swizzle) {
  TensorMap map;
  map.address = 16;
  map.rank = 2, map.element_bytes = 4;
  map.extent = {40, 24}, map.stride = {4, 160};
  map.box = {box_x, box_y};
  map.swizzle = swizzle, map.element = TensorElement::s32;
  EXPECT_FALSE(tensor_map_error(map).has_value());
  const auto bytes = encode(map);
  TextArgument out;
  out.argument.name = "map";
  out.argument.bytes.assign(bytes.begin(), bytes.end());
  out.argument.pointers = {{kTensorMapAddress, "a"}};
  return out;
}

inline Outcome run_bulk(const std::string& body, const TextArgument& map, bool checks = false,
                        std::uint32_t threads = 64) {
  return run_text(std::string(kBulkFunctions) +
                      "__global__ void k(int* a, int* b, const __grid_constant__ Map map) {\n" +
                      "int t = threadIdx.x; __shared__ __align__(1024) int s[1024]; __shared__ u64 "
                      "bar[2];\n" +
                      body + "\n}",
                  "k", {1, 1, 1}, {threads, 1, 1},
                  {buffer<int>("a", 960, Fill::index), buffer<int>("b", 1024, Fill::zero), map},
                  ExecuteRequest{.checks = checks});
}
inline Outcome run_bulk(const std::string& body, bool checks = false) {
  return run_bulk(body, map_of(32, 8, TensorSwizzle::none), checks);
}

inline constexpr const char* kBegin =
    "if (t == 0) init(&bar[0], 1), init(&bar[1], 1); __syncthreads();";

}  // namespace lanescope
