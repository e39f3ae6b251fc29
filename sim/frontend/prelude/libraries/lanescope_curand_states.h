// The generators of cuRAND's device side: their states, how they are seeded, skip ahead, and give 32 bits.
// The numbers are the library's own.
#pragma once
#include <lanescope_xorwow_jumps.h>

// ---- XORWOW: Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003) ----

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

LANESCOPE_DEV unsigned lanescope_xorwow_next(unsigned oldest, unsigned newest) {
  const unsigned t = oldest ^ (oldest >> 2);
  return newest ^ (newest << 4) ^ t ^ (t << 1);
}
// The sum of those of the next 160 states that a polynomial has: see xorwow_jumps.py. Digit by digit of n.
LANESCOPE_DEV void lanescope_xorwow_jump(curandStateXORWOW* state, const unsigned (*table)[15][5], unsigned long long n) {
  unsigned a = state->v[0], b = state->v[1], c = state->v[2], d = state->v[3], e = state->v[4];
  for (; n != 0; n >>= 4, ++table) {
    const unsigned digit = (unsigned)n & 15u;
    if (digit == 0) continue;
    const unsigned* g = (*table)[digit - 1];
    const unsigned g0 = g[0], g1 = g[1], g2 = g[2], g3 = g[3], g4 = g[4];
    unsigned ra = 0, rb = 0, rc = 0, rd = 0, re = 0;
    for (unsigned k = 0; k < 32; ++k) {
#define LANESCOPE_TAKE(WORD, A, B, C, D, E)                                            \
  {                                                                                     \
    const unsigned take = 0u - (WORD >> k & 1u);                                        \
    ra ^= A & take, rb ^= B & take, rc ^= C & take, rd ^= D & take, re ^= E & take;      \
    A = lanescope_xorwow_next(A, E);                                                    \
  }
      // Each step replaces the oldest word, and the next is then the oldest.
      LANESCOPE_TAKE(g0, a, b, c, d, e)
      LANESCOPE_TAKE(g1, b, c, d, e, a)
      LANESCOPE_TAKE(g2, c, d, e, a, b)
      LANESCOPE_TAKE(g3, d, e, a, b, c)
      LANESCOPE_TAKE(g4, e, a, b, c, d)
#undef LANESCOPE_TAKE
    }
    a = ra, b = rb, c = rc, d = rd, e = re;
  }
  state->v[0] = a, state->v[1] = b, state->v[2] = c, state->v[3] = d, state->v[4] = e;
}
LANESCOPE_DEV void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  lanescope_xorwow_jump(state, lanescope_xorwow_steps, n);
  state->d += 362437u * (unsigned)n;
}
// A subsequence adds a multiple of 2^32 to d.
LANESCOPE_DEV void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  lanescope_xorwow_jump(state, lanescope_xorwow_subsequences, n);
}
LANESCOPE_OP void lanescope_reads_tables();
LANESCOPE_DEV void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateXORWOW_t* state) {
  lanescope_reads_tables();  // of matrices, which are constants of the code here
  const unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u), high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
LANESCOPE_DEV unsigned curand(curandStateXORWOW_t* state) {
  const unsigned next = lanescope_xorwow_next(state->v[0], state->v[4]);
  state->v[0] = state->v[1], state->v[1] = state->v[2], state->v[2] = state->v[3], state->v[3] = state->v[4];
  state->v[4] = next;
  state->d += 362437u;
  return next + state->d;
}

// ---- Philox 4x32-10: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011 ----

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

LANESCOPE_DEV uint4 lanescope_philox_round(uint4 c, unsigned key_x, unsigned key_y) {
  const unsigned long long x = 0xd2511f53ull * c.x, z = 0xcd9e8d57ull * c.z;
  return uint4{(unsigned)(z >> 32) ^ c.y ^ key_x, (unsigned)z, (unsigned)(x >> 32) ^ c.w ^ key_y, (unsigned)x};
}
LANESCOPE_DEV uint4 curand_Philox4x32_10(uint4 c, uint2 key) {
#pragma unroll
  for (unsigned i = 0; i < 10; ++i) c = lanescope_philox_round(c, key.x + i * 0x9e3779b9u, key.y + i * 0xbb67ae85u);
  return c;
}
// The counter's lower and upper 64 bits; only from the lower ones is there a carry.
LANESCOPE_DEV void lanescope_philox_advance(curandStatePhilox4_32_10_t* state, unsigned long long n) {
  const unsigned long long before = ((unsigned long long)state->ctr.y << 32) | state->ctr.x, low = before + n;
  state->ctr.x = (unsigned)low, state->ctr.y = (unsigned)(low >> 32);
  if (low < before && ++state->ctr.z == 0) ++state->ctr.w;
}
LANESCOPE_DEV void lanescope_philox_fill(curandStatePhilox4_32_10_t* state) { state->output = curand_Philox4x32_10(state->ctr, state->key); }
// `output` holds what comes next from place STATE on.
LANESCOPE_DEV void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned at = state->STATE + ((unsigned)n & 3u);
  state->STATE = at & 3u;
  lanescope_philox_advance(state, n / 4 + at / 4);
  lanescope_philox_fill(state);
}
LANESCOPE_DEV void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned long long high = (((unsigned long long)state->ctr.w << 32) | state->ctr.z) + n;
  state->ctr.z = (unsigned)high, state->ctr.w = (unsigned)(high >> 32);
  lanescope_philox_fill(state);
}
LANESCOPE_DEV void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->ctr = uint4{0, 0, (unsigned)subsequence, (unsigned)(subsequence >> 32)};
  state->key = uint2{(unsigned)seed, (unsigned)(seed >> 32)};
  state->STATE = 0;
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
  skipahead(offset, state);
}
LANESCOPE_DEV unsigned lanescope_philox_pick(const uint4& four, unsigned at) { return at == 0 ? four.x : at == 1 ? four.y : at == 2 ? four.z : four.w; }
LANESCOPE_DEV unsigned curand(curandStatePhilox4_32_10_t* state) {
  const unsigned result = lanescope_philox_pick(state->output, state->STATE);
  if (++state->STATE == 4) {
    lanescope_philox_advance(state, 1);
    lanescope_philox_fill(state);
    state->STATE = 0;
  }
  return result;
}
LANESCOPE_DEV uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 now = state->output;
  lanescope_philox_advance(state, 1);
  lanescope_philox_fill(state);
  const uint4 next = state->output;
  switch (state->STATE) {
    case 1: return uint4{now.y, now.z, now.w, next.x};
    case 2: return uint4{now.z, now.w, next.x, next.y};
    case 3: return uint4{now.w, next.x, next.y, next.z};
    default: return now;
  }
}

// ---- MRG32k3a: L'Ecuyer, "Good parameters and implementations for combined multiple recursive random
// number generators", Operations Research 47 (1999). Two recurrences x³ = A x² + B x + C modulo M. ----

struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

// A polynomial of degree 2 modulo a recurrence's: what n steps are, as x^n.
template <unsigned long long _Modulus, unsigned long long _A, unsigned long long _B, unsigned long long _C> struct lanescope_mrg {
  unsigned long long p, q, r;  // p + q x + r x²
  constexpr __host__ __device__ lanescope_mrg times(const lanescope_mrg& o) const {
    constexpr unsigned long long aab = (_A * _A % _Modulus + _B) % _Modulus, abc = (_A * _B % _Modulus + _C) % _Modulus, ac = _A * _C % _Modulus;
    const unsigned long long third = (q * o.r % _Modulus + r * o.q % _Modulus) % _Modulus, fourth = r * o.r % _Modulus;
    return {(p * o.p % _Modulus + third * _C % _Modulus + fourth * ac % _Modulus) % _Modulus,
            (p * o.q % _Modulus + q * o.p % _Modulus + third * _B % _Modulus + fourth * abc % _Modulus) % _Modulus,
            (p * o.r % _Modulus + q * o.q % _Modulus + r * o.p % _Modulus + third * _A % _Modulus + fourth * aab % _Modulus) % _Modulus};
  }
  static constexpr __host__ __device__ lanescope_mrg doubled(int times_2) {
    lanescope_mrg base{0, 1, 0};
    for (int i = 0; i < times_2; ++i) base = base.times(base);
    return base;
  }
  static __device__ unsigned next(unsigned oldest, unsigned middle, unsigned newest) {
    return (unsigned)((_A * newest % _Modulus + _B * middle % _Modulus + _C * oldest % _Modulus) % _Modulus);
  }
  static __device__ void jump(unsigned* s, lanescope_mrg base, unsigned long long n) {
    lanescope_mrg power{1, 0, 0};
    for (; n != 0; n >>= 1) {
      if (n & 1) power = power.times(base);
      base = base.times(base);
    }
    const unsigned s3 = next(s[0], s[1], s[2]), s4 = next(s[1], s[2], s3);
    const unsigned long long all[5] = {s[0], s[1], s[2], s3, s4};
    s[0] = (unsigned)((power.p * all[0] % _Modulus + power.q * all[1] % _Modulus + power.r * all[2] % _Modulus) % _Modulus);
    s[1] = (unsigned)((power.p * all[1] % _Modulus + power.q * all[2] % _Modulus + power.r * all[3] % _Modulus) % _Modulus);
    s[2] = (unsigned)((power.p * all[2] % _Modulus + power.q * all[3] % _Modulus + power.r * all[4] % _Modulus) % _Modulus);
  }
};
using lanescope_mrg1 = lanescope_mrg<4294967087ull, 0, 1403580ull, 4294967087ull - 810728ull>;
using lanescope_mrg2 = lanescope_mrg<4294944443ull, 527612ull, 0, 4294944443ull - 1370589ull>;

template <int _Doublings> LANESCOPE_DEV void lanescope_mrg_skip(unsigned long long n, curandStateMRG32k3a_t* state) {
  constexpr lanescope_mrg1 first = lanescope_mrg1::doubled(_Doublings);
  constexpr lanescope_mrg2 second = lanescope_mrg2::doubled(_Doublings);
  lanescope_mrg1::jump(state->s1, first, n);
  lanescope_mrg2::jump(state->s2, second, n);
}
LANESCOPE_DEV void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) { lanescope_mrg_skip<0>(n, state); }
LANESCOPE_DEV void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) { lanescope_mrg_skip<76>(n, state); }
LANESCOPE_DEV void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) { lanescope_mrg_skip<127>(n, state); }
LANESCOPE_DEV void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateMRG32k3a_t* state) {
  const unsigned long long low = seed == 0 ? 1 : (unsigned)seed ^ 0x55555555u, high = seed == 0 ? 1 : (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
  state->s1[0] = state->s1[2] = (unsigned)(low * 12345 % 4294967087ull);
  state->s1[1] = (unsigned)(high * 12345 % 4294967087ull);
  state->s2[0] = state->s2[2] = (unsigned)(high * 12345 % 4294944443ull);
  state->s2[1] = (unsigned)(low * 12345 % 4294944443ull);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}
// In 1 .. 4294967087
LANESCOPE_DEV double curand_MRG32k3a(curandStateMRG32k3a_t* state) {
  const unsigned first = lanescope_mrg1::next(state->s1[0], state->s1[1], state->s1[2]), second = lanescope_mrg2::next(state->s2[0], state->s2[1], state->s2[2]);
  state->s1[0] = state->s1[1], state->s1[1] = state->s1[2], state->s1[2] = first;
  state->s2[0] = state->s2[1], state->s2[1] = state->s2[2], state->s2[2] = second;
  return (double)(first > second ? first - second : first - second + 4294967087u);
}
LANESCOPE_DEV unsigned curand(curandStateMRG32k3a_t* state) { return (unsigned)(curand_MRG32k3a(state) * 1.000000048662); }
