// What a texture or surface object is here: its handle is the device address of one of these, in global memory.
// Host code that makes objects and device code that fetches through them are both compiled from this file.
//
// A texel (x, y, z) or (x, y, layer) begins at data + z * slice + y * pitch + x * texel_bytes. A layered or
// cubemap array has its layers (faces) where a 3D array has slices. Coordinates, filters and address modes mean
// what the CUDA C++ Programming Guide says under "Texture Fetching".
#pragma once

struct lanescope_texture {
  // Device address of the first texel
  unsigned long long data;
  // Bytes from row to row and from slice to slice
  unsigned long long pitch, slice;
  // In texels; 0 for a dimension that it does not have
  unsigned int width, height, depth;
  // Of a layered array or a cubemap, else 0
  unsigned int layers;
  // 1, 2 or 4 channels of 8, 16 or 32 bits each
  unsigned short channels, channel_bits;
  unsigned int texel_bytes;
  // enum cudaChannelFormatKind
  int kind;
  // enum cudaTextureAddressMode, for x, y, z
  int address_mode[3];
  // enum cudaTextureFilterMode, enum cudaTextureReadMode
  int filter, read_mode;
  // 1: coordinates from 0 to 1; 0: texels
  int normalized;
  // What cudaAddressModeBorder reads
  float border[4];
  // 1: made by cudaCreateSurfaceObject: x of a surface access counts bytes
  int surface;
  int cubemap;
};
