// Surface reads and writes: bytes of an array, x counted in bytes (CUDA C++ Programming Guide, "Surface Functions").
#pragma once

#include <lanescope_textures.h>

// Stops the kernel, and says why.
LANESCOPE_OP void lanescope_stop(const char* why);

LANESCOPE_DEV int lanescope_surface_index(int at, int last, int mode, bool& outside) {
  if (at >= 0 && at <= last) return at;
  if (mode != cudaBoundaryModeClamp) outside = true;
  return at < 0 ? 0 : last;
}
// 0 for an access that is left out. `deep` is a slice or a layer.
LANESCOPE_DEV unsigned long long lanescope_surface_at(cudaSurfaceObject_t object, int dimensions, unsigned bytes, int x,
                                                      int y, int deep, int mode) {
  const lanescope_texture_handle surface = (lanescope_texture_handle)object;
  bool outside = false;
  x = lanescope_surface_index(x, (int)(surface->width * surface->texel_bytes - bytes), mode, outside);
  if (dimensions > 1) y = lanescope_surface_index(y, (int)surface->height - 1, mode, outside);
  if (dimensions > 2)
    deep = lanescope_surface_index(deep, (int)max(surface->depth, surface->layers) - 1, mode, outside);
  if (outside && mode == cudaBoundaryModeTrap) lanescope_stop("an access outside of the surface (cudaBoundaryModeTrap)");
  if (outside) return 0;
  return surface->data + (unsigned long long)deep * surface->slice + (unsigned long long)y * surface->pitch +
         (unsigned long long)x;
}

template <unsigned _Bytes> struct lanescope_surface_word;
template <> struct lanescope_surface_word<1> { typedef unsigned char type; };
template <> struct lanescope_surface_word<2> { typedef unsigned short type; };
template <> struct lanescope_surface_word<4> { typedef unsigned type; };
template <> struct lanescope_surface_word<8> { typedef lanescope_words2 type; };
template <> struct lanescope_surface_word<16> { typedef lanescope_words4 type; };

template <class _Tp> LANESCOPE_DEV _Tp lanescope_surface_read(unsigned long long at) {
  typedef typename lanescope_surface_word<sizeof(_Tp)>::type word;
  word value = 0;
  if (at != 0) value = *(const LANESCOPE_TEXTURE_SPACE word*)at;
  return __builtin_bit_cast(_Tp, value);
}
template <class _Tp> LANESCOPE_DEV void lanescope_surface_write(unsigned long long at, _Tp value) {
  typedef typename lanescope_surface_word<sizeof(_Tp)>::type word;
  if (at != 0) *(LANESCOPE_TEXTURE_SPACE word*)at = __builtin_bit_cast(word, value);
}

#define LANESCOPE_SURFACE_AT(DIMENSIONS, Y, DEEP) \
  lanescope_surface_at(surface, DIMENSIONS, sizeof(_Tp), x, Y, DEEP, mode)
#define LANESCOPE_SURF(NAME, AT, ...)                                                                              \
  template <class _Tp>                                                                                             \
  LANESCOPE_DEV _Tp NAME##read(cudaSurfaceObject_t surface, __VA_ARGS__,                                           \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                              \
    return lanescope_surface_read<_Tp>(AT);                                                                        \
  }                                                                                                                \
  template <class _Tp>                                                                                             \
  LANESCOPE_DEV void NAME##read(_Tp* to, cudaSurfaceObject_t surface, __VA_ARGS__,                                 \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                             \
    *to = lanescope_surface_read<_Tp>(AT);                                                                         \
  }                                                                                                                \
  template <class _Tp>                                                                                             \
  LANESCOPE_DEV void NAME##write(_Tp value, cudaSurfaceObject_t surface, __VA_ARGS__,                              \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                            \
    lanescope_surface_write<_Tp>(AT, value);                                                                       \
  }
LANESCOPE_SURF(surf1D, LANESCOPE_SURFACE_AT(1, 0, 0), int x)
LANESCOPE_SURF(surf2D, LANESCOPE_SURFACE_AT(2, y, 0), int x, int y)
LANESCOPE_SURF(surf3D, LANESCOPE_SURFACE_AT(3, y, z), int x, int y, int z)
LANESCOPE_SURF(surf1DLayered, LANESCOPE_SURFACE_AT(3, 0, layer), int x, int layer)
LANESCOPE_SURF(surf2DLayered, LANESCOPE_SURFACE_AT(3, y, layer), int x, int y, int layer)
LANESCOPE_SURF(surfCubemap, LANESCOPE_SURFACE_AT(3, y, face), int x, int y, int face)
LANESCOPE_SURF(surfCubemapLayered, LANESCOPE_SURFACE_AT(3, y, layer_face), int x, int y, int layer_face)
