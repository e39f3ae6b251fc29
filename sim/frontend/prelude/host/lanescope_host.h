// The host API, under the name that kernel texts without a host of their own see it by.
#pragma once

#ifdef LANESCOPE_HOST_TEXT
// As in lanescope_program.h, where the text is C++: there it is these headers that bring the runtime.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#endif

#include "lanescope_runtime.h"
