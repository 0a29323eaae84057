// Explicit conversions (6.2.3): all types, widths, saturation and roundings.

#include "types.h"

// Roundings of a floating-point value to an integral one.
#define ROUND_rte(X) rint(X)
#define ROUND_rtz(X) trunc(X)
#define ROUND_rtp(X) ceil(X)
#define ROUND_rtn(X) floor(X)

// Integer or floating to integer, by the type of the source.
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
// Compared as 128-bit integers, which hold every value of both types.
#define SATURATE_INTEGER(R, S)                                                         \
  __int128 wide = x;                                                                   \
  return wide < (__int128)LEAST(R) ? LEAST(R) : wide > (__int128)MOST(R) ? MOST(R) : (R)x;

#define INTEGER_FROM_FLOATING(R, S)                                                    \
  INTEGER_FROM_FLOATING_ROUNDED(R, S, , rtz)                                           \
  INTEGER_FROM_FLOATING_ROUNDED(R, S, _rte, rte)                                       \
  INTEGER_FROM_FLOATING_ROUNDED(R, S, _rtz, rtz)                                       \
  INTEGER_FROM_FLOATING_ROUNDED(R, S, _rtp, rtp)                                       \
  INTEGER_FROM_FLOATING_ROUNDED(R, S, _rtn, rtn)
// The limits are powers of two, which S holds; NaN becomes 0.
#define INTEGER_FROM_FLOATING_ROUNDED(R, S, SUFFIX, MODE)                              \
  R BUILTIN convert_##R##SUFFIX(S x) { return (R)ROUND_##MODE(x); }                    \
  R BUILTIN convert_##R##_sat##SUFFIX(S x) {                                           \
    S rounded = ROUND_##MODE(x);                                                       \
    S beyond = (S)2 * (S)((R)1 << (BITS(R) - 2)) * (IS_SIGNED(R) ? (S)1 : (S)2);       \
    S least = IS_SIGNED(R) ? -beyond : (S)0;                                           \
    return x != x ? (R)0 : rounded >= beyond ? MOST(R) : rounded < least ? LEAST(R) : (R)rounded; \
  }

#define FROM_ALL_INTEGERS(M, R) \
  M(R, char)                    \
  M(R, uchar)                   \
  M(R, short)                   \
  M(R, ushort)                  \
  M(R, int)                     \
  M(R, uint)                    \
  M(R, long)                    \
  M(R, ulong)
#define TO_INTEGER(R, ...)                      \
  FROM_ALL_INTEGERS(INTEGER_FROM_INTEGER, R)    \
  INTEGER_FROM_FLOATING(R, float)               \
  INTEGER_FROM_FLOATING(R, double)              \
  INTEGER_FROM_HALF(R, )                        \
  INTEGER_FROM_HALF(R, _rte)                    \
  INTEGER_FROM_HALF(R, _rtz)                    \
  INTEGER_FROM_HALF(R, _rtp)                    \
  INTEGER_FROM_HALF(R, _rtn)
// Halves do not reach the limits of most integers; floats do.
#define INTEGER_FROM_HALF(R, SUFFIX)                                                   \
  R BUILTIN convert_##R##SUFFIX(half x) { return convert_##R##SUFFIX((float)x); }      \
  R BUILTIN convert_##R##_sat##SUFFIX(half x) { return convert_##R##_sat##SUFFIX((float)x); }
EACH_INTEGER(TO_INTEGER)

// To floating: conversions round to nearest even; the other roundings step to the
// neighbour if that went the wrong way.
#define FLOATING_FROM(R, S, ABOVE, BELOW)                                              \
  R BUILTIN convert_##R(S x) { return NEAREST_##R(x); }                                \
  R BUILTIN convert_##R##_rte(S x) { return NEAREST_##R(x); }                          \
  R BUILTIN convert_##R##_rtp(S x) {                                                   \
    R y = NEAREST_##R(x);                                                              \
    return BELOW ? next_above(y) : y;                                                  \
  }                                                                                    \
  R BUILTIN convert_##R##_rtn(S x) {                                                   \
    R y = NEAREST_##R(x);                                                              \
    return ABOVE ? next_below(y) : y;                                                  \
  }                                                                                    \
  R BUILTIN convert_##R##_rtz(S x) {                                                   \
    return x < (S)0 ? convert_##R##_rtp(x) : convert_##R##_rtn(x);                     \
  }

// B is the integer type of R's size.
#define NEIGHBOURS(R, B, LEAST_DENORMAL)                                               \
  static __attribute__((overloadable, always_inline)) R next_above(R y) {              \
    if (y == (R)0)                                                                     \
      return LEAST_DENORMAL;                                                           \
    B bits = __builtin_astype(y, B);                                                   \
    return __builtin_astype((B)(y < (R)0 ? bits - 1 : bits + 1), R);                   \
  }                                                                                    \
  static __attribute__((overloadable, always_inline)) R next_below(R y) {              \
    return -next_above(-y);                                                            \
  }
NEIGHBOURS(half, short, 0x1p-24h)
NEIGHBOURS(float, int, 0x1p-149f)
NEIGHBOURS(double, long, 0x1p-1074)

// Whether the rounded y is above or below the integer x. A float as large as 2^64, to
// which large integers round up, does not fit back.
#define INTEGER_ABOVE(S) (y >= TOO_LARGE(S) || (y > LEAST_AS_FLOATING(S) && (S)y > x))
#define TOO_LARGE(S) (4.0 * (double)((S)1 << (BITS(S) - 2)) / (IS_SIGNED(S) ? 2.0 : 1.0))
#define LEAST_AS_FLOATING(S) (IS_SIGNED(S) ? -TOO_LARGE(S) : -1.0)
#define INTEGER_BELOW(S) (y < TOO_LARGE(S) && (S)y < x)
#define NEAREST_half(X) nearest_half(X)
#define NEAREST_float(X) ((float)(X))
#define NEAREST_double(X) ((double)(X))
#define TO_FLOATING_FROM_INTEGER(R, S) \
  FLOATING_FROM(R, S, INTEGER_ABOVE(S), INTEGER_BELOW(S))
FROM_ALL_INTEGERS(TO_FLOATING_FROM_INTEGER, float)
FROM_ALL_INTEGERS(TO_FLOATING_FROM_INTEGER, double)
FLOATING_FROM(float, half, false, false)
FLOATING_FROM(float, float, false, false)
FLOATING_FROM(float, double, (double)y > x, (double)y < x)
FLOATING_FROM(double, half, false, false)
FLOATING_FROM(double, float, false, false)
FLOATING_FROM(double, double, false, false)

// Halves of floats. A double becomes a float before, rounded to odd: towards zero, with
// the last bit set if that was not exact. So the float is on the same side of what is
// half-way between two halves. Calls of the C compiler's library are not made vectors of.
#define NEAREST_HALF(S, ...)                                                           \
  static __attribute__((overloadable, always_inline)) half nearest_half(S x) { return (half)x; }
EACH_INTEGER(NEAREST_HALF)
NEAREST_HALF(half)
NEAREST_HALF(float)
static __attribute__((overloadable, always_inline)) half nearest_half(double x) {
  float y = (float)x;
  int bits = as_int(y);
  bits -= fabs((double)y) > fabs(x);
  bits |= (double)y != x;
  return (half)as_float(bits);
}

// The integers that halves reach are floats.
#define HALF_FROM_INTEGER(S, ...) \
  FLOATING_FROM(half, S, (float)y > (float)x, (float)y < (float)x)
EACH_INTEGER(HALF_FROM_INTEGER)
FLOATING_FROM(half, half, false, false)
FLOATING_FROM(half, float, (float)y > x, (float)y < x)
FLOATING_FROM(half, double, (double)y > x, (double)y < x)

// Vectors. Without rounding and saturation at once, else by component.
#define WHOLE(N, R, S) \
  R##N BUILTIN convert_##R##N(S##N x) { return __builtin_convertvector(x, R##N); }
#define PARTS(R, S, SUFFIX)                                                           \
  NAMED_BY_COMPONENT_1(R, S, convert_##R##SUFFIX, convert_##R##2##SUFFIX,             \
                       convert_##R##3##SUFFIX, convert_##R##4##SUFFIX,                \
                       convert_##R##8##SUFFIX, convert_##R##16##SUFFIX)
#define ROUNDED(R, S)  \
  PARTS(R, S, _rte)    \
  PARTS(R, S, _rtz)    \
  PARTS(R, S, _rtp)    \
  PARTS(R, S, _rtn)
#define SATURATED(R, S)    \
  PARTS(R, S, _sat)        \
  PARTS(R, S, _sat_rte)    \
  PARTS(R, S, _sat_rtz)    \
  PARTS(R, S, _sat_rtp)    \
  PARTS(R, S, _sat_rtn)
#define TO_FLOATING_VECTOR(R, S) EACH_WIDTH(WHOLE, R, S) ROUNDED(R, S)
#define TO_INTEGER_VECTOR(R, S) EACH_WIDTH(WHOLE, R, S) ROUNDED(R, S) SATURATED(R, S)
#define FROM_ALL(M, R)       \
  FROM_ALL_INTEGERS(M, R)    \
  M(R, half)                 \
  M(R, float)                \
  M(R, double)
FROM_ALL(TO_INTEGER_VECTOR, char)
FROM_ALL(TO_INTEGER_VECTOR, uchar)
FROM_ALL(TO_INTEGER_VECTOR, short)
FROM_ALL(TO_INTEGER_VECTOR, ushort)
FROM_ALL(TO_INTEGER_VECTOR, int)
FROM_ALL(TO_INTEGER_VECTOR, uint)
FROM_ALL(TO_INTEGER_VECTOR, long)
FROM_ALL(TO_INTEGER_VECTOR, ulong)
FROM_ALL_INTEGERS(TO_FLOATING_VECTOR, half)
TO_FLOATING_VECTOR(half, half)
TO_FLOATING_VECTOR(half, float)
PARTS(half, double, )
ROUNDED(half, double)
FROM_ALL(TO_FLOATING_VECTOR, float)
FROM_ALL(TO_FLOATING_VECTOR, double)
