// Matches and reductions within a warp; what kind of memory a pointer leads to.
#pragma once

LANESCOPE_OP unsigned lanescope_reduce(unsigned mask, unsigned value, int kind);
LANESCOPE_OP void lanescope_grid_sync();
// Blocks of a cluster along an axis, known when a kernel is compiled; and where they all meet.
LANESCOPE_OP unsigned lanescope_cluster_dim(int axis);
LANESCOPE_OP void lanescope_cluster_sync();
LANESCOPE_OP void lanescope_cluster_arrive(bool is_relaxed);

// Values match when their bits do: 0.0f and -0.0f differ.
template <class _Tp> LANESCOPE_DEV unsigned long long lanescope_bits_of(_Tp v) {
  static_assert(sizeof(_Tp) == 4 || sizeof(_Tp) == 8, "matches compare 4- or 8-byte values");
  if constexpr (sizeof(_Tp) == 4) return __builtin_bit_cast(unsigned, v);
  else return __builtin_bit_cast(unsigned long long, v);
}
template <class _Tp> LANESCOPE_DEV unsigned __match_any_sync(unsigned mask, _Tp v) {
  return lanescope_match_any(mask, lanescope_bits_of(v));
}
template <class _Tp> LANESCOPE_DEV unsigned __match_all_sync(unsigned mask, _Tp v, int* pred) {
  *pred = lanescope_ballot(mask, true) == lanescope_match_any(mask, lanescope_bits_of(v));
  return *pred ? mask : 0;
}

// The kinds are those of `enum class Reduction` in lower/flat.h.
LANESCOPE_DEV unsigned __reduce_add_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 0); }
LANESCOPE_DEV unsigned __reduce_min_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 1); }
LANESCOPE_DEV unsigned __reduce_max_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 2); }
LANESCOPE_DEV int __reduce_add_sync(unsigned mask, int v) { return (int)lanescope_reduce(mask, (unsigned)v, 0); }
LANESCOPE_DEV int __reduce_min_sync(unsigned mask, int v) { return (int)lanescope_reduce(mask, (unsigned)v, 3); }
LANESCOPE_DEV int __reduce_max_sync(unsigned mask, int v) { return (int)lanescope_reduce(mask, (unsigned)v, 4); }
LANESCOPE_DEV unsigned __reduce_and_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 5); }
LANESCOPE_DEV unsigned __reduce_or_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 6); }
LANESCOPE_DEV unsigned __reduce_xor_sync(unsigned mask, unsigned v) { return lanescope_reduce(mask, v, 7); }

// Time is not simulated: whoever polls finds things as they are.
LANESCOPE_DEV void __nanosleep(unsigned) {}
LANESCOPE_DEV void __assertfail(const char* message, const char*, unsigned, const char*, size_t) {
  lanescope_assert_fail(message);
}

// The windows of lanescope/memory.h. Which variables of the module are constant, or arguments, is not to be seen
// in an address: of those there is only the name, and a kernel that calls it is refused.
extern "C" __attribute__((device)) unsigned __isConstant(const void* p);
extern "C" __attribute__((device)) unsigned __isGridConstant(const void* p);
LANESCOPE_DEV bool lanescope_inside(const void* p, unsigned long long window) {
  return (unsigned long long)p - window < 0x100000000ull;
}
LANESCOPE_DEV unsigned __isShared(const void* p) { return lanescope_inside(p, LANESCOPE_SHARED_WINDOW); }
LANESCOPE_DEV unsigned __isLocal(const void* p) { return lanescope_inside(p, 0x710000000000ull); }
LANESCOPE_DEV unsigned __isGlobal(const void* p) { return !__isShared(p) && !__isLocal(p); }
LANESCOPE_DEV unsigned __isClusterShared(const void* p) { return __isShared(p); }
// Where a block of the cluster sees shared memory, from the window's beginning on: that of each rank, as cluster_offset
// of machine/machine.h has it, and its own at the beginning too.
LANESCOPE_DEV dim3 lanescope_cluster_dims() {
  return dim3(lanescope_cluster_dim(0), lanescope_cluster_dim(1), lanescope_cluster_dim(2));
}
LANESCOPE_DEV unsigned lanescope_cluster_size() {
  return lanescope_cluster_dim(0) * lanescope_cluster_dim(1) * lanescope_cluster_dim(2);
}
LANESCOPE_DEV dim3 lanescope_cluster_place() {
  return dim3(blockIdx.x % lanescope_cluster_dim(0), blockIdx.y % lanescope_cluster_dim(1), blockIdx.z % lanescope_cluster_dim(2));
}
LANESCOPE_DEV unsigned lanescope_cluster_rank() {
  const dim3 at = lanescope_cluster_place();
  return (at.z * lanescope_cluster_dim(1) + at.y) * lanescope_cluster_dim(0) + at.x;
}
LANESCOPE_DEV unsigned long long lanescope_of_rank(unsigned long long offset, unsigned rank) {
  if (lanescope_cluster_size() == 1) return offset;
  return (unsigned long long)(rank + 1) << 24 | (offset & 0xffffffull);
}
LANESCOPE_DEV unsigned lanescope_rank_of(unsigned long long offset) {
  return offset >> 24 == 0 ? lanescope_cluster_rank() : (unsigned)(offset >> 24) - 1;
}
LANESCOPE_DEV void lanescope_cluster_meet() {
  if (lanescope_cluster_size() == 1)
    __syncthreads();
  else
    lanescope_cluster_sync();
}
LANESCOPE_DEV void* __cluster_map_shared_rank(const void* p, unsigned rank) {
  return (void*)(lanescope_of_rank((unsigned long long)p - LANESCOPE_SHARED_WINDOW, rank) + LANESCOPE_SHARED_WINDOW);
}
LANESCOPE_DEV unsigned __cluster_query_shared_rank(const void* p) {
  return lanescope_rank_of((unsigned long long)p - LANESCOPE_SHARED_WINDOW);
}
LANESCOPE_DEV dim3 __clusterDim() { return lanescope_cluster_dims(); }
LANESCOPE_DEV dim3 __clusterRelativeBlockIdx() { return lanescope_cluster_place(); }
LANESCOPE_DEV unsigned __clusterRelativeBlockRank() { return lanescope_cluster_rank(); }
LANESCOPE_DEV unsigned __clusterSizeInBlocks() { return lanescope_cluster_size(); }
LANESCOPE_DEV dim3 __clusterIdx() {
  return dim3(blockIdx.x / lanescope_cluster_dim(0), blockIdx.y / lanescope_cluster_dim(1), blockIdx.z / lanescope_cluster_dim(2));
}
LANESCOPE_DEV dim3 __clusterGridDimInClusters() {
  return dim3(gridDim.x / lanescope_cluster_dim(0), gridDim.y / lanescope_cluster_dim(1), gridDim.z / lanescope_cluster_dim(2));
}
// Whoever arrives waits when it asks for the others.
LANESCOPE_DEV void __cluster_barrier_arrive() { lanescope_cluster_arrive(false); }
LANESCOPE_DEV void __cluster_barrier_arrive_relaxed() { lanescope_cluster_arrive(true); }
LANESCOPE_DEV void __cluster_barrier_wait() { lanescope_cluster_meet(); }
// A kernel begins when those before it in its stream have ended.
LANESCOPE_DEV void cudaGridDependencySynchronize() {}
LANESCOPE_DEV void cudaTriggerProgrammaticLaunchCompletion() {}
