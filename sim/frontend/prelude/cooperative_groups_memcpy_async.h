// memcpy_async: the group's threads copy in turns, 16, 8, 4 bytes or a byte at a time as alignment and size allow.
#pragma once
#include <cooperative_groups.h>

namespace cooperative_groups {

template <class Group> __device__ inline void lanescope_copy(const Group& group, void* to, const void* from, size_t bytes) {
  const size_t both = (size_t)to | (size_t)from | bytes;
  const int width = (both & 15) == 0 && bytes >= 16u * group.size() ? 16 : (both & 7) == 0 && bytes >= 8u * group.size() ? 8 : 4;
  for (size_t i = group.thread_rank() * (size_t)width; i < bytes; i += group.size() * (size_t)width)
    lanescope_async_copy((char*)to + i, (const char*)from + i, width);
}
template <class Group, class _Tp> __device__ inline void memcpy_async(const Group& group, _Tp* to, const _Tp* from, size_t bytes) {
  lanescope_copy(group, to, from, bytes);
}
template <class Group> __device__ inline void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
  lanescope_copy(group, to, from, bytes);
}
template <class Group> __device__ inline void wait(const Group& group) { group.sync(); }
template <unsigned N, class Group> __device__ inline void wait_prior(const Group& group) { group.sync(); }

}  // namespace cooperative_groups
