// inclusive_scan and exclusive_scan over tiles and coalesced threads.
#pragma once
#include <cooperative_groups.h>

namespace cooperative_groups {

template <class _Group, class _Tp, class _Op> __device__ inline _Tp inclusive_scan(const _Group& group, _Tp v, _Op&& op) {
  const unsigned rank = group.thread_rank(), size = group.size();
  for (unsigned by = 1; by < size; by *= 2) {
    const _Tp left = group.shfl_up(v, by);
    if (by <= rank) v = op(v, left);
  }
  return v;
}
template <class _Group, class _Tp> __device__ inline _Tp inclusive_scan(const _Group& group, _Tp v) {
  return inclusive_scan(group, v, plus<_Tp>());
}
// The first thread has nothing before it: for a sum that is 0.
template <class _Group, class _Tp, class _Op> __device__ inline _Tp exclusive_scan(const _Group& group, _Tp v, _Op&& op) {
  const _Tp left = group.shfl_up(inclusive_scan(group, v, op), 1);
  return group.thread_rank() == 0 ? _Tp{} : left;
}
template <class _Group, class _Tp> __device__ inline _Tp exclusive_scan(const _Group& group, _Tp v) {
  return exclusive_scan(group, v, plus<_Tp>());
}

}  // namespace cooperative_groups
