// <mma.h>: nvcuda::wmma, made of the matrix instructions that an H200 makes of it. A fragment's tiles are
// those of mma.m16n8k16 and its kin (lanescope/fragments.h has the layouts); halves come from shared memory by
// ldmatrix. Of shapes with 8 rows and 32 columns the transposed product is computed, with A and B exchanged.
#pragma once
#include <lanescope_half.h>
#include <lanescope_bfloat.h>
#include <lanescope_matrices.h>

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

// ---- elements: how they are stored, and their number in `enum class MatrixType` ----

template <class _Tp> struct lanescope_element;
#define LANESCOPE_WMMA_ELEMENT(TYPE, STORED, NUMBER, BYTES) \
  template <> struct lanescope_element<TYPE> {              \
    typedef STORED stored;                                  \
    static constexpr int number = NUMBER, bytes = BYTES;    \
  };
LANESCOPE_WMMA_ELEMENT(__half, __half, 0, 2)
LANESCOPE_WMMA_ELEMENT(__nv_bfloat16, __nv_bfloat16, 1, 2)
LANESCOPE_WMMA_ELEMENT(precision::tf32, float, 2, 4)
LANESCOPE_WMMA_ELEMENT(float, float, 5, 4)
LANESCOPE_WMMA_ELEMENT(double, double, 6, 8)
LANESCOPE_WMMA_ELEMENT(signed char, signed char, 7, 1)
LANESCOPE_WMMA_ELEMENT(unsigned char, unsigned char, 8, 1)
LANESCOPE_WMMA_ELEMENT(int, int, 12, 4)
#undef LANESCOPE_WMMA_ELEMENT

template <int _I> struct lanescope_index { static constexpr int value = _I; };
// f(0), f(1), …, each with a constant: fragments are to be registers.
template <int _N, class _F> LANESCOPE_DEV void lanescope_each(_F f) {
  if constexpr (_N > 0) {
    lanescope_each<_N - 1>(f);
    f(lanescope_index<_N - 1>());
  }
}

// What a shape is computed as.
template <int _M, int _N, int _K> struct lanescope_shape {
  static constexpr bool swapped = _M == 8 && _N == 32;
  static constexpr bool narrow = _M == 8 && _N == 8;  // of double
  static constexpr int rows = swapped ? _N : _M, columns = swapped ? _M : _N, tile = narrow ? 8 : 16;
  static constexpr int row_tiles = rows / tile, column_tiles = columns / 8;
};

// ---- A and B ----

// A's and B's elements by where they lie across (rows of A, columns of B) and along k.
template <class _Use, int _M, int _N, int _K, class _Tp> struct lanescope_operand {
  typedef lanescope_shape<_M, _N, _K> shape;
  static constexpr bool is_a = __is_same(_Use, matrix_a), is_left = is_a != shape::swapped;
  static constexpr int bytes = lanescope_element<_Tp>::bytes, parts = bytes >= 4 ? 1 : 4 / bytes;
  static constexpr int across = is_a ? _M : _N, tile = is_left ? shape::tile : 8, halves = tile / 8;
  static constexpr int steps = _K / (4 * parts), registers = halves * steps, tiles = across / tile;
  static constexpr int elements = tiles * registers * parts;
  static LANESCOPE_MEMBER int across_of(int e) {
    return e / (registers * parts) * tile + (int)lanescope_laneid() / 4 + 8 * (e / parts % registers % halves);
  }
  static LANESCOPE_MEMBER int along_of(int e) {
    return parts * ((int)lanescope_laneid() % 4) + e % parts + 4 * parts * (e / parts % registers / halves);
  }
};

template <class _Use, int _M, int _N, int _K, class _Tp, class _Layout = void> class fragment {
  typedef lanescope_operand<_Use, _M, _N, _K, _Tp> lanescope_operand_type;

 public:
  typedef typename lanescope_element<_Tp>::stored storage_element_type;
  typedef storage_element_type element_type;
  static constexpr int num_elements = lanescope_operand_type::elements, num_storage_elements = num_elements;
  storage_element_type x[num_elements];
};

template <class _Tp> LANESCOPE_DEV unsigned lanescope_register(const _Tp* x) {
  if constexpr (sizeof(_Tp) == 4) {
    return __builtin_bit_cast(unsigned, x[0]);
  } else if constexpr (sizeof(_Tp) == 2) {
    return __builtin_bit_cast(unsigned short, x[0]) | (unsigned)__builtin_bit_cast(unsigned short, x[1]) << 16;
  } else {
    return (unsigned char)x[0] | (unsigned)(unsigned char)x[1] << 8 | (unsigned)(unsigned char)x[2] << 16 |
           (unsigned)(unsigned char)x[3] << 24;
  }
}
template <class _Tp> LANESCOPE_DEV void lanescope_from_register(_Tp* x, unsigned r) {
  if constexpr (sizeof(_Tp) == 4) {
    x[0] = __builtin_bit_cast(_Tp, r);
  } else if constexpr (sizeof(_Tp) == 2) {
    x[0] = __builtin_bit_cast(_Tp, (unsigned short)r), x[1] = __builtin_bit_cast(_Tp, (unsigned short)(r >> 16));
  } else {
    x[0] = (_Tp)r, x[1] = (_Tp)(r >> 8), x[2] = (_Tp)(r >> 16), x[3] = (_Tp)(r >> 24);
  }
}

// 8x8 matrices of halves, in the order of the registers: of A first across, then along k; of B along k first.
template <class _Operand, bool _Along, class _Tp> LANESCOPE_DEV void lanescope_load_halves(_Tp* x, const _Tp* p, unsigned ld) {
  constexpr int all = _Operand::across * 16 / 64, each = all < 4 ? all : 4;
  lanescope_each<all / each>([&](auto step) {
    const int lane = (int)lanescope_laneid(), matrix = step.value * each + lane / 8 % each;
    const int across = 8 * (_Operand::is_left ? matrix / 4 * 2 + matrix % 2 : matrix / 2);
    const int along = 8 * (_Operand::is_left ? matrix / 2 % 2 : matrix % 2);
    const _Tp* row = _Along ? p + (across + lane % 8) * ld + along : p + (along + lane % 8) * ld + across;
    const lanescope_registers4 r = lanescope_load_matrix(row, each, !_Along);
    lanescope_each<each>([&](auto i) { lanescope_from_register(x + (step.value * each + i.value) * 2, r[i.value]); });
  });
}

template <class _Use, int _M, int _N, int _K, class _Tp, class _Layout, class _Memory>
LANESCOPE_DEV void load_matrix_sync(fragment<_Use, _M, _N, _K, _Tp, _Layout>& f, const _Memory* p, unsigned ld) {
  typedef lanescope_operand<_Use, _M, _N, _K, _Tp> operand;
  constexpr bool along = operand::is_a == (bool)__is_same(_Layout, row_major);
  lanescope_whole_warp();
  if constexpr (operand::bytes == 2) {
    if (__isShared(p)) return lanescope_load_halves<operand, along>(f.x, p, ld);
  }
  if constexpr (along && operand::bytes < 4) {  // a register's elements lie side by side
    lanescope_each<operand::elements / operand::parts>([&](auto r) {
      constexpr int e = r.value * operand::parts;
      lanescope_from_register(f.x + e, *(const unsigned*)(p + operand::across_of(e) * ld + operand::along_of(e)));
    });
  } else {
    lanescope_each<operand::elements>([&](auto e) {
      const unsigned across = operand::across_of(e.value), k = operand::along_of(e.value);
      f.x[e.value] = along ? p[across * ld + k] : p[k * ld + across];
    });
  }
}

// ---- C and D ----

template <int _M, int _N, int _K, class _Tp> class fragment<accumulator, _M, _N, _K, _Tp, void> {
 public:
  typedef _Tp storage_element_type;
  typedef _Tp element_type;
  static constexpr int num_elements = _M * _N / 32, num_storage_elements = num_elements;
  _Tp x[num_elements];
};

// Elements 2i and 2i + 1 lie in one row of what is computed.
template <int _M, int _N, int _K> struct lanescope_result {
  typedef lanescope_shape<_M, _N, _K> shape;
  static constexpr int in_tile = shape::tile * 8 / 32;
  static LANESCOPE_MEMBER int row_of(int e) {
    return e / in_tile / shape::column_tiles * shape::tile + (int)lanescope_laneid() / 4 + 8 * (e % in_tile / 2);
  }
  static LANESCOPE_MEMBER int column_of(int e) {
    return e / in_tile % shape::column_tiles * 8 + 2 * ((int)lanescope_laneid() % 4) + e % 2;
  }
};
template <class _Tp> struct __attribute__((aligned(2 * sizeof(_Tp)))) lanescope_two { _Tp x, y; };

template <int _M, int _N, int _K, class _Tp>
LANESCOPE_DEV void load_matrix_sync(fragment<accumulator, _M, _N, _K, _Tp>& f, const _Tp* p, unsigned ld, layout_t layout) {
  typedef lanescope_result<_M, _N, _K> result;
  lanescope_whole_warp();
  if ((layout == mem_row_major) != result::shape::swapped) {
    lanescope_each<_M * _N / 64>([&](auto i) {
      constexpr int e = 2 * i.value;
      const auto two = *(const lanescope_two<_Tp>*)(p + result::row_of(e) * ld + result::column_of(e));
      f.x[e] = two.x, f.x[e + 1] = two.y;
    });
  } else {
    lanescope_each<_M * _N / 32>([&](auto e) { f.x[e.value] = p[result::column_of(e.value) * ld + result::row_of(e.value)]; });
  }
}
template <int _M, int _N, int _K, class _Tp>
LANESCOPE_DEV void store_matrix_sync(_Tp* p, const fragment<accumulator, _M, _N, _K, _Tp>& f, unsigned ld, layout_t layout) {
  typedef lanescope_result<_M, _N, _K> result;
  lanescope_whole_warp();
  if ((layout == mem_row_major) != result::shape::swapped) {
    lanescope_each<_M * _N / 64>([&](auto i) {
      constexpr int e = 2 * i.value;
      *(lanescope_two<_Tp>*)(p + result::row_of(e) * ld + result::column_of(e)) = lanescope_two<_Tp>{f.x[e], f.x[e + 1]};
    });
  } else {
    lanescope_each<_M * _N / 32>([&](auto e) { p[result::column_of(e.value) * ld + result::row_of(e.value)] = f.x[e.value]; });
  }
}

template <class _Use, int _M, int _N, int _K, class _Tp, class _Layout, class _Value>
LANESCOPE_DEV void fill_fragment(fragment<_Use, _M, _N, _K, _Tp, _Layout>& f, const _Value& value) {
  typedef fragment<_Use, _M, _N, _K, _Tp, _Layout> filled;
  lanescope_each<filled::num_elements>([&](auto e) { f.x[e.value] = (typename filled::storage_element_type)value; });
}

// A float with tf32's precision, as cvt.rna makes it.
LANESCOPE_DEV float __float_to_tf32(float v) {
  const unsigned bits = __builtin_bit_cast(unsigned, v);
  return (bits & 0x7f800000u) == 0x7f800000u ? v : __builtin_bit_cast(float, (bits + 0x1000u) & 0xffffe000u);
}

// ---- the product ----

// One tile: D = A * B + C, d and c with the elements of one register or two side by side.
template <int _K, int _TypeA, int _TypeB, class _A, class _B, class _C, class _D>
LANESCOPE_DEV void lanescope_multiply_tile(_D* d, const _A* a, const _B* b, const _C* c, bool saturate) {
  constexpr int accumulated = lanescope_element<_C>::number;
  if constexpr (sizeof(_A) == 8) {
    const lanescope_doubles4 r =
        lanescope_multiply_f64(8, 8, _K, _TypeA, _TypeB, accumulated, false, false, lanescope_doubles8{a[0]},
                               lanescope_doubles8{b[0]}, lanescope_doubles4{c[0], c[1]});
    d[0] = r[0], d[1] = r[1];
  } else {
    constexpr int parts = 4 / (int)sizeof(_A), own = 4 / (int)sizeof(_C), halves = sizeof(_A) == 1 ? 1 : 2;
    lanescope_registers4 ra = {0, 0, 0, 0}, rb = ra, rc = ra;
    lanescope_each<2 * halves>([&](auto i) { ra[i.value] = lanescope_register(a + i.value * parts); });
    lanescope_each<halves>([&](auto i) { rb[i.value] = lanescope_register(b + i.value * parts); });
    lanescope_each<4 / own>([&](auto i) { rc[i.value] = lanescope_register(c + i.value * own); });
    const lanescope_registers4 r =
        lanescope_multiply(16, 8, _K, _TypeA, _TypeB, accumulated, false, saturate, ra, rb, rc);
    lanescope_each<4 / own>([&](auto i) { lanescope_from_register(d + i.value * own, r[i.value]); });
  }
}

template <int _M, int _N, int _K, class _Ta, class _La, class _Tb, class _Lb, class _D, class _C>
LANESCOPE_DEV void mma_sync(fragment<accumulator, _M, _N, _K, _D>& d, const fragment<matrix_a, _M, _N, _K, _Ta, _La>& a,
                            const fragment<matrix_b, _M, _N, _K, _Tb, _Lb>& b,
                            const fragment<accumulator, _M, _N, _K, _C>& c, bool saturate = false) {
  typedef lanescope_shape<_M, _N, _K> shape;
  static_assert(__is_same(_C, _D), "accumulators of one type");
  constexpr int na = lanescope_element<_Ta>::number, nb = lanescope_element<_Tb>::number;
  constexpr int in_tile = lanescope_result<_M, _N, _K>::in_tile;
  constexpr int left = lanescope_operand<matrix_a, _M, _N, _K, _Ta>::elements / (shape::swapped ? shape::column_tiles : shape::row_tiles);
  constexpr int right = lanescope_operand<matrix_b, _M, _N, _K, _Tb>::elements / (shape::swapped ? shape::row_tiles : shape::column_tiles);
  lanescope_each<shape::row_tiles * shape::column_tiles>([&](auto t) {
    constexpr int row = t.value / shape::column_tiles, column = t.value % shape::column_tiles, at = t.value * in_tile;
    if constexpr (shape::swapped)
      lanescope_multiply_tile<_K, nb, na>(d.x + at, b.x + row * right, a.x + column * left, c.x + at, saturate);
    else
      lanescope_multiply_tile<_K, na, nb>(d.x + at, a.x + row * left, b.x + column * right, c.x + at, saturate);
  });
}

// Elements of less than a byte by name: fragments of them are not here.
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental
template <class D, class A, class B, class C>
__attribute__((device)) void bmma_sync(D&, const A&, const B&, const C&, experimental::bmmaBitOp = experimental::bmmaBitOpXOR, experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC);

}  // namespace wmma
}  // namespace nvcuda
