// Thrust's vectors: memory of the host and of the device that frees itself, and copies between the two by the
// runtime. Of Thrust's algorithms copy and fill are here; elements of a device_vector are set through the runtime,
// where Thrust itself would launch kernels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lanescope_runtime.h"

namespace thrust {

class system_error : public std::runtime_error {
 public:
  explicit system_error(cudaError_t error) : std::runtime_error(cudaGetErrorString(error)), error_(error) {}
  cudaError_t error() const { return error_; }

 private:
  cudaError_t error_;
};

namespace lanescope {
inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw system_error(error);
}
template <class T> void copy(T* to, const T* from, std::size_t count, cudaMemcpyKind kind) {
  static_assert(std::is_trivially_copyable<T>::value, "elements of a device_vector are copied byte by byte");
  if (count > 0) check(cudaMemcpy((void*)to, (const void*)from, count * sizeof(T), kind));
}
}  // namespace lanescope

template <class T> class device_ptr;

/// One element in device memory, as the host reads and writes it.
template <class T> class device_reference {
 public:
  typedef typename std::remove_const<T>::type value_type;
  explicit device_reference(T* at) : at_(at) {}
  device_reference(const device_reference&) = default;
  operator value_type() const {
    value_type value;
    lanescope::copy<value_type>(&value, at_, 1, cudaMemcpyDeviceToHost);
    return value;
  }
  const device_reference& operator=(const value_type& value) const {
    lanescope::copy<value_type>(at_, &value, 1, cudaMemcpyHostToDevice);
    return *this;
  }
  const device_reference& operator=(const device_reference& other) const { return *this = (value_type)other; }
  device_ptr<T> operator&() const { return device_ptr<T>(at_); }
  friend void swap(device_reference a, device_reference b) {
    const value_type kept = a;
    a = b;
    b = kept;
  }

 private:
  T* at_;
};

/// A pointer to device memory that the host may not follow by itself.
template <class T> class device_ptr {
 public:
  typedef std::random_access_iterator_tag iterator_category;
  typedef typename std::remove_const<T>::type value_type;
  typedef std::ptrdiff_t difference_type;
  typedef device_ptr pointer;
  typedef device_reference<T> reference;
  typedef T element_type;

  __host__ __device__ device_ptr() : at_(nullptr) {}
  __host__ __device__ device_ptr(std::nullptr_t) : at_(nullptr) {}
  __host__ __device__ explicit device_ptr(T* at) : at_(at) {}
  template <class U, class = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
  __host__ __device__ device_ptr(const device_ptr<U>& other) : at_(other.get()) {}
  __host__ __device__ T* get() const { return at_; }
  reference operator*() const { return reference(at_); }
  reference operator[](difference_type i) const { return reference(at_ + i); }
  __host__ __device__ device_ptr& operator++() { return ++at_, *this; }
  __host__ __device__ device_ptr& operator--() { return --at_, *this; }
  __host__ __device__ device_ptr operator++(int) { return device_ptr(at_++); }
  __host__ __device__ device_ptr operator--(int) { return device_ptr(at_--); }
  __host__ __device__ device_ptr& operator+=(difference_type n) { return at_ += n, *this; }
  __host__ __device__ device_ptr& operator-=(difference_type n) { return at_ -= n, *this; }
  __host__ __device__ explicit operator bool() const { return at_ != nullptr; }
  __host__ __device__ friend device_ptr operator+(device_ptr p, difference_type n) { return p += n; }
  __host__ __device__ friend device_ptr operator+(difference_type n, device_ptr p) { return p += n; }
  __host__ __device__ friend device_ptr operator-(device_ptr p, difference_type n) { return p -= n; }
  __host__ __device__ friend difference_type operator-(device_ptr a, device_ptr b) { return a.at_ - b.at_; }
  __host__ __device__ friend bool operator==(device_ptr a, device_ptr b) { return a.at_ == b.at_; }
  __host__ __device__ friend bool operator!=(device_ptr a, device_ptr b) { return a.at_ != b.at_; }
  __host__ __device__ friend bool operator<(device_ptr a, device_ptr b) { return a.at_ < b.at_; }
  __host__ __device__ friend bool operator>(device_ptr a, device_ptr b) { return a.at_ > b.at_; }
  __host__ __device__ friend bool operator<=(device_ptr a, device_ptr b) { return a.at_ <= b.at_; }
  __host__ __device__ friend bool operator>=(device_ptr a, device_ptr b) { return a.at_ >= b.at_; }

 private:
  T* at_;
};

template <class T> __host__ __device__ device_ptr<T> device_pointer_cast(T* at) { return device_ptr<T>(at); }
template <class T> __host__ __device__ device_ptr<T> device_pointer_cast(device_ptr<T> at) { return at; }
template <class T> __host__ __device__ T* raw_pointer_cast(device_ptr<T> at) { return at.get(); }
template <class T> __host__ __device__ T* raw_pointer_cast(T* at) { return at; }

template <class T> device_ptr<T> device_malloc(std::size_t count) {
  void* at = nullptr;
  lanescope::check(cudaMalloc(&at, count * sizeof(T)));
  return device_ptr<T>((T*)at);
}
template <class T> void device_free(device_ptr<T> at) { lanescope::check(cudaFree((void*)at.get())); }
template <class T> class device_allocator;

template <class T, class Allocator = device_allocator<T>> class device_vector;

/// A std::vector that takes from the device's as well.
template <class T, class Allocator = std::allocator<T>> class host_vector : public std::vector<T, Allocator> {
 public:
  typedef std::vector<T, Allocator> Base;
  using Base::Base;
  host_vector() {}
  host_vector(const host_vector&) = default;
  host_vector(host_vector&&) = default;
  host_vector(const Base& other) : Base(other) {}
  template <class U, class A> host_vector(const host_vector<U, A>& other) : Base(other.begin(), other.end()) {}
  template <class U, class A> host_vector(const device_vector<U, A>& other) { *this = other; }
  host_vector& operator=(const host_vector&) = default;
  host_vector& operator=(host_vector&&) = default;
  using Base::operator=;
  template <class U, class A> host_vector& operator=(const device_vector<U, A>& other) {
    std::vector<U> values(other.size());
    lanescope::copy<U>(values.data(), other.data().get(), values.size(), cudaMemcpyDeviceToHost);
    this->assign(values.begin(), values.end());
    return *this;
  }
};

/// An array in device memory.
template <class T, class Allocator> class device_vector {
 public:
  typedef T value_type;
  typedef std::size_t size_type;
  typedef std::ptrdiff_t difference_type;
  typedef device_ptr<T> pointer, iterator;
  typedef device_ptr<const T> const_pointer, const_iterator;
  typedef device_reference<T> reference;
  typedef device_reference<const T> const_reference;

  device_vector() {}
  explicit device_vector(size_type count) : device_vector(count, T()) {}
  device_vector(size_type count, const T& value) { assign(count, value); }
  device_vector(std::initializer_list<T> list) : device_vector(list.begin(), list.end()) {}
  device_vector(const device_vector& other) { take(other.at_, other.size_, cudaMemcpyDeviceToDevice); }
  device_vector(device_vector&& other) noexcept { swap(other); }
  template <class A> device_vector(const std::vector<T, A>& other) { *this = other; }
  template <class U, class A> device_vector(const std::vector<U, A>& other) : device_vector(other.begin(), other.end()) {}
  template <class Iterator, class = typename std::enable_if<!std::is_integral<Iterator>::value>::type>
  device_vector(Iterator first, Iterator last) { assign(first, last); }
  ~device_vector() { cudaFree((void*)at_); }

  device_vector& operator=(const device_vector& other) {
    if (this != &other) take(other.at_, other.size_, cudaMemcpyDeviceToDevice);
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept { return swap(other), *this; }
  template <class A> device_vector& operator=(const std::vector<T, A>& other) {
    return take(other.data(), other.size(), cudaMemcpyHostToDevice), *this;
  }

  void assign(size_type count, const T& value) { *this = std::vector<T>(count, value); }
  template <class Iterator, class = typename std::enable_if<!std::is_integral<Iterator>::value>::type>
  void assign(Iterator first, Iterator last) { *this = std::vector<T>(first, last); }
  void assign(iterator first, iterator last) { take(first.get(), last - first, cudaMemcpyDeviceToDevice); }
  void resize(size_type count, const T& value = T()) {
    host_vector<T> values(*this);
    values.resize(count, value);
    *this = values;
  }
  void reserve(size_type count) {
    if (count <= capacity_) return;
    T* wider = device_malloc<T>(count).get();
    lanescope::copy<T>(wider, at_, size_, cudaMemcpyDeviceToDevice);
    lanescope::check(cudaFree((void*)at_));
    at_ = wider;
    capacity_ = count;
  }
  void push_back(const T& value) {
    if (size_ == capacity_) reserve(size_ == 0 ? 1 : 2 * size_);
    (*this)[size_++] = value;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void shrink_to_fit() {}
  void swap(device_vector& other) {
    std::swap(at_, other.at_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  size_type size() const { return size_; }
  size_type capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  pointer data() { return pointer(at_); }
  const_pointer data() const { return const_pointer(at_); }
  iterator begin() { return iterator(at_); }
  iterator end() { return iterator(at_ + size_); }
  const_iterator begin() const { return const_iterator(at_); }
  const_iterator end() const { return const_iterator(at_ + size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reference operator[](size_type i) { return reference(at_ + i); }
  const_reference operator[](size_type i) const { return const_reference(at_ + i); }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[size_ - 1]; }
  const_reference front() const { return (*this)[0]; }
  const_reference back() const { return (*this)[size_ - 1]; }

 private:
  void take(const T* from, size_type count, cudaMemcpyKind kind) {
    if (count > capacity_) {
      size_ = 0;
      reserve(count);
    }
    lanescope::copy<T>(at_, from, count, kind);
    size_ = count;
  }

  T* at_ = nullptr;
  size_type size_ = 0, capacity_ = 0;
};

namespace lanescope {
template <class A, class B> struct same_elements : std::is_same<typename std::remove_const<A>::type, B> {};
}  // namespace lanescope

template <class T, class U> device_ptr<U> copy(device_ptr<T> first, device_ptr<T> last, device_ptr<U> to) {
  static_assert(lanescope::same_elements<T, U>::value, "a copy within the device converts no elements");
  lanescope::copy<U>(to.get(), first.get(), last - first, cudaMemcpyDeviceToDevice);
  return to + (last - first);
}
template <class T, class Iterator> Iterator copy(device_ptr<T> first, device_ptr<T> last, Iterator to) {
  std::vector<typename std::remove_const<T>::type> values(last - first);
  lanescope::copy<typename std::remove_const<T>::type>(values.data(), first.get(), values.size(), cudaMemcpyDeviceToHost);
  return std::copy(values.begin(), values.end(), to);
}
template <class Iterator, class U> device_ptr<U> copy(Iterator first, Iterator last, device_ptr<U> to) {
  const std::vector<U> values(first, last);
  lanescope::copy<U>(to.get(), values.data(), values.size(), cudaMemcpyHostToDevice);
  return to + values.size();
}
template <class Iterator, class Other> Other copy(Iterator first, Iterator last, Other to) { return std::copy(first, last, to); }

template <class T, class V> void fill(device_ptr<T> first, device_ptr<T> last, const V& value) {
  const std::vector<T> values(last - first, T(value));
  lanescope::copy<T>(first.get(), values.data(), values.size(), cudaMemcpyHostToDevice);
}
template <class Iterator, class V> void fill(Iterator first, Iterator last, const V& value) { std::fill(first, last, value); }

}  // namespace thrust
