// cuda::std as the machine's own standard library: what is constexpr there runs on the device as well, and what is
// not, or may be specialised by a text, is here.
#pragma once

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include <array>
#include <initializer_list>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cuda {
namespace std {
using namespace ::std;

template <class T> LANESCOPE_MEMBER constexpr typename ::std::remove_reference<T>::type&& move(T&& v) noexcept { return static_cast<typename ::std::remove_reference<T>::type&&>(v); }
template <class T> LANESCOPE_MEMBER constexpr T&& forward(typename ::std::remove_reference<T>::type& v) noexcept { return static_cast<T&&>(v); }
template <class T> LANESCOPE_MEMBER constexpr T&& forward(typename ::std::remove_reference<T>::type&& v) noexcept { return static_cast<T&&>(v); }
template <class T> LANESCOPE_MEMBER void swap(T& a, T& b) {
  T kept = cuda::std::move(a);
  a = cuda::std::move(b);
  b = cuda::std::move(kept);
}
template <class T, class U = T> LANESCOPE_MEMBER T exchange(T& at, U&& value) {
  T old = cuda::std::move(at);
  at = cuda::std::forward<U>(value);
  return old;
}

// Of its own, so that a text may specialise it.
template <class T> struct tuple_size : ::std::tuple_size<T> {};
template <::std::size_t i, class T> struct tuple_element : ::std::tuple_element<i, T> {};
template <::std::size_t i, class T> using tuple_element_t = typename tuple_element<i, T>::type;
}  // namespace std
}  // namespace cuda
