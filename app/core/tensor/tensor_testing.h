// A kernel whose tensors have types named as CuTe's are.
#pragma once

#include <string>

namespace lanescope::app::testing_texts {

/// A transpose through a swizzled tile that begins 32 bytes behind its array's; the rows of `in` are `pitch` apart.
/// `own` and `mine` are each thread's, `turned` is another view of the tile.
inline const std::string kTensors = R"cu(/*---
title = "Tensors"
kernel = "stage"
[[argument]]
name = "in"
type = "float"
shape = [32, "pitch"]
[[argument]]
name = "out"
type = "float"
shape = [1024]
[[argument]]
name = "pitch"
value = 40
[launch]
block = [32, 8]
grid = [1]
---*/
namespace cute {
template <auto v> struct C {
  __device__ constexpr operator int() const { return v; }
};
template <int I, class T> struct Held {
  T value;
  __device__ T get() const { return value; }
};
template <int I, auto v> struct Held<I, C<v>> {
  __device__ C<v> get() const { return {}; }
};
template <class... T> struct tuple;
template <class A, class B> struct tuple<A, B> : Held<0, A>, Held<1, B> {
  __device__ int first() const { return Held<0, A>::get(); }
  __device__ int second() const { return Held<1, B>::get(); }
};
template <class Shape, class Stride> struct Layout {
  Shape shape;
  Stride stride;
  __device__ int operator()(int i, int j) const { return i * stride.first() + j * stride.second(); }
};
template <int B, int M, int S> struct Swizzle {};
template <class A, class Offset, class Inner> struct ComposedLayout;
template <int B, int M, int S, class Offset, class Inner> struct ComposedLayout<Swizzle<B, M, S>, Offset, Inner> {
  Inner inner;
  __device__ int operator()(int i, int j) const {
    int o = inner(i, j);
    return o ^ (o >> S & ((1 << B) - 1) << M);
  }
};
template <class P> struct smem_ptr { P ptr; };
template <class P> struct gmem_ptr { P ptr; };
template <class Iterator> struct ViewEngine { Iterator begin; };
template <class T> struct ViewEngine<T*> { struct { T* ptr; } begin; };
template <class Engine, class Map> struct Tensor {
  Map map;
  Engine engine;
  __device__ auto& operator()(int i, int j) const { return engine.begin.ptr[map(i, j)]; }
};
}  // namespace cute
using namespace cute;
__global__ void stage(const float* in, float* out, int pitch) {
  __shared__ float memory[8 + 32 * 32];
  using Square = tuple<C<32>, C<32>>;
  using Rows = Layout<Square, tuple<C<32>, C<1>>>;
  Tensor<ViewEngine<gmem_ptr<const float*>>, Layout<Square, tuple<int, C<1>>>> mA{{{}, {{pitch}, {}}}, {{in}}};
  Tensor<ViewEngine<gmem_ptr<float*>>, Layout<Square, tuple<C<1>, C<32>>>> mC{{}, {{out}}};
  Tensor<ViewEngine<smem_ptr<float*>>, ComposedLayout<Swizzle<5, 0, 5>, C<0>, Rows>> sA{{}, {{memory + 8}}};
  Tensor<ViewEngine<gmem_ptr<const float*>>, Rows> own{{}, {{in + threadIdx.x}}};
  for (int y = threadIdx.y; y < 32; y += 8) sA(y, threadIdx.x) = mA(y, threadIdx.x);
  __syncthreads();
  Tensor<ViewEngine<smem_ptr<float*>>, Layout<Square, tuple<C<1>, C<32>>>> turned{{}, {{memory + 8}}};
  for (int y = threadIdx.y; y < 32; y += 8) mC(y, threadIdx.x) = sA(threadIdx.x, y);
  float kept[4];
  Tensor<ViewEngine<float*>, Layout<tuple<C<2>, C<2>>, tuple<C<1>, C<2>>>> mine{{}, {{kept}}};
  for (int i = 0; i < 4; ++i) mine(i % 2, i / 2) = pitch;
  if (pitch < 32) mC(0, 0) = own(0, 0) + turned(0, 0) + kept[pitch % 4];
}
)cu";

}  // namespace lanescope::app::testing_texts
