// What a CUDA compiler makes available before the first line of a .cu file, where the system's own C++
// headers are used: once for the host and once for the device, as LANESCOPE_DEVICE_PASS tells.
#pragma once

#define LANESCOPE_PROGRAM 1
#ifndef LANESCOPE_DEVICE_PASS
#define LANESCOPE_HOST_PASS 1
#endif

#include <lanescope_attributes.h>
#ifdef LANESCOPE_HOST_PASS
#undef __CUDA_ARCH__
#undef __CUDA_ARCH_FEAT_SM90_ALL
#endif

// Texts ask by these names whether the runtime's headers are there.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__

// As cuda_runtime.h does for its users; assert.h as older ones did.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

// To the toolkit's C++ libraries small floating-point numbers are classes like any other: they would reach into
// classes that are not built as theirs.
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVFP6_SUPPORT
#define CCCL_DISABLE_NVFP4_SUPPORT

typedef unsigned char uchar;

#include <lanescope_vectors.h>
#include <lanescope_index.h>

extern "C" __attribute__((device)) int printf(const char*, ...);
extern "C" __attribute__((device)) void __assert_fail(const char* text, const char* file, unsigned line, const char* function) noexcept;
#include <lanescope_heap.h>
#include <lanescope_device.h>
#include <lanescope_math.h>
#include <lanescope_host.h>
#include <lanescope_nested.h>
#include <lanescope_surfaces.h>
