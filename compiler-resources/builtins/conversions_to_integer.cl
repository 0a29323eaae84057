// Explicit conversions (6.2.3) of scalars to integers: all types, saturation and roundings.

#include "conversions.h"

// Rounds a floating-point value to an integral one. Not by rint and others: the part of the
// library that defines them would have to be linked.
#define ROUND_rte(X) __builtin_elementwise_rint(X)
#define ROUND_rtz(X) __builtin_elementwise_trunc(X)
#define ROUND_rtp(X) __builtin_elementwise_ceil(X)
#define ROUND_rtn(X) __builtin_elementwise_floor(X)

// Integer or floating-point to integer, selected by the source type.
#define INTEGER_FROM_INTEGER(R, S)                                                     \
  R BUILTIN convert_##R(S x) { return (R)x; }                                          \
  R BUILTIN convert_##R##_sat(S x) { SATURATE_INTEGER(R, S) }                          \
  INTEGER_FROM_INTEGER_ROUNDED(R, S, _rte)                                             \
  INTEGER_FROM_INTEGER_ROUNDED(R, S, _rtz)                                             \
  INTEGER_FROM_INTEGER_ROUNDED(R, S, _rtp)                                             \
  INTEGER_FROM_INTEGER_ROUNDED(R, S, _rtn)
#define INTEGER_FROM_INTEGER_ROUNDED(R, S, MODE)                                       \
  R BUILTIN convert_##R##MODE(S x) { return (R)x; }                                    \
  R BUILTIN convert_##R##_sat##MODE(S x) { return convert_##R##_sat(x); }
// Compares 128-bit integers, which represent every value of both types.
#define SATURATE_INTEGER(R, S)                                                         \
  __int128 wide = x;                                                                   \
  return wide < (__int128)LEAST(R) ? LEAST(R) : wide > (__int128)MOST(R) ? MOST(R) : (R)x;

#define INTEGER_FROM_FLOATING(R, S)                                                    \
  INTEGER_FROM_FLOATING_ROUNDED(R, S, , rtz)                                           \
  INTEGER_FROM_FLOATING_ROUNDED(R, S, _rte, rte)                                       \
  INTEGER_FROM_FLOATING_ROUNDED(R, S, _rtz, rtz)                                       \
  INTEGER_FROM_FLOATING_ROUNDED(R, S, _rtp, rtp)                                       \
  INTEGER_FROM_FLOATING_ROUNDED(R, S, _rtn, rtn)
// The limits are powers of two, hence exact in S; NaN becomes 0.
#define INTEGER_FROM_FLOATING_ROUNDED(R, S, SUFFIX, MODE)                              \
  R BUILTIN convert_##R##SUFFIX(S x) { return (R)ROUND_##MODE(x); }                    \
  R BUILTIN convert_##R##_sat##SUFFIX(S x) {                                           \
    S rounded = ROUND_##MODE(x);                                                       \
    S beyond = (S)2 * (S)((R)1 << (BITS(R) - 2)) * (IS_SIGNED(R) ? (S)1 : (S)2);       \
    S least = IS_SIGNED(R) ? -beyond : (S)0;                                           \
    return x != x ? (R)0 : rounded >= beyond ? MOST(R) : rounded < least ? LEAST(R) : (R)rounded; \
  }

#define TO_INTEGER(R, ...)                      \
  FROM_ALL_INTEGERS(INTEGER_FROM_INTEGER, R)    \
  INTEGER_FROM_FLOATING(R, float)               \
  INTEGER_FROM_FLOATING(R, double)              \
  INTEGER_FROM_HALF(R, )                        \
  INTEGER_FROM_HALF(R, _rte)                    \
  INTEGER_FROM_HALF(R, _rtz)                    \
  INTEGER_FROM_HALF(R, _rtp)                    \
  INTEGER_FROM_HALF(R, _rtn)
// Through float: the limits of most integer types are beyond the range of half.
#define INTEGER_FROM_HALF(R, SUFFIX)                                                   \
  R BUILTIN convert_##R##SUFFIX(half x) { return convert_##R##SUFFIX((float)x); }      \
  R BUILTIN convert_##R##_sat##SUFFIX(half x) { return convert_##R##_sat##SUFFIX((float)x); }
EACH_INTEGER(TO_INTEGER)
