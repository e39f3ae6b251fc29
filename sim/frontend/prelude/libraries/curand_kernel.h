// cuRAND's device side: uniform, normal and log-normal numbers from XORWOW, Philox and MRG32k3a. Uniform
// ones are the library's to the last bit; what goes through a logarithm and a sine is as near as those are.
#pragma once
#include <lanescope_curand.h>
#include <lanescope_curand_states.h>

#ifdef LANESCOPE_HOST_TEXT
// A device's function that no host calls.
double sinpi(double x);
double cospi(double x);
#endif

// ---- uniform: (0, 1] ----

LANESCOPE_DEV float lanescope_unit(unsigned x) { return __builtin_fmaf((float)x, 2.3283064e-10f, 2.3283064e-10f / 2.0f); }
LANESCOPE_DEV double lanescope_unit_double(unsigned x, unsigned y) {
  return __builtin_fma((double)((unsigned long long)x ^ ((unsigned long long)y << 21)), 1.1102230246251565e-16, 1.1102230246251565e-16 / 2.0);
}
LANESCOPE_DEV float curand_uniform(curandStateXORWOW_t* state) { return lanescope_unit(curand(state)); }
LANESCOPE_DEV float curand_uniform(curandStatePhilox4_32_10_t* state) { return lanescope_unit(curand(state)); }
LANESCOPE_DEV float curand_uniform(curandStateMRG32k3a_t* state) { return (float)(curand_MRG32k3a(state) * 2.3283065498378288e-10); }
LANESCOPE_DEV float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return float4{lanescope_unit(x.x), lanescope_unit(x.y), lanescope_unit(x.z), lanescope_unit(x.w)};
}
LANESCOPE_DEV double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned x = curand(state);
  return lanescope_unit_double(x, curand(state));
}
// One word alone, unlike the two at a time.
LANESCOPE_DEV double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return __builtin_fma((double)curand(state), 2.3283064365386963e-10, 2.3283064365386963e-10);
}
LANESCOPE_DEV double curand_uniform_double(curandStateMRG32k3a_t* state) { return curand_MRG32k3a(state) * 2.3283065498378288e-10; }
LANESCOPE_DEV double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return double2{lanescope_unit_double(x.x, x.y), lanescope_unit_double(x.z, x.w)};
}
LANESCOPE_DEV double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}

// ---- normal: Box and Muller, two at a time; of one that is asked for alone the other is kept ----

LANESCOPE_DEV float2 lanescope_box_muller(float u, float angle) {
  const float s = __builtin_sqrtf(-2.0f * __builtin_logf(u));
  return float2{__builtin_sinf(angle) * s, __builtin_cosf(angle) * s};
}
LANESCOPE_DEV float2 lanescope_box_muller(unsigned x, unsigned y) {
  constexpr float turn = 2.3283064e-10f * 6.2831855f;
  return lanescope_box_muller(lanescope_unit(x), __builtin_fmaf((float)y, turn, turn / 2));
}
LANESCOPE_DEV double2 lanescope_box_muller_double(double u, double half_turns) {
  const double s = __builtin_sqrt(-2.0 * __builtin_log(u));
  return double2{sinpi(half_turns) * s, cospi(half_turns) * s};
}
LANESCOPE_DEV double2 lanescope_box_muller_double(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  return lanescope_box_muller_double(lanescope_unit_double(x0, x1), lanescope_unit_double(y0, y1) * 2.0);
}
template <class _State> LANESCOPE_DEV float2 curand_normal2(_State* state) {
  const unsigned x = curand(state);
  return lanescope_box_muller(x, curand(state));
}
LANESCOPE_DEV float2 curand_normal2(curandStateMRG32k3a_t* state) {
  const float x = curand_uniform(state);
  return lanescope_box_muller(x, curand_uniform(state) * 6.2831855f);
}
LANESCOPE_DEV float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  const float2 a = lanescope_box_muller(x.x, x.y), b = lanescope_box_muller(x.z, x.w);
  return float4{a.x, a.y, b.x, b.y};
}
LANESCOPE_DEV double2 curand_normal2_double(curandStateXORWOW_t* state) {
  const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return lanescope_box_muller_double(x0, x1, y0, y1);
}
LANESCOPE_DEV double2 curand_normal2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return lanescope_box_muller_double(x.x, x.y, x.z, x.w);
}
LANESCOPE_DEV double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
  const double x = curand_uniform_double(state);
  return lanescope_box_muller_double(x, curand_uniform_double(state) * 2.0);
}
LANESCOPE_DEV double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}
template <class _State> LANESCOPE_DEV float curand_normal(_State* state) {
  if (state->boxmuller_flag == 1) return state->boxmuller_flag = 0, state->boxmuller_extra;
  const float2 two = curand_normal2(state);
  state->boxmuller_extra = two.y, state->boxmuller_flag = 1;
  return two.x;
}
template <class _State> LANESCOPE_DEV double curand_normal_double(_State* state) {
  if (state->boxmuller_flag_double == 1) return state->boxmuller_flag_double = 0, state->boxmuller_extra_double;
  const double2 two = curand_normal2_double(state);
  state->boxmuller_extra_double = two.y, state->boxmuller_flag_double = 1;
  return two.x;
}

// ---- log-normal ----

LANESCOPE_DEV float lanescope_log_normal(float v, float mean, float stddev) { return __builtin_expf(__builtin_fmaf(stddev, v, mean)); }
LANESCOPE_DEV double lanescope_log_normal(double v, double mean, double stddev) { return __builtin_exp(__builtin_fma(stddev, v, mean)); }
template <class _State> LANESCOPE_DEV float2 curand_log_normal2(_State* state, float mean, float stddev) {
  const float2 v = curand_normal2(state);
  return float2{lanescope_log_normal(v.x, mean, stddev), lanescope_log_normal(v.y, mean, stddev)};
}
LANESCOPE_DEV float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  const float4 v = curand_normal4(state);
  return float4{lanescope_log_normal(v.x, mean, stddev), lanescope_log_normal(v.y, mean, stddev),
                lanescope_log_normal(v.z, mean, stddev), lanescope_log_normal(v.w, mean, stddev)};
}
template <class _State> LANESCOPE_DEV double2 curand_log_normal2_double(_State* state, double mean, double stddev) {
  const double2 v = curand_normal2_double(state);
  return double2{lanescope_log_normal(v.x, mean, stddev), lanescope_log_normal(v.y, mean, stddev)};
}
LANESCOPE_DEV double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean, double stddev) {
  const double4 v = curand_normal4_double(state);
  return double4{lanescope_log_normal(v.x, mean, stddev), lanescope_log_normal(v.y, mean, stddev),
                 lanescope_log_normal(v.z, mean, stddev), lanescope_log_normal(v.w, mean, stddev)};
}
// What is kept of a pair is not a normal number: its flag is another.
template <class _State> LANESCOPE_DEV float curand_log_normal(_State* state, float mean, float stddev) {
  if (state->boxmuller_flag == 2) return state->boxmuller_flag = 0, state->boxmuller_extra;
  const float2 two = curand_log_normal2(state, mean, stddev);
  state->boxmuller_extra = two.y, state->boxmuller_flag = 2;
  return two.x;
}
template <class _State> LANESCOPE_DEV double curand_log_normal_double(_State* state, double mean, double stddev) {
  if (state->boxmuller_flag_double == 2) return state->boxmuller_flag_double = 0, state->boxmuller_extra_double;
  const double2 two = curand_log_normal2_double(state, mean, stddev);
  state->boxmuller_extra_double = two.y, state->boxmuller_flag_double = 2;
  return two.x;
}
