// PTX's special registers, and what lanes and threads do together. Part of lanescope_ptx.h.
#pragma once
#include <lanescope_matrices.h>
#include <lanescope_mbarrier.h>

#define LANESCOPE_PTX_REGISTER(NAME, VALUE) \
  LANESCOPE_PTX_DOES unsigned ptx_sreg_##NAME() { return VALUE; }
#define LANESCOPE_PTX_REGISTERS(NAME, VALUE)       \
  LANESCOPE_PTX_REGISTER(NAME##_x, VALUE.x)        \
  LANESCOPE_PTX_REGISTER(NAME##_y, VALUE.y)        \
  LANESCOPE_PTX_REGISTER(NAME##_z, VALUE.z)
LANESCOPE_PTX_REGISTERS(tid, threadIdx)
LANESCOPE_PTX_REGISTERS(ntid, blockDim)
LANESCOPE_PTX_REGISTERS(ctaid, blockIdx)
LANESCOPE_PTX_REGISTERS(nctaid, gridDim)
LANESCOPE_PTX_REGISTER(laneid, lanescope_laneid())
LANESCOPE_PTX_REGISTER(warpid, lanescope_warpid())
LANESCOPE_PTX_REGISTER(nwarpid, 64)
LANESCOPE_PTX_REGISTER(lanemask_eq, 1u << lanescope_laneid())
LANESCOPE_PTX_REGISTER(lanemask_lt, (1u << lanescope_laneid()) - 1u)
LANESCOPE_PTX_REGISTER(lanemask_le, (1u << lanescope_laneid()) | ((1u << lanescope_laneid()) - 1u))
LANESCOPE_PTX_REGISTER(lanemask_gt, ~((1u << lanescope_laneid()) | ((1u << lanescope_laneid()) - 1u)))
LANESCOPE_PTX_REGISTER(lanemask_ge, ~((1u << lanescope_laneid()) - 1u))
LANESCOPE_PTX_REGISTER(clock, (unsigned)lanescope_clock())
LANESCOPE_PTX_REGISTER(clock_lo, (unsigned)lanescope_clock())
LANESCOPE_PTX_REGISTER(clock_hi, (unsigned)(lanescope_clock() >> 32))
// A device has more; each block has one for itself.
LANESCOPE_PTX_REGISTER(smid, (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)
LANESCOPE_PTX_REGISTERS(clusterid, __clusterIdx())
LANESCOPE_PTX_REGISTERS(nclusterid, __clusterGridDimInClusters())
LANESCOPE_PTX_REGISTERS(cluster_ctaid, lanescope_cluster_place())
LANESCOPE_PTX_REGISTERS(cluster_nctaid, lanescope_cluster_dims())
LANESCOPE_PTX_REGISTER(cluster_ctarank, lanescope_cluster_rank())
LANESCOPE_PTX_REGISTER(cluster_nctarank, lanescope_cluster_size())
LANESCOPE_PTX_REGISTER(is_explicit_cluster, lanescope_cluster_size() > 1)
LANESCOPE_PTX_DOES unsigned long long ptx_sreg_clock64() { return (unsigned long long)lanescope_clock(); }
LANESCOPE_PTX_DOES unsigned long long ptx_sreg_globaltimer() { return (unsigned long long)lanescope_clock(); }

// ---- shuffles, votes, matches, sums ----

// A lane's value and whether it is one of the segment's.
typedef unsigned lanescope_shuffled __attribute__((ext_vector_type(2)));
// `c` holds the last lane that may be read, and above it how much of the lane's number stays (PTX ISA,
// "shfl.sync"); the mode is lanescope_shfl's.
LANESCOPE_DEV lanescope_shuffled lanescope_ptx_shuffle(unsigned value, unsigned b, unsigned c, unsigned mask, int mode) {
  const int lane = (int)lanescope_laneid(), segments = (int)(c >> 8 & 31u), clamp = (int)(c & 31u), by = (int)(b & 31u);
  const int most = (lane & segments) | (clamp & ~segments), least = lane & segments;
  const int from = mode == 0 ? least | (by & ~segments) : mode == 1 ? lane - by : mode == 2 ? lane + by : lane ^ by;
  const bool inside = mode == 1 ? from >= most : from <= most;
  return lanescope_shuffled{lanescope_shfl(mask, value, inside ? from : lane, 32, 0), inside};
}
#define LANESCOPE_PTX_SHUFFLE(NAME, MODE)                                                                              \
  LANESCOPE_PTX_DOES lanescope_shuffled ptx_shfl_##NAME##_b32(unsigned a, unsigned b, unsigned c, unsigned mask) {      \
    return lanescope_ptx_shuffle(a, b, c, mask, MODE);                                                                 \
  }
LANESCOPE_PTX_SHUFFLE(idx, 0)
LANESCOPE_PTX_SHUFFLE(up, 1)
LANESCOPE_PTX_SHUFFLE(down, 2)
LANESCOPE_PTX_SHUFFLE(bfly, 3)
LANESCOPE_PTX_DOES unsigned ptx_vote_ballot_b32(bool p, unsigned mask) { return lanescope_ballot(mask, p); }
LANESCOPE_PTX_DOES bool ptx_vote_any_pred(bool p, unsigned mask) { return lanescope_ballot(mask, p) != 0; }
LANESCOPE_PTX_DOES bool ptx_vote_all_pred(bool p, unsigned mask) { return lanescope_ballot(mask, !p) == 0; }
LANESCOPE_PTX_DOES bool ptx_vote_uni_pred(bool p, unsigned mask) {
  const unsigned votes = lanescope_ballot(mask, p);
  return votes == 0 || votes == lanescope_ballot(mask, true);
}
LANESCOPE_PTX_DOES unsigned ptx_activemask_b32() { return lanescope_activemask(); }
typedef unsigned lanescope_matched __attribute__((ext_vector_type(2)));
#define LANESCOPE_PTX_MATCH(TYPE, C)                                                                    \
  LANESCOPE_PTX_DOES unsigned ptx_match_any_##TYPE(C a, unsigned mask) { return lanescope_match_any(mask, a); } \
  LANESCOPE_PTX_DOES lanescope_matched ptx_match_all_##TYPE(C a, unsigned mask) {                        \
    const bool all = lanescope_ballot(mask, true) == lanescope_match_any(mask, a);                      \
    return lanescope_matched{all ? mask : 0u, all};                                                     \
  }
LANESCOPE_PTX_MATCH(b32, unsigned)
LANESCOPE_PTX_MATCH(b64, unsigned long long)
// The first lane that is named is chosen.
LANESCOPE_PTX_DOES lanescope_matched ptx_elect(unsigned mask) {
  lanescope_syncwarp(mask);
  const unsigned leader = (unsigned)__builtin_ctz(mask | 0x80000000u);
  return lanescope_matched{leader, lanescope_laneid() == leader};
}
LANESCOPE_PTX_DOES unsigned ptx_redux_add_u32(unsigned v, unsigned mask) { return lanescope_reduce(mask, v, 0); }
LANESCOPE_PTX_DOES unsigned ptx_redux_add_s32(unsigned v, unsigned mask) { return lanescope_reduce(mask, v, 0); }
LANESCOPE_PTX_DOES unsigned ptx_redux_min_u32(unsigned v, unsigned mask) { return lanescope_reduce(mask, v, 1); }
LANESCOPE_PTX_DOES unsigned ptx_redux_max_u32(unsigned v, unsigned mask) { return lanescope_reduce(mask, v, 2); }
LANESCOPE_PTX_DOES unsigned ptx_redux_min_s32(unsigned v, unsigned mask) { return lanescope_reduce(mask, v, 3); }
LANESCOPE_PTX_DOES unsigned ptx_redux_max_s32(unsigned v, unsigned mask) { return lanescope_reduce(mask, v, 4); }
LANESCOPE_PTX_DOES unsigned ptx_redux_and_b32(unsigned v, unsigned mask) { return lanescope_reduce(mask, v, 5); }
LANESCOPE_PTX_DOES unsigned ptx_redux_or_b32(unsigned v, unsigned mask) { return lanescope_reduce(mask, v, 6); }
LANESCOPE_PTX_DOES unsigned ptx_redux_xor_b32(unsigned v, unsigned mask) { return lanescope_reduce(mask, v, 7); }

// ---- barriers and fences ----

// All threads of the block, one warp, or some of its warps.
LANESCOPE_DEV void lanescope_ptx_barrier(unsigned id, unsigned threads) {
  if (threads == 0 || (id == 0 && threads == blockDim.x * blockDim.y * blockDim.z)) return __syncthreads();
  if (threads == 32) return __syncwarp();
  lanescope_barrier_part(id < 16 ? id : 16, threads, true);
}
#define LANESCOPE_PTX_BARRIER(NAME)                                                                              \
  LANESCOPE_PTX_DOES void ptx_##NAME(unsigned id, unsigned threads) { lanescope_ptx_barrier(id, threads); }       \
  LANESCOPE_PTX_DOES void ptx_##NAME##_arrive(unsigned id, unsigned threads) { lanescope_barrier_part(id < 16 ? id : 16, threads, false); }
LANESCOPE_PTX_BARRIER(bar)
LANESCOPE_PTX_BARRIER(barrier)
LANESCOPE_PTX_DOES void ptx_barrier_cluster_arrive() { __cluster_barrier_arrive(); }
LANESCOPE_PTX_DOES void ptx_barrier_cluster_arrive_relaxed() { __cluster_barrier_arrive_relaxed(); }
LANESCOPE_PTX_DOES void ptx_barrier_cluster_wait() { __cluster_barrier_wait(); }
LANESCOPE_PTX_DOES void ptx_bar_warp(unsigned mask) { lanescope_syncwarp(mask); }

#define LANESCOPE_PTX_FENCE(NAME, BUILTIN) LANESCOPE_PTX_DOES void ptx_##NAME() { BUILTIN(); }
LANESCOPE_PTX_FENCE(membar_cta, __nvvm_membar_cta)
LANESCOPE_PTX_FENCE(membar_gl, __nvvm_membar_gl)
LANESCOPE_PTX_FENCE(membar_sys, __nvvm_membar_sys)
#define LANESCOPE_PTX_FENCES(ORDER)                               \
  LANESCOPE_PTX_FENCE(fence##ORDER##_cta, __nvvm_membar_cta)      \
  LANESCOPE_PTX_FENCE(fence##ORDER##_cluster, __nvvm_membar_gl)   \
  LANESCOPE_PTX_FENCE(fence##ORDER##_gpu, __nvvm_membar_gl)       \
  LANESCOPE_PTX_FENCE(fence##ORDER##_sys, __nvvm_membar_sys)
LANESCOPE_PTX_FENCES()
LANESCOPE_PTX_FENCES(_sc)
LANESCOPE_PTX_FENCES(_acq_rel)
// One way to memory is all that there is here.
LANESCOPE_PTX_FENCE(fence_proxy_async, lanescope_async_fence_proxy)
LANESCOPE_PTX_FENCE(fence_proxy_async_global, lanescope_async_fence_proxy)
LANESCOPE_PTX_FENCE(fence_mbarrier_init_cluster, __nvvm_membar_cta)
LANESCOPE_PTX_FENCE(fence_mbarrier_init_release_cluster, __nvvm_membar_cta)
LANESCOPE_PTX_FENCE(fence_proxy_alias, __nvvm_membar_cta)
LANESCOPE_PTX_DOES void ptx_trap() { lanescope_trap(); }

// ---- asynchronous copies ----

// What is not copied of the destination becomes zero.
LANESCOPE_DEV void lanescope_ptx_zeros(char* to, unsigned from, unsigned bytes) {
  for (unsigned i = from; i < bytes; ++i) to[i] = 0;
}
#define LANESCOPE_PTX_COPY(NAME)                                                                                       \
  LANESCOPE_PTX_DOES void ptx_cp_async_##NAME##_of3(void* to, const void* from, unsigned bytes) {                       \
    lanescope_async_copy_##NAME(to, from, bytes);                                                                      \
  }                                                                                                                    \
  LANESCOPE_PTX_DOES void ptx_cp_async_##NAME(void* to, const void* from, unsigned bytes, unsigned taken) {             \
    if (taken == bytes) return lanescope_async_copy_##NAME(to, from, bytes);                                           \
    if (taken == 0 && bytes == 16) {                                                                                   \
      *(uint4*)to = uint4{0, 0, 0, 0};                                                                                 \
      return;                                                                                                          \
    }                                                                                                                  \
    for (unsigned i = 0; i < taken; ++i) ((char*)to)[i] = ((const char*)from)[i];                                      \
    lanescope_ptx_zeros((char*)to, taken, bytes);                                                                      \
  }
LANESCOPE_PTX_COPY(ca)
LANESCOPE_PTX_COPY(cg)
LANESCOPE_PTX_DOES void ptx_cp_async_commit_group() { lanescope_async_commit(); }
LANESCOPE_PTX_DOES void ptx_cp_async_wait_group(unsigned groups) { lanescope_async_wait(groups); }
LANESCOPE_PTX_DOES void ptx_cp_async_wait_all() { lanescope_async_wait_all(); }

// ---- matrices in shared memory ----

#define LANESCOPE_PTX_MATRICES(NAME, COUNT, TRANSPOSED)                                                       \
  LANESCOPE_PTX_DOES lanescope_registers4 ptx_ldmatrix_##NAME(const void* row) {                               \
    return lanescope_load_matrix(row, COUNT, TRANSPOSED);                                                      \
  }                                                                                                           \
  LANESCOPE_PTX_DOES void ptx_stmatrix_##NAME(void* row, unsigned a, unsigned b, unsigned c, unsigned d) {     \
    lanescope_store_matrix(row, COUNT, TRANSPOSED, a, b, c, d);                                                \
  }
LANESCOPE_PTX_MATRICES(x1_b16, 1, false)
LANESCOPE_PTX_MATRICES(x2_b16, 2, false)
LANESCOPE_PTX_MATRICES(x4_b16, 4, false)
LANESCOPE_PTX_MATRICES(x1_trans_b16, 1, true)
LANESCOPE_PTX_MATRICES(x2_trans_b16, 2, true)
LANESCOPE_PTX_MATRICES(x4_trans_b16, 4, true)
LANESCOPE_PTX_MATRICES(trans_x1_b16, 1, true)
LANESCOPE_PTX_MATRICES(trans_x2_b16, 2, true)
LANESCOPE_PTX_MATRICES(trans_x4_b16, 4, true)

// Lane l has row l / 4 of the matrix, columns l % 4 * 2 and the next; both of its column become its row.
LANESCOPE_PTX_DOES unsigned ptx_movmatrix_trans_b16(unsigned a) {
  const unsigned lane = lanescope_laneid(), from = lane % 4 * 8 + lane / 8, shift = lane / 4 % 2 * 16;
  const unsigned low = lanescope_shfl(~0u, a, (int)from, 32, 0) >> shift & 0xffffu;
  const unsigned high = lanescope_shfl(~0u, a, (int)from + 4, 32, 0) >> shift & 0xffffu;
  return high << 16 | low;
}

// C of m8n8k4, of halves a row in each lane, as the floats of that shape lie: element `i` of a lane is one of the
// halves of `low`, or of `high` in every other pair of lanes.
LANESCOPE_DEV unsigned lanescope_quad_float(unsigned low, unsigned high, int i) {
  const int lane = (int)lanescope_laneid(), from = (lane & ~3) + lane % 2 + (i & 2);
  const unsigned a = lanescope_shfl(~0u, low, from, 32, 0), b = lanescope_shfl(~0u, high, from, 32, 0);
  const auto half = (unsigned short)((lane & 2 ? b : a) >> i % 2 * 16);
  return __builtin_bit_cast(unsigned, (float)__builtin_bit_cast(_Float16, half));
}
LANESCOPE_PTX_DOES lanescope_registers8 ptx_quads_widened(lanescope_registers4 c) {
  return lanescope_registers8{lanescope_quad_float(c.x, c.y, 0), lanescope_quad_float(c.x, c.y, 1),
                              lanescope_quad_float(c.x, c.y, 2), lanescope_quad_float(c.x, c.y, 3),
                              lanescope_quad_float(c.z, c.w, 4), lanescope_quad_float(c.z, c.w, 5),
                              lanescope_quad_float(c.z, c.w, 6), lanescope_quad_float(c.z, c.w, 7)};
}

// ---- where an address lies ----

LANESCOPE_PTX bool ptx_isspacep_shared(unsigned long long a) { return __isShared((const void*)a); }
LANESCOPE_PTX bool ptx_isspacep_shared_cta(unsigned long long a) { return a - LANESCOPE_SHARED_WINDOW < 1ull << 24; }
LANESCOPE_PTX bool ptx_isspacep_shared_cluster(unsigned long long a) { return __isShared((const void*)a); }
LANESCOPE_PTX bool ptx_isspacep_local(unsigned long long a) { return __isLocal((const void*)a); }
LANESCOPE_PTX bool ptx_isspacep_global(unsigned long long a) { return __isGlobal((const void*)a); }
LANESCOPE_PTX unsigned ptx_mapa_u32(unsigned a, unsigned rank) { return (unsigned)lanescope_of_rank(a, rank); }
// An offset where the space is named, else an address.
LANESCOPE_PTX unsigned long long ptx_mapa_u64(unsigned long long a, unsigned rank) {
  if (a < LANESCOPE_SHARED_WINDOW) return lanescope_of_rank(a, rank);
  return lanescope_of_rank(a - LANESCOPE_SHARED_WINDOW, rank) + LANESCOPE_SHARED_WINDOW;
}
LANESCOPE_PTX unsigned ptx_getctarank_u32(unsigned a) { return lanescope_rank_of(a); }
LANESCOPE_PTX unsigned ptx_getctarank_u64(unsigned long long a) {
  return lanescope_rank_of(a < LANESCOPE_SHARED_WINDOW ? a : a - LANESCOPE_SHARED_WINDOW);
}

// ---- mbarriers ----

#define LANESCOPE_PTX_MBARRIER(NAME, CHANGE)                                                                           \
  LANESCOPE_PTX_DOES unsigned long long ptx_mbarrier_##NAME(void* word, unsigned given) {                              \
    return lanescope_mbarrier(word, CHANGE);                                                                           \
  }
LANESCOPE_PTX_MBARRIER(arrive, given)
LANESCOPE_PTX_MBARRIER(arrive_drop, given | 1u << 20)
LANESCOPE_PTX_MBARRIER(arrive_expect_tx, 1ull + lanescope_mbarrier_bytes((int)given))
LANESCOPE_PTX_MBARRIER(arrive_drop_expect_tx, 1ull + (1ull << 20) + lanescope_mbarrier_bytes((int)given))
LANESCOPE_PTX_DOES unsigned long long ptx_mbarrier_arrive_of2(void* word) { return lanescope_mbarrier(word, 1); }
LANESCOPE_PTX_DOES unsigned long long ptx_mbarrier_arrive_drop_of2(void* word) {
  return lanescope_mbarrier(word, 1u << 20 | 1u);
}
LANESCOPE_PTX_DOES void ptx_mbarrier_init(void* word, unsigned count) { lanescope_mbarrier_init(word, count); }
LANESCOPE_PTX_DOES void ptx_mbarrier_inval(void* word) { *(unsigned long long*)word = ~0ull; }
LANESCOPE_PTX_DOES void ptx_mbarrier_expect_tx(void* word, unsigned bytes) {
  lanescope_mbarrier(word, lanescope_mbarrier_bytes((int)bytes));
}
LANESCOPE_PTX_DOES void ptx_mbarrier_complete_tx(void* word, unsigned bytes) {
  lanescope_mbarrier(word, lanescope_mbarrier_bytes(-(int)bytes));
}
// A state tells its phase by the parity on top. How long to wait at most says nothing here.
#define LANESCOPE_PTX_WAIT(NAME)                                                                                       \
  LANESCOPE_PTX_DOES bool ptx_mbarrier_##NAME(const void* word, unsigned long long state, unsigned) {                   \
    return lanescope_mbarrier_wait(word, (unsigned)(state >> 63));                                                     \
  }                                                                                                                    \
  LANESCOPE_PTX_DOES bool ptx_mbarrier_##NAME##_parity(const void* word, unsigned parity, unsigned) {                   \
    return lanescope_mbarrier_wait(word, parity);                                                                      \
  }
LANESCOPE_PTX_WAIT(test_wait)
LANESCOPE_PTX_WAIT(try_wait)
LANESCOPE_PTX_DOES void ptx_cp_async_bulk_commit_group() { lanescope_async_bulk_commit(); }
LANESCOPE_PTX_DOES void ptx_cp_async_bulk_wait_group(unsigned groups) { lanescope_async_bulk_wait(groups); }
LANESCOPE_PTX_DOES void ptx_cp_async_bulk_wait_group_read(unsigned groups) { lanescope_async_bulk_wait(groups); }
// A warp's rows of a product are there when it asks for them; the four warps of a warpgroup meet where they wait, so that
// one of them may say for all that what they have read is free.
LANESCOPE_PTX_DOES void ptx_wgmma_fence() {}
LANESCOPE_PTX_DOES void ptx_wgmma_commit_group() { lanescope_async_sums_commit(); }
LANESCOPE_PTX_DOES void ptx_wgmma_wait_group(unsigned groups) {
  lanescope_async_sums_wait(groups);
  lanescope_barrier_part(LANESCOPE_WARPGROUP_BARRIERS + lanescope_warpid() / 4, 128, true);
}
// Maps do not change while a kernel runs.
LANESCOPE_PTX_DOES void ptx_fence_proxy_tensormap_generic_release_gpu() {}
LANESCOPE_PTX_DOES void ptx_fence_proxy_tensormap_generic_acquire_gpu(const void*, unsigned) {}
LANESCOPE_PTX unsigned ptx_mbarrier_pending_count(unsigned long long state) { return (unsigned)state & 0xfffffu; }
// What a thread has copied before is there when it is made; it arrives besides those that the mbarrier counts, or as one.
LANESCOPE_PTX_DOES void ptx_cp_async_mbarrier_arrive_b64(void*) { lanescope_async_wait_all(); }
LANESCOPE_PTX_DOES void ptx_cp_async_mbarrier_arrive_noinc_b64(void* word) {
  lanescope_async_wait_all();
  lanescope_mbarrier(word, 1);
}
