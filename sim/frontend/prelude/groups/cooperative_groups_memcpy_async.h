// memcpy_async: the group's threads copy in turns, 16, 8, 4 bytes or a byte at a time as alignment and size allow.
#pragma once
#include <cooperative_groups.h>

namespace cooperative_groups {

template <int Width, class Group>
__device__ inline void lanescope_copy_by(const Group& group, char* to, const char* from, size_t bytes) {
  for (size_t i = group.thread_rank() * (size_t)Width; i < bytes; i += group.size() * (size_t)Width)
    if constexpr (Width == 1) to[i] = from[i];
    else lanescope_async_copy(to + i, from + i, Width);
}
// Three tests, not one of the three or-ed together: each stays decidable for all blocks at once.
template <size_t Width> __device__ inline bool lanescope_fits(const void* to, const void* from, size_t bytes) {
  return ((size_t)to & (Width - 1)) == 0 && ((size_t)from & (Width - 1)) == 0 && (bytes & (Width - 1)) == 0;
}
template <class Group> __device__ inline void lanescope_copy(const Group& group, void* to, const void* from, size_t bytes) {
  if (bytes >= 16u * group.size() && lanescope_fits<16>(to, from, bytes)) lanescope_copy_by<16>(group, (char*)to, (const char*)from, bytes);
  else if (bytes >= 8u * group.size() && lanescope_fits<8>(to, from, bytes)) lanescope_copy_by<8>(group, (char*)to, (const char*)from, bytes);
  else if (lanescope_fits<4>(to, from, bytes)) lanescope_copy_by<4>(group, (char*)to, (const char*)from, bytes);
  else lanescope_copy_by<1>(group, (char*)to, (const char*)from, bytes);
}
template <class Group, class _Tp> __device__ inline void memcpy_async(const Group& group, _Tp* to, const _Tp* from, size_t bytes) {
  lanescope_copy(group, to, from, bytes);
  lanescope_async_commit();
}
template <class Group> __device__ inline void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
  lanescope_copy(group, to, from, bytes);
  lanescope_async_commit();
}
template <class Group> __device__ inline void wait(const Group& group) {
  lanescope_async_wait_all();
  group.sync();
}
template <unsigned N, class Group> __device__ inline void wait_prior(const Group& group) {
  lanescope_async_wait(N);
  group.sync();
}

}  // namespace cooperative_groups
