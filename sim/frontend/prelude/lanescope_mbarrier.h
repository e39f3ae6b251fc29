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

// A thread's bulk copies from shared memory, as the groups of lanescope_async_commit; and what it has written is
// there for those who copy and multiply by themselves.
LANESCOPE_OP void lanescope_async_bulk_commit();
LANESCOPE_OP void lanescope_async_bulk_wait(unsigned groups);
LANESCOPE_OP void lanescope_async_fence_proxy();

LANESCOPE_DEV unsigned long long lanescope_mbarrier_bytes(int bytes) {
  return ((unsigned long long)(unsigned)bytes & 0x3fffffull) << 40;
}
LANESCOPE_DEV void lanescope_mbarrier_init(void* word, unsigned count) {
  *(unsigned long long*)word = (unsigned long long)count << 20 | count;
}
LANESCOPE_DEV unsigned long long lanescope_mbarrier_arrive(void* word, unsigned count) {
  return lanescope_mbarrier(word, count);
}
