// CUDA's vector types as plain structs with CUDA's alignment, and their make_ functions.
#pragma once

typedef __SIZE_TYPE__ size_t;
#ifndef LANESCOPE_FN
#ifdef __CUDA__
#define LANESCOPE_FN static inline __attribute__((host, device, always_inline))
#define LANESCOPE_MEMBER inline __attribute__((host, device, always_inline))
#else
#define LANESCOPE_FN static inline
#define LANESCOPE_MEMBER inline
#endif
#endif

#define LANESCOPE_VEC(NAME, ELEM, A1, A2, A4) \
  struct NAME##1 { ELEM x; }; \
  struct __attribute__((aligned(A2))) NAME##2 { ELEM x, y; }; \
  struct NAME##3 { ELEM x, y, z; }; \
  struct __attribute__((aligned(A4))) NAME##4 { ELEM x, y, z, w; }; \
  LANESCOPE_FN NAME##1 make_##NAME##1(ELEM x) { return NAME##1{x}; } \
  LANESCOPE_FN NAME##2 make_##NAME##2(ELEM x, ELEM y) { return NAME##2{x, y}; } \
  LANESCOPE_FN NAME##3 make_##NAME##3(ELEM x, ELEM y, ELEM z) { return NAME##3{x, y, z}; } \
  LANESCOPE_FN NAME##4 make_##NAME##4(ELEM x, ELEM y, ELEM z, ELEM w) { return NAME##4{x, y, z, w}; }
LANESCOPE_VEC(char, signed char, 1, 2, 4)
LANESCOPE_VEC(uchar, unsigned char, 1, 2, 4)
LANESCOPE_VEC(short, short, 2, 4, 8)
LANESCOPE_VEC(ushort, unsigned short, 2, 4, 8)
LANESCOPE_VEC(int, int, 4, 8, 16)
LANESCOPE_VEC(uint, unsigned int, 4, 8, 16)
LANESCOPE_VEC(long, long, 8, 16, 16)
LANESCOPE_VEC(ulong, unsigned long, 8, 16, 16)
LANESCOPE_VEC(longlong, long long, 8, 16, 16)
LANESCOPE_VEC(ulonglong, unsigned long long, 8, 16, 16)
LANESCOPE_VEC(float, float, 4, 8, 16)
LANESCOPE_VEC(double, double, 8, 16, 16)

// Four values of 8 bytes, by the alignment in their names (since CUDA 13).
#define LANESCOPE_VEC4(NAME, ELEM, BYTES) \
  struct __attribute__((aligned(BYTES))) NAME##4_##BYTES##a { ELEM x, y, z, w; }; \
  LANESCOPE_FN NAME##4_##BYTES##a make_##NAME##4_##BYTES##a(ELEM x, ELEM y, ELEM z, ELEM w) { return NAME##4_##BYTES##a{x, y, z, w}; }
LANESCOPE_VEC4(long, long, 16)
LANESCOPE_VEC4(long, long, 32)
LANESCOPE_VEC4(ulong, unsigned long, 16)
LANESCOPE_VEC4(ulong, unsigned long, 32)
LANESCOPE_VEC4(longlong, long long, 16)
LANESCOPE_VEC4(longlong, long long, 32)
LANESCOPE_VEC4(ulonglong, unsigned long long, 16)
LANESCOPE_VEC4(ulonglong, unsigned long long, 32)
LANESCOPE_VEC4(double, double, 16)
LANESCOPE_VEC4(double, double, 32)

struct dim3 {
  unsigned x, y, z;
  constexpr LANESCOPE_MEMBER dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1)
      : x(vx), y(vy), z(vz) {}
  constexpr LANESCOPE_MEMBER dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr LANESCOPE_MEMBER operator uint3() const { return uint3{x, y, z}; }
};
