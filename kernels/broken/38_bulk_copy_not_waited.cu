/*---
title = "A bulk copy is read too early"
idea = "All threads meet behind the copy, but nobody has waited for its mbarrier"
source = "A mistake often seen when loads become bulk copies"
kernel = "turn_tile"
look_at = ["What the diagnostics say, and where"]

[[argument]]
name = "in"
type = "float"
shape = ["64"]
fill = "index"

[[argument]]
name = "out"
type = "float"
shape = ["64"]
fill = "poison"


[launch]
block = ["64"]
grid = ["1"]
shared = "0"

[reference]
kind = "none"
---*/
__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void wait(unsigned barrier, unsigned parity) {
  unsigned over;
  do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                  : "=r"(over) : "r"(barrier), "r"(parity) : "memory");
  while (!over);
}

__global__ void turn_tile(const float* in, float* out) {
  __shared__ __align__(128) float tile[64];
  __shared__ unsigned long long full;
  const int t = threadIdx.x;
  const unsigned at = shared_address(&full);
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(256) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(shared_address(tile)), "l"(in), "r"(256), "r"(at) : "memory");
  }
  __syncthreads();
  out[t] = tile[63 - t];
}
