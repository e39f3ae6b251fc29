// Cooperative groups: blocks, tiles and coalesced threads of a warp, the grid. What lies within a warp is a
// mask of lanes; every collective is one of the warp's own operations with that mask.
#pragma once
#include <lanescope_mbarrier.h>

namespace cooperative_groups {

__device__ inline unsigned lanescope_lanes_below() { return (1u << lanescope_laneid()) - 1u; }
// The bits of `word` at the places that `mask` has, pushed together.
__device__ inline unsigned lanescope_pack_lanes(unsigned mask, unsigned word) {
  if (mask == 0xffffffffu) return word;
  unsigned packed = 0;
  for (unsigned left = mask, at = 0; left != 0; left &= left - 1, ++at)
    if (word & left & (0u - left)) packed |= 1u << at;
  return packed;
}
// The lane of the rank-th thread of a mask that has so many.
__device__ inline unsigned lanescope_lane_of(unsigned mask, unsigned rank) {
  unsigned left = mask;
  for (unsigned i = 0; i < rank; ++i) left &= left - 1;
  return (unsigned)__ffs((int)left) - 1u;
}

// Values of any size that is moved as words; the mode is that of lanescope_shuffle.
template <int _Count> struct lanescope_words { unsigned word[_Count]; };
template <int _At, int _Count>
__device__ inline void lanescope_shuffle_words(unsigned mask, lanescope_words<_Count>& words, int operand, int width, int mode) {
  words.word[_At] = lanescope_shfl(mask, words.word[_At], operand, width, mode);
  if constexpr (_At + 1 < _Count) lanescope_shuffle_words<_At + 1>(mask, words, operand, width, mode);
}
template <class _Tp> __device__ inline _Tp lanescope_move(unsigned mask, _Tp v, int operand, int width, int mode) {
  if constexpr (sizeof(_Tp) == 1) {
    return __builtin_bit_cast(_Tp, (unsigned char)lanescope_shfl(mask, __builtin_bit_cast(unsigned char, v), operand, width, mode));
  } else if constexpr (sizeof(_Tp) == 2 || sizeof(_Tp) == 4 || sizeof(_Tp) == 8) {
    return lanescope_shuffle(mask, v, operand, width, mode);
  } else {
    static_assert(sizeof(_Tp) % 4 == 0 && sizeof(_Tp) <= 32, "shuffles move up to 32 bytes, in words");
    auto words = __builtin_bit_cast(lanescope_words<(int)(sizeof(_Tp) / 4)>, v);
    lanescope_shuffle_words<0>(mask, words, operand, width, mode);
    return __builtin_bit_cast(_Tp, words);
  }
}
// Of types that a match compares: integers go as 32 or 64 bits.
template <class _Tp> __device__ inline unsigned lanescope_match(unsigned mask, _Tp v) {
  if constexpr (sizeof(_Tp) < 4) return __match_any_sync(mask, (int)v);
  else return __match_any_sync(mask, v);
}

struct lanescope_arrival {};

class grid_group {
 public:
  using arrival_token = lanescope_arrival;
  static __device__ bool is_valid() { return true; }
  static __device__ void sync() { lanescope_grid_sync(); }
  static __device__ arrival_token barrier_arrive() { return {}; }
  static __device__ void barrier_wait(arrival_token&&) { lanescope_grid_sync(); }
  static __device__ unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  static __device__ unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static __device__ unsigned long long num_threads() { return num_blocks() * (blockDim.x * blockDim.y * blockDim.z); }
  static __device__ unsigned long long size() { return num_threads(); }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * (blockDim.x * blockDim.y * blockDim.z) +
           ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
  }
  static __device__ dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __device__ dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __device__ dim3 dim_threads() { return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z); }
  static __device__ dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z * blockDim.z + threadIdx.z);
  }
};
__device__ inline grid_group this_grid() { return {}; }

class thread_block {
 public:
  using arrival_token = lanescope_arrival;
  static __device__ void sync() { __syncthreads(); }
  // Whoever arrives waits when it asks for the others: all threads meet once, there.
  static __device__ arrival_token barrier_arrive() { return {}; }
  static __device__ void barrier_wait(arrival_token&&) { __syncthreads(); }
  static __device__ unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static __device__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static __device__ unsigned num_threads() { return size(); }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
__device__ inline thread_block this_thread_block() { return {}; }
class cluster_group {
 public:
  using arrival_token = lanescope_arrival;
  static __device__ void sync() {
    __cluster_barrier_arrive();
    lanescope_cluster_meet();
  }
  static __device__ arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return {};
  }
  static __device__ void barrier_wait() { lanescope_cluster_meet(); }
  static __device__ void barrier_wait(arrival_token&&) { lanescope_cluster_meet(); }
  static __device__ unsigned query_shared_rank(const void* at) { return __cluster_query_shared_rank(at); }
  template <class _Tp> static __device__ _Tp* map_shared_rank(_Tp* at, int rank) {
    return (_Tp*)__cluster_map_shared_rank(at, (unsigned)rank);
  }
  static __device__ dim3 block_index() { return lanescope_cluster_place(); }
  static __device__ unsigned block_rank() { return lanescope_cluster_rank(); }
  static __device__ unsigned thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static __device__ dim3 thread_index() {
    const dim3 at = block_index();
    return dim3(at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y, at.z * blockDim.z + threadIdx.z);
  }
  static __device__ dim3 dim_blocks() { return lanescope_cluster_dims(); }
  static __device__ unsigned num_blocks() { return lanescope_cluster_size(); }
  static __device__ dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static __device__ unsigned num_threads() { return num_blocks() * thread_block::size(); }
  static __device__ unsigned size() { return num_threads(); }
};
__device__ inline cluster_group this_cluster() { return {}; }
template <unsigned _Threads = 0> struct block_tile_memory { char lanescope_unused; };
template <unsigned _Threads> __device__ inline thread_block this_thread_block(block_tile_memory<_Threads>&) { return {}; }

// Threads of a warp that were together when they formed the group.
class coalesced_group {
 public:
  __device__ explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  __device__ unsigned lanescope_mask() const { return mask_; }
  __device__ unsigned size() const { return (unsigned)__popc(mask_); }
  __device__ unsigned num_threads() const { return size(); }
  __device__ unsigned thread_rank() const { return (unsigned)__popc(mask_ & lanescope_lanes_below()); }
  __device__ unsigned meta_group_rank() const { return meta_rank_; }
  __device__ unsigned meta_group_size() const { return meta_size_; }
  __device__ void sync() const { lanescope_syncwarp(mask_); }
  template <class _Tp> __device__ _Tp shfl(_Tp v, unsigned rank) const {
    return lanescope_move(mask_, v, (int)(mask_ == 0xffffffffu ? rank : lanescope_lane_of(mask_, rank % size())), 32, 0);
  }
  // A source outside the group leaves the own value.
  template <class _Tp> __device__ _Tp shfl_up(_Tp v, unsigned by) const {
    if (mask_ == 0xffffffffu) return lanescope_move(mask_, v, (int)by, 32, 1);
    const unsigned rank = thread_rank();
    return lanescope_move(mask_, v, (int)lanescope_lane_of(mask_, rank >= by ? rank - by : rank), 32, 0);
  }
  template <class _Tp> __device__ _Tp shfl_down(_Tp v, unsigned by) const {
    if (mask_ == 0xffffffffu) return lanescope_move(mask_, v, (int)by, 32, 2);
    const unsigned rank = thread_rank();
    return lanescope_move(mask_, v, (int)lanescope_lane_of(mask_, rank + by < size() ? rank + by : rank), 32, 0);
  }
  __device__ int any(int p) const { return lanescope_ballot(mask_, p != 0) != 0; }
  __device__ int all(int p) const { return lanescope_ballot(mask_, p == 0) == 0; }
  __device__ unsigned ballot(int p) const { return lanescope_pack_lanes(mask_, lanescope_ballot(mask_, p != 0)); }
  template <class _Tp> __device__ unsigned match_any(_Tp v) const { return lanescope_pack_lanes(mask_, lanescope_match(mask_, v)); }
  template <class _Tp> __device__ unsigned match_all(_Tp v, int& pred) const {
    pred = lanescope_match(mask_, v) == lanescope_ballot(mask_, true);
    return pred ? lanescope_pack_lanes(mask_, mask_) : 0;
  }

 private:
  unsigned mask_, meta_rank_, meta_size_;
};
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(lanescope_activemask()); }

// What tiles of every kind share: Size neighbouring threads of the block.
template <unsigned _Size, bool _IsWide = (_Size > 32)> class lanescope_tile {
  static_assert(_Size >= 1 && (_Size & (_Size - 1)) == 0, "a tile has 1, 2, 4, 8, … or 1024 threads");

 public:
  static __device__ unsigned thread_rank() { return thread_block::thread_rank() % _Size; }
  static constexpr __device__ unsigned size() { return _Size; }
  static constexpr __device__ unsigned num_threads() { return _Size; }
  static __device__ unsigned lanescope_mask() {
    if constexpr (_Size == 32) return 0xffffffffu;
    else return ((1u << _Size) - 1u) << first_lane();
  }
  static __device__ void sync() { lanescope_syncwarp(lanescope_mask()); }
  template <class _Tp> static __device__ _Tp shfl(_Tp v, int rank) { return lanescope_move(lanescope_mask(), v, rank, _Size, 0); }
  template <class _Tp> static __device__ _Tp shfl_up(_Tp v, unsigned by) { return lanescope_move(lanescope_mask(), v, (int)by, _Size, 1); }
  template <class _Tp> static __device__ _Tp shfl_down(_Tp v, unsigned by) { return lanescope_move(lanescope_mask(), v, (int)by, _Size, 2); }
  template <class _Tp> static __device__ _Tp shfl_xor(_Tp v, unsigned with) { return lanescope_move(lanescope_mask(), v, (int)with, _Size, 3); }
  static __device__ unsigned ballot(int p) { return own(lanescope_ballot(lanescope_mask(), p != 0)); }
  static __device__ int any(int p) { return lanescope_ballot(lanescope_mask(), p != 0) != 0; }
  static __device__ int all(int p) { return lanescope_ballot(lanescope_mask(), p == 0) == 0; }
  template <class _Tp> static __device__ unsigned match_any(_Tp v) { return own(lanescope_match(lanescope_mask(), v)); }
  template <class _Tp> static __device__ unsigned match_all(_Tp v, int& pred) {
    pred = lanescope_match(lanescope_mask(), v) == lanescope_ballot(lanescope_mask(), true);
    return pred ? own(lanescope_mask()) : 0;
  }

 private:
  static __device__ unsigned first_lane() { return lanescope_laneid() / _Size * _Size; }
  static __device__ unsigned own(unsigned lanes) { return _Size == 32 ? lanes : (lanes & lanescope_mask()) >> first_lane(); }
};

// Of several warps, which meet at a barrier of their own and hand on values through shared memory.
template <unsigned _Size> class lanescope_tile<_Size, true> {
  static_assert(_Size <= 1024 && (_Size & (_Size - 1)) == 0, "a tile has 1, 2, 4, 8, … or 1024 threads");

 public:
  static __device__ unsigned thread_rank() { return thread_block::thread_rank() % _Size; }
  static constexpr __device__ unsigned size() { return _Size; }
  static constexpr __device__ unsigned num_threads() { return _Size; }
  static __device__ unsigned lanescope_number() { return thread_block::thread_rank() / _Size; }
  static __device__ void sync() { 
    // From the last of the block's numbered barriers down: programs begin with the first.
    if (thread_block::size() == _Size) __syncthreads();
    else lanescope_barrier_part(15u - lanescope_number(), _Size, true);
  }
  template <class _Tp> static __device__ _Tp shfl(_Tp v, int rank) {
    __shared__ _Tp handed[16];
    if ((int)thread_rank() == rank) handed[lanescope_number()] = v;
    sync();
    v = handed[lanescope_number()];
    sync();
    return v;
  }
  // What the first lane of each warp brings, one by one, from the first warp on.
  template <class _Tp, class _Op> static __device__ _Tp lanescope_over_warps(_Tp v, _Op op) {
    __shared__ _Tp brought[32];
    const unsigned first = lanescope_number() * (_Size / 32);
    if (lanescope_laneid() == 0) brought[thread_block::thread_rank() / 32] = v;
    sync();
    v = brought[first];
    for (unsigned i = 1; i < _Size / 32; ++i) v = op(v, brought[first + i]);
    sync();
    return v;
  }
  static __device__ int any(int p) {
    return lanescope_over_warps(lanescope_ballot(0xffffffffu, p != 0), [](unsigned a, unsigned b) { return a | b; }) != 0;
  }
  static __device__ int all(int p) { return !any(!p); }
};

// Without a parent: a tile of anything, which remembers its place.
template <unsigned _Size, class _Parent = void> class thread_block_tile : public lanescope_tile<_Size> {
 public:
  static __device__ unsigned meta_group_rank() { return _Parent::thread_rank() / _Size; }
  static __device__ unsigned meta_group_size() { return (_Parent::size() + _Size - 1) / _Size; }
};
template <unsigned _Size> class thread_block_tile<_Size, void> : public lanescope_tile<_Size> {
 public:
  template <class _Parent> __device__ thread_block_tile(const thread_block_tile<_Size, _Parent>& tile)
      : meta_rank_(tile.meta_group_rank()), meta_size_(tile.meta_group_size()) {}
  __device__ unsigned meta_group_rank() const { return meta_rank_; }
  __device__ unsigned meta_group_size() const { return meta_size_; }

 private:
  unsigned meta_rank_, meta_size_;
};

// Any group: a block, a grid, or lanes of a warp.
class thread_group {
 public:
  __device__ thread_group(const thread_block&) : kind_(Kind::block) {}
  __device__ thread_group(const grid_group&) : kind_(Kind::grid) {}
  __device__ thread_group(const coalesced_group& group)
      : kind_(Kind::lanes), lanes_(group.lanescope_mask(), group.meta_group_rank(), group.meta_group_size()) {}
  template <unsigned _Size, class _Parent> __device__ thread_group(const thread_block_tile<_Size, _Parent>& tile)
      : kind_(Kind::lanes), lanes_(tile.lanescope_mask(), tile.meta_group_rank(), tile.meta_group_size()) {}
  __device__ unsigned long long size() const {
    return kind_ == Kind::lanes ? lanes_.size() : kind_ == Kind::block ? thread_block::size() : grid_group::size();
  }
  __device__ unsigned long long num_threads() const { return size(); }
  __device__ unsigned long long thread_rank() const {
    return kind_ == Kind::lanes ? lanes_.thread_rank() : kind_ == Kind::block ? thread_block::thread_rank() : grid_group::thread_rank();
  }
  __device__ void sync() const {
    if (kind_ == Kind::lanes) lanes_.sync();
    else if (kind_ == Kind::block) thread_block::sync();
    else grid_group::sync();
  }
  __device__ bool is_valid() const { return true; }
  __device__ const coalesced_group& lanescope_lanes() const { return lanes_; }
  __device__ bool lanescope_is_block() const { return kind_ == Kind::block; }

 private:
  enum class Kind { block, lanes, grid };
  Kind kind_;
  coalesced_group lanes_{0u};
};

// ---- partitions ----

template <unsigned _Size, class _Parent> __device__ inline thread_block_tile<_Size, _Parent> tiled_partition(const _Parent&) {
  return {};
}
// Of coalesced threads: by rank, `size` at a time.
__device__ inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  const unsigned rank = parent.thread_rank() / size, first = rank * size, all = parent.size();
  unsigned left = parent.lanescope_mask(), mask = 0;
  for (unsigned i = 0; i < all; ++i, left &= left - 1)
    if (i >= first && i < first + size) mask |= left & (0u - left);
  return coalesced_group(mask, rank, (all + size - 1) / size);
}
// Of a block: the last tile may have fewer threads.
__device__ inline coalesced_group lanescope_tile_of_block(unsigned size) {
  const unsigned rank = thread_block::thread_rank(), all = thread_block::size(), first = rank / size * size;
  const unsigned count = all - first < size ? all - first : size;
  const unsigned mask = count == 32 ? 0xffffffffu : ((1u << count) - 1u) << (lanescope_laneid() / size * size);
  return coalesced_group(mask, rank / size, (all + size - 1) / size);
}
__device__ inline thread_group tiled_partition(const thread_block&, unsigned size) { return lanescope_tile_of_block(size); }
__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (parent.lanescope_is_block()) return lanescope_tile_of_block(size);
  return tiled_partition(parent.lanescope_lanes(), size);
}
template <class _Group> __device__ inline coalesced_group binary_partition(const _Group& parent, bool pred) {
  const unsigned mask = parent.lanescope_mask(), set = lanescope_ballot(mask, pred), all = lanescope_ballot(mask, true);
  if (set == all || set == 0) return coalesced_group(all, 0, 1);
  return coalesced_group(pred ? set : all & ~set, pred ? 1 : 0, 2);
}
template <class _Group, class _Label> __device__ inline coalesced_group labeled_partition(const _Group& parent, _Label label) {
  const unsigned mask = parent.lanescope_mask(), own = lanescope_match(mask, label), first = own & (0u - own);
  const unsigned leaders = lanescope_ballot(mask, first == 1u << lanescope_laneid());
  return coalesced_group(own, (unsigned)__popc(leaders & (first - 1u)), (unsigned)__popc(leaders));
}

// ---- free functions ----

template <class _Group> __device__ inline void sync(const _Group& g) { g.sync(); }
template <class _Group> __device__ inline auto thread_rank(const _Group& g) { return g.thread_rank(); }
template <class _Group> __device__ inline auto group_size(const _Group& g) { return g.size(); }
// Somebody of the group does it: the first.
template <class _Group, class _Function, class... _Args>
__device__ inline void invoke_one(const _Group& g, _Function&& function, _Args&&... arguments) {
  if (g.thread_rank() == 0) function(static_cast<_Args&&>(arguments)...);
}
template <class _Group, class _Function, class... _Args>
__device__ inline auto invoke_one_broadcast(const _Group& g, _Function&& function, _Args&&... arguments) {
  decltype(function(static_cast<_Args&&>(arguments)...)) result{};
  if (g.thread_rank() == 0) result = function(static_cast<_Args&&>(arguments)...);
  return g.shfl(result, 0);
}

// ---- operators of reductions and scans ----

#define LANESCOPE_GROUP_OPERATOR(NAME, EXPR)                                                   \
  template <class _Tp> struct NAME {                                                            \
    __device__ _Tp operator()(const _Tp& a, const _Tp& b) const { return EXPR; }                \
  };
LANESCOPE_GROUP_OPERATOR(plus, a + b)
LANESCOPE_GROUP_OPERATOR(less, b < a ? b : a)
LANESCOPE_GROUP_OPERATOR(greater, a < b ? b : a)
LANESCOPE_GROUP_OPERATOR(bit_and, a & b)
LANESCOPE_GROUP_OPERATOR(bit_or, a | b)
LANESCOPE_GROUP_OPERATOR(bit_xor, a ^ b)

}  // namespace cooperative_groups
