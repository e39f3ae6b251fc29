// mbarriers and barriers of a part of a block, as operations of the simulator: what inline PTX and
// cuda::barrier are made of.
#pragma once

// The bits of an mbarrier's word are those of machine/mbarrier.h. A change: arrivals in bits 0 to 19, whether they
// are dropped in bit 20, bytes that are expected from bit 40 on. Gives the word before.
LANESCOPE_OP unsigned long long lanescope_mbarrier(void* word, unsigned long long change);
// Stops until the phase of that parity is over. False if it is not, and all other warps wait too.
LANESCOPE_OP bool lanescope_mbarrier_wait(const void* word, unsigned parity);
// Barrier `id` of the block, for so many of its threads; arrives alone, or waits for the others.
LANESCOPE_OP void lanescope_barrier_part(unsigned id, unsigned threads, bool waits);
// The barriers of warpgroups, behind those that have a number.
#define LANESCOPE_WARPGROUP_BARRIERS 256u

// A thread's bulk copies from shared memory, as the groups of lanescope_async_commit; and what it has written is
// there for those who copy and multiply by themselves.
LANESCOPE_OP void lanescope_async_bulk_commit();
LANESCOPE_OP void lanescope_async_bulk_wait(unsigned groups);
LANESCOPE_OP void lanescope_async_fence_proxy();
// And of its warp's wgmma.
LANESCOPE_OP void lanescope_async_sums_commit();
LANESCOPE_OP void lanescope_async_sums_wait(unsigned groups);

// Between shared and other memory, or by a tensor map where there are dimensions. The bytes are taken from what the
// mbarrier expects; without one the copy joins the thread's open group.
LANESCOPE_OP void lanescope_bulk_copy(const void* shared, const void* other, unsigned bytes, void* mbarrier, bool to_shared,
                                      int dimensions, int c0, int c1, int c2, int c3, int c4);

// The same with what lies there already: `how` and `element` are numbers of `enum class BulkReduction` and `enum class
// TensorElement` in lanescope/tensor_map.h; a tensor map's own type counts.
LANESCOPE_OP void lanescope_bulk_reduce(const void* shared, const void* other, unsigned bytes, void* mbarrier, bool to_shared,
                                        int dimensions, int c0, int c1, int c2, int c3, int c4, int how, int element);

LANESCOPE_DEV unsigned long long lanescope_mbarrier_bytes(int bytes) {
  return ((unsigned long long)(unsigned)bytes & 0x3fffffull) << 40;
}
LANESCOPE_DEV void lanescope_mbarrier_init(void* word, unsigned count) {
  *(unsigned long long*)word = (unsigned long long)count << 20 | count;
}
LANESCOPE_DEV unsigned long long lanescope_mbarrier_arrive(void* word, unsigned count) {
  return lanescope_mbarrier(word, count);
}
