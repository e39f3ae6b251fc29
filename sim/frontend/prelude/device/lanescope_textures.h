// Texture fetches: what the CUDA C++ Programming Guide says under "Texture Fetching", over the struct that a
// texture object is here. What the guide leaves open is as an H200 does it: weights are rounded to 1/256, also
// their products; wrapping and mirroring need normalized coordinates; a channel that is not there reads 0.
#pragma once

#include <lanescope_float16.h>
#include <lanescope_texture_layout.h>

LANESCOPE_ROUNDS_EACH

// Loads and stores through such pointers take the texture path: they are no accesses to global memory.
#define LANESCOPE_TEXTURE_SPACE __attribute__((address_space(16)))
typedef const LANESCOPE_TEXTURE_SPACE lanescope_texture* lanescope_texture_handle;
typedef unsigned lanescope_words2 __attribute__((ext_vector_type(2)));
typedef unsigned lanescope_words4 __attribute__((ext_vector_type(4)));

// Texels on both sides of a coordinate, -1 for the border, and the upper one's weight in 1/256.
struct lanescope_axis {
  int low, high, weight;
};

LANESCOPE_DEV int lanescope_into(int texel, int count, int mode) {
  if (texel >= 0 && texel < count) return texel;
  if (mode == cudaAddressModeBorder) return -1;
  if (mode == cudaAddressModeWrap) return texel < 0 ? count - 1 : 0;
  if (mode == cudaAddressModeMirror && texel >= count) return max(2 * count - 1 - texel, 0);
  return texel < 0 ? 0 : count - 1;
}
LANESCOPE_DEV lanescope_axis lanescope_along(lanescope_texture_handle texture, int dimension, float at, int count,
                                             bool linear) {
  int mode = texture->address_mode[dimension];
  if (count < 1) count = 1;
  if (texture->normalized) {
    if (mode == cudaAddressModeWrap) at -= floorf(at);
    // The texels there and back are a period.
    if (mode == cudaAddressModeMirror) at -= 2.0f * floorf(at * 0.5f);
    at *= (float)count;
  } else if (mode != cudaAddressModeBorder) {
    mode = cudaAddressModeClamp;
  }
  // Far away is outside all the same, and fits an int.
  at = fminf(fmaxf(at, -2.0f), 2.0f * (float)count + 2.0f);
  if (!linear) {
    const int texel = lanescope_into((int)floorf(at), count, mode);
    return {texel, texel, 0};
  }
  const int fixed = (int)floorf((at - 0.5f) * 256.0f + 0.5f);
  return {lanescope_into(fixed >> 8, count, mode), lanescope_into((fixed >> 8) + 1, count, mode), fixed & 255};
}

LANESCOPE_DEV uint4 lanescope_texel_bytes(unsigned long long at, unsigned bytes) {
  if (bytes == 4) return {*(const LANESCOPE_TEXTURE_SPACE unsigned*)at, 0, 0, 0};
  if (bytes == 16) {
    const lanescope_words4 all = *(const LANESCOPE_TEXTURE_SPACE lanescope_words4*)at;
    return {all.x, all.y, all.z, all.w};
  }
  if (bytes == 8) {
    const lanescope_words2 both = *(const LANESCOPE_TEXTURE_SPACE lanescope_words2*)at;
    return {both.x, both.y, 0, 0};
  }
  if (bytes == 2) return {*(const LANESCOPE_TEXTURE_SPACE unsigned short*)at, 0, 0, 0};
  return {*(const LANESCOPE_TEXTURE_SPACE unsigned char*)at, 0, 0, 0};
}

// The guide: [0, 1], signed ones [-1, 1].
LANESCOPE_DEV unsigned lanescope_normalized(lanescope_texture_handle texture, unsigned channel) {
  const int bits = texture->channel_bits;
  const float value = texture->kind == cudaChannelFormatKindSigned
                          ? fmaxf((float)(int)channel / (float)((1 << (bits - 1)) - 1), -1.0f)
                          : (float)channel / (float)((1 << bits) - 1);
  return __builtin_bit_cast(unsigned, value);
}
LANESCOPE_DEV unsigned lanescope_narrow_channel(lanescope_texture_handle texture, unsigned channel) {
  if (texture->kind == cudaChannelFormatKindFloat)
    return __builtin_bit_cast(unsigned, lanescope_float_of_half((unsigned short)channel));
  const int unused = 32 - texture->channel_bits;
  if (texture->kind == cudaChannelFormatKindSigned) channel = (unsigned)((int)(channel << unused) >> unused);
  return texture->read_mode == cudaReadModeNormalizedFloat ? lanescope_normalized(texture, channel) : channel;
}
// Four channels as a fetch returns them: 32 bits each, integers extended, else the bits of a float.
LANESCOPE_DEV uint4 lanescope_unpacked(lanescope_texture_handle texture, uint4 raw) {
  const int bits = texture->channel_bits;
  if (bits == 32) return raw;
  if (bits == 16)
    raw = {raw.x & 0xffffu, raw.x >> 16, raw.y & 0xffffu, raw.y >> 16};
  else
    raw = {raw.x & 0xffu, raw.x >> 8 & 0xffu, raw.x >> 16 & 0xffu, raw.x >> 24};
  return {lanescope_narrow_channel(texture, raw.x), lanescope_narrow_channel(texture, raw.y),
          lanescope_narrow_channel(texture, raw.z), lanescope_narrow_channel(texture, raw.w)};
}

LANESCOPE_DEV unsigned lanescope_border_channel(lanescope_texture_handle texture, int channel) {
  if (channel >= texture->channels) return 0;
  const float colour = texture->border[channel];
  if (texture->read_mode != cudaReadModeNormalizedFloat || texture->kind == cudaChannelFormatKindFloat)
    return __builtin_bit_cast(unsigned, colour);
  const float least = texture->kind == cudaChannelFormatKindSigned ? -1.0f : 0.0f;
  return __builtin_bit_cast(unsigned, fminf(fmaxf(colour, least), 1.0f));
}

// -1: the border.
LANESCOPE_DEV uint4 lanescope_texel_at(lanescope_texture_handle texture, int texel_x, int texel_y, int texel_z) {
  if ((texel_x | texel_y | texel_z) < 0)
    return {lanescope_border_channel(texture, 0), lanescope_border_channel(texture, 1),
            lanescope_border_channel(texture, 2), lanescope_border_channel(texture, 3)};
  const unsigned bytes = texture->texel_bytes;
  const unsigned long long at = texture->data + (unsigned long long)texel_z * texture->slice +
                                (unsigned long long)texel_y * texture->pitch + (unsigned long long)texel_x * bytes;
  return lanescope_unpacked(texture, lanescope_texel_bytes(at, bytes));
}

// Of 2, 4 or 8 texels; one that weighs nothing is not read.
LANESCOPE_DEV uint4 lanescope_filtered(lanescope_texture_handle texture, int dimensions, lanescope_axis across,
                                       lanescope_axis down, lanescope_axis deep) {
  double sums[4] = {0, 0, 0, 0};
  const int both = (across.weight * down.weight + 128) >> 8;
  for (int corner = 0; corner < 1 << dimensions; ++corner) {
    const bool right = corner & 1, below = corner & 2, behind = corner & 4;
    int weight = right ? (below ? both : across.weight - both)
                       : (below ? down.weight - both : 256 - across.weight - down.weight + both);
    const int farther = (weight * deep.weight + 128) >> 8;
    weight = behind ? farther : weight - farther;
    if (weight == 0) continue;
    const uint4 texel = lanescope_texel_at(texture, right ? across.high : across.low, below ? down.high : down.low,
                                           behind ? deep.high : deep.low);
    const double share = weight / 256.0;
    sums[0] += share * __builtin_bit_cast(float, texel.x);
    sums[1] += share * __builtin_bit_cast(float, texel.y);
    sums[2] += share * __builtin_bit_cast(float, texel.z);
    sums[3] += share * __builtin_bit_cast(float, texel.w);
  }
  return {__builtin_bit_cast(unsigned, (float)sums[0]), __builtin_bit_cast(unsigned, (float)sums[1]),
          __builtin_bit_cast(unsigned, (float)sums[2]), __builtin_bit_cast(unsigned, (float)sums[3])};
}

LANESCOPE_DEV lanescope_axis lanescope_layer(lanescope_texture_handle texture, int layer) {
  layer = min(max(layer, 0), max((int)texture->layers, 1) - 1);
  return {layer, layer, 0};
}

// In 1, 2 or 3 dimensions; `deep` is the layer where the third is none.
LANESCOPE_DEV uint4 lanescope_fetch(lanescope_texture_handle texture, int dimensions, float x, float y, float z,
                                    lanescope_axis deep = {0, 0, 0}) {
  const bool linear = texture->filter == cudaFilterModeLinear;
  // A line lies at y = 0 of a plane one texel high: half of it is the border, if that one has any.
  if (dimensions == 1 && linear && texture->address_mode[1] == cudaAddressModeBorder) dimensions = 2;
  const lanescope_axis across = lanescope_along(texture, 0, x, (int)texture->width, linear);
  lanescope_axis down = {0, 0, 0};
  if (dimensions > 1)
    down = lanescope_along(texture, 1, y, (int)texture->height, linear);
  if (dimensions > 2) deep = lanescope_along(texture, 2, z, (int)texture->depth, linear);
  if (!linear) return lanescope_texel_at(texture, across.low, down.low, deep.low);
  return lanescope_filtered(texture, dimensions, across, down, deep);
}

LANESCOPE_DEV uint4 lanescope_fetch_linear(lanescope_texture_handle texture, int texel) {
  if ((unsigned)texel >= texture->width) return {0, 0, 0, 0};
  return lanescope_texel_at(texture, texel, 0, 0);
}

// The guide's table of faces; where two coordinates are equally long, z comes before y and y before x.
LANESCOPE_DEV uint4 lanescope_fetch_cube(lanescope_texture_handle texture, float x, float y, float z, int layer) {
  const float length_x = fabsf(x), length_y = fabsf(y), length_z = fabsf(z);
  int face;
  float major, across, down;
  if (length_z >= length_x && length_z >= length_y) {
    face = z >= 0 ? 4 : 5, major = length_z, across = z >= 0 ? x : -x, down = -y;
  } else if (length_y >= length_x) {
    face = y >= 0 ? 2 : 3, major = length_y, across = x, down = y >= 0 ? z : -z;
  } else {
    face = x >= 0 ? 0 : 1, major = length_x, across = x >= 0 ? -z : z, down = -y;
  }
  if (major == 0) major = 1;
  float side = 1.0f;
  if (!texture->normalized) side = (float)texture->width;
  return lanescope_fetch(texture, 2, (across / major + 1) * 0.5f * side, (down / major + 1) * 0.5f * side, 0,
                         lanescope_layer(texture, layer * 6 + face));
}

LANESCOPE_DEV unsigned lanescope_component(uint4 texel, int component) {
  return component == 0 ? texel.x : component == 1 ? texel.y : component == 2 ? texel.z : texel.w;
}
// One channel of the four texels that would be filtered, counter-clockwise from the lower left.
LANESCOPE_DEV uint4 lanescope_gather(lanescope_texture_handle texture, float x, float y, int component) {
  const lanescope_axis across = lanescope_along(texture, 0, x, (int)texture->width, true);
  const lanescope_axis down = lanescope_along(texture, 1, y, (int)texture->height, true);
  return {lanescope_component(lanescope_texel_at(texture, across.low, down.high, 0), component),
          lanescope_component(lanescope_texel_at(texture, across.high, down.high, 0), component),
          lanescope_component(lanescope_texel_at(texture, across.high, down.low, 0), component),
          lanescope_component(lanescope_texel_at(texture, across.low, down.low, 0), component)};
}

// ---- as the types that texts ask for ----

template <class _Tp> LANESCOPE_DEV _Tp lanescope_channel_as(unsigned bits) { return (_Tp)bits; }
template <> __device__ inline __attribute__((always_inline)) float lanescope_channel_as<float>(unsigned bits) {
  return __builtin_bit_cast(float, bits);
}
template <class _Tp> struct lanescope_texel {
  static __device__ inline __attribute__((always_inline)) _Tp of(uint4 w) { return lanescope_channel_as<_Tp>(w.x); }
};
#define LANESCOPE_TEXEL(TYPE, ELEM, ...)                                                            \
  template <> struct lanescope_texel<TYPE> {                                                        \
    static __device__ inline __attribute__((always_inline)) ELEM one(unsigned bits) {               \
      return lanescope_channel_as<ELEM>(bits);                                                      \
    }                                                                                               \
    static __device__ inline __attribute__((always_inline)) TYPE of(uint4 w) { return {__VA_ARGS__}; } \
  };
#define LANESCOPE_TEXELS(NAME, ELEM)                             \
  LANESCOPE_TEXEL(NAME##1, ELEM, one(w.x))                       \
  LANESCOPE_TEXEL(NAME##2, ELEM, one(w.x), one(w.y))             \
  LANESCOPE_TEXEL(NAME##3, ELEM, one(w.x), one(w.y), one(w.z))   \
  LANESCOPE_TEXEL(NAME##4, ELEM, one(w.x), one(w.y), one(w.z), one(w.w))
LANESCOPE_TEXELS(char, signed char)
LANESCOPE_TEXELS(uchar, unsigned char)
LANESCOPE_TEXELS(short, short)
LANESCOPE_TEXELS(ushort, unsigned short)
LANESCOPE_TEXELS(int, int)
LANESCOPE_TEXELS(uint, unsigned)
LANESCOPE_TEXELS(float, float)

// Both forms: returned, and through a pointer.
#define LANESCOPE_TEX(NAME, TEXEL, ...)                                                                  \
  template <class _Tp> LANESCOPE_DEV _Tp NAME(cudaTextureObject_t object, __VA_ARGS__) {                 \
    const lanescope_texture_handle t = (lanescope_texture_handle)object;                                 \
    return lanescope_texel<_Tp>::of(TEXEL);                                                              \
  }                                                                                                      \
  template <class _Tp> LANESCOPE_DEV void NAME(_Tp* to, cudaTextureObject_t object, __VA_ARGS__) {       \
    const lanescope_texture_handle t = (lanescope_texture_handle)object;                                 \
    *to = lanescope_texel<_Tp>::of(TEXEL);                                                               \
  }
// There is one level only: neither a level nor a gradient changes anything.
#define LANESCOPE_TEX_LEVELS(NAME, TEXEL, GRADIENT, ...)                             \
  LANESCOPE_TEX(NAME, TEXEL, __VA_ARGS__)                                            \
  LANESCOPE_TEX(NAME##Lod, TEXEL, __VA_ARGS__, float)                                \
  LANESCOPE_TEX(NAME##Grad, TEXEL, __VA_ARGS__, GRADIENT, GRADIENT)
LANESCOPE_TEX(tex1Dfetch, lanescope_fetch_linear(t, x), int x)
LANESCOPE_TEX(tex2Dgather, lanescope_gather(t, x, y, component), float x, float y, int component = 0)
LANESCOPE_TEX_LEVELS(tex1D, lanescope_fetch(t, 1, x, 0, 0), float, float x)
LANESCOPE_TEX_LEVELS(tex2D, lanescope_fetch(t, 2, x, y, 0), float2, float x, float y)
LANESCOPE_TEX_LEVELS(tex3D, lanescope_fetch(t, 3, x, y, z), float4, float x, float y, float z)
LANESCOPE_TEX_LEVELS(tex1DLayered, lanescope_fetch(t, 1, x, 0, 0, lanescope_layer(t, layer)), float, float x, int layer)
LANESCOPE_TEX_LEVELS(tex2DLayered, lanescope_fetch(t, 2, x, y, 0, lanescope_layer(t, layer)), float2, float x, float y, int layer)
LANESCOPE_TEX_LEVELS(texCubemap, lanescope_fetch_cube(t, x, y, z, 0), float4, float x, float y, float z)
LANESCOPE_TEX_LEVELS(texCubemapLayered, lanescope_fetch_cube(t, x, y, z, layer), float4, float x, float y, float z, int layer)
LANESCOPE_MAY_FUSE
