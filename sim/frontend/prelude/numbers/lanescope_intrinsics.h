// Device functions beyond the first ones that every kernel uses, by subject.
#pragma once
#include <lanescope_math.h>
// What they are made of comes first.
#include <lanescope_warp.h>
#include <lanescope_atomics.h>
#include <lanescope_integer.h>
#include <lanescope_simd.h>
#include <lanescope_rounding.h>
#include <lanescope_functions.h>
