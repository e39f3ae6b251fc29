// The driver's functions as types of pointers, for programs that look them up by name.
#pragma once

#include "lanescope_driver.h"

#define LANESCOPE_API(result, name, parameters) typedef result(*PFN_##name) parameters;
#include "lanescope_driver_functions.h"
#undef LANESCOPE_API

typedef PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000;
typedef CUresult (*PFN_cuTensorMapEncodeIm2col)(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address, const cuuint64_t* dim, const cuuint64_t* strides, const int* lower_corner, const int* upper_corner, cuuint32_t channels, cuuint32_t pixels, const cuuint32_t* element_strides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
typedef PFN_cuTensorMapEncodeIm2col PFN_cuTensorMapEncodeIm2col_v12000;
