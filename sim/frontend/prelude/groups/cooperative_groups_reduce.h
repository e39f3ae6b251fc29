// reduce: integers of 32 bits in one operation of the warp, where the GPU has one; others by shuffles, in
// the order of CUDA's own, on which a float's sum depends.
#pragma once
#include <cooperative_groups_scan.h>

namespace cooperative_groups {

// The kind of lanescope_reduce for an operator; -1: none has it.
template <class _Op> inline constexpr int lanescope_reduction_of = -1;
template <class _Tp> inline constexpr int lanescope_reduction_of<plus<_Tp>> = 0;
template <class _Tp> inline constexpr int lanescope_reduction_of<less<_Tp>> = (_Tp)-1 < (_Tp)0 ? 3 : 1;
template <class _Tp> inline constexpr int lanescope_reduction_of<greater<_Tp>> = (_Tp)-1 < (_Tp)0 ? 4 : 2;
template <class _Tp> inline constexpr int lanescope_reduction_of<bit_and<_Tp>> = 5;
template <class _Tp> inline constexpr int lanescope_reduction_of<bit_or<_Tp>> = 6;
template <class _Tp> inline constexpr int lanescope_reduction_of<bit_xor<_Tp>> = 7;
template <class _Tp> struct lanescope_plain { using type = _Tp; };
template <class _Tp> struct lanescope_plain<const _Tp> : lanescope_plain<_Tp> {};
template <class _Tp> struct lanescope_plain<_Tp&> : lanescope_plain<_Tp> {};
template <class _Tp> struct lanescope_plain<_Tp&&> : lanescope_plain<_Tp> {};

template <class _Op, class _Tp> __device__ constexpr bool lanescope_is_one_operation() {
  if constexpr (__is_integral(_Tp) && sizeof(_Tp) == 4) return lanescope_reduction_of<_Op> >= 0;
  else return false;
}

template <unsigned _Size, class _Parent, class _Tp, class _Op>
__device__ inline _Tp lanescope_reduce_in(const thread_block_tile<_Size, _Parent>& tile, _Tp v, _Op& op) {
  if constexpr (_Size > 32) {
    return tile.lanescope_over_warps(lanescope_reduce_in(tiled_partition<32>(tile), v, op), op);
  } else if constexpr (_Size >= 16 && lanescope_is_one_operation<typename lanescope_plain<_Op>::type, _Tp>()) {
    return (_Tp)lanescope_reduce(tile.lanescope_mask(), (unsigned)v, lanescope_reduction_of<typename lanescope_plain<_Op>::type>);
  } else {
    for (unsigned with = _Size / 2; with > 0; with /= 2) v = op(v, tile.shfl_xor(v, with));
    return v;
  }
}
template <class _Tp, class _Op> __device__ inline _Tp lanescope_reduce_in(const coalesced_group& group, _Tp v, _Op& op) {
  if constexpr (lanescope_is_one_operation<typename lanescope_plain<_Op>::type, _Tp>()) {
    return (_Tp)lanescope_reduce(group.lanescope_mask(), (unsigned)v, lanescope_reduction_of<typename lanescope_plain<_Op>::type>);
  } else {
    if (group.size() == 32) {
      for (int with = 16; with > 0; with /= 2) v = op(v, lanescope_move(0xffffffffu, v, with, 32, 3));
      return v;
    }
    return group.shfl(inclusive_scan(group, v, op), group.size() - 1);
  }
}
template <class _Group, class _Tp, class _Op> __device__ inline auto reduce(const _Group& group, _Tp&& v, _Op&& op) {
  return lanescope_reduce_in(group, static_cast<typename lanescope_plain<_Tp>::type>(v), op);
}

}  // namespace cooperative_groups
