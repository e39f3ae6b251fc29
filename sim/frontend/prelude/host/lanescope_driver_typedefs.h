// The driver's functions as types of pointers, for programs that look them up by name.
#pragma once

#include "lanescope_driver.h"

#define LANESCOPE_API(result, name, parameters) typedef result(*PFN_##name) parameters;
#include "lanescope_driver_functions.h"
#undef LANESCOPE_API

typedef PFN_cuTensorMapEncodeTiled PFN_cuTensorMapEncodeTiled_v12000;
typedef PFN_cuTensorMapEncodeIm2col PFN_cuTensorMapEncodeIm2col_v12000;
