// The CUDA runtime API as programs call it: types, functions with C names, and the templates of cuda_runtime.h
// over them. Read by Clang for host code, for device code and for kernel texts without a host, and by the
// compiler of this program, which has no use for the templates.
#pragma once

#include "lanescope_library_types.h"
#include "lanescope_runtime_types.h"

#define LANESCOPE_API(result, name, parameters) extern "C" result name parameters;
#include "lanescope_runtime_functions.h"
#include "lanescope_runtime_undone.h"
#undef LANESCOPE_API

#if defined(__CUDA__) || defined(LANESCOPE_HOST_TEXT)
#include "lanescope_runtime_templates.h"
#endif
