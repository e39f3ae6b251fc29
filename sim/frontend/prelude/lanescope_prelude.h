// What a CUDA compiler makes available before the first line of a .cu file, for the simulator's front-end.
// Included ahead of every kernel text; nothing here is seen by NVRTC.
#pragma once

#include <lanescope_attributes.h>
#include <lanescope_constants.h>

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#include <lanescope_vectors.h>
#include <lanescope_index.h>

#include <lanescope_heap.h>
#include <lanescope_device.h>
#include <lanescope_math.h>
#include <lanescope_host.h>
#include <lanescope_surfaces.h>
