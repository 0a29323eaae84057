// Explicit conversions (6.2.3) to floating-point types: all types, widths and roundings.

#include "conversions.h"

// Conversions round to nearest even; the other roundings then step to the neighbour
// if the result is on the wrong side of the argument.
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

// Whether the rounded y is above or below the integer x. Large integers round up to 2^64, which
// cannot be converted back.
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

// Conversions to half go through float. A double is rounded to odd first (towards zero, with
// the last bit set if inexact), so that the float is on the same side of the midpoint between
// two halves. A direct conversion would call compiler-rt, which LLVM does not vectorise.
#define NEAREST_HALF(S, ...)                                                           \
  static __attribute__((overloadable, always_inline)) half nearest_half(S x) { return (half)x; }
EACH_INTEGER(NEAREST_HALF)
NEAREST_HALF(half)
NEAREST_HALF(float)
static __attribute__((overloadable, always_inline)) half nearest_half(double x) {
  float y = (float)x;
  int bits = as_int(y);
  bits -= __builtin_elementwise_abs((double)y) > __builtin_elementwise_abs(x);
  bits |= (double)y != x;
  return (half)as_float(bits);
}

// Every integer in the range of half is exact in float.
#define HALF_FROM_INTEGER(S, ...) \
  FLOATING_FROM(half, S, (float)y > (float)x, (float)y < (float)x)
EACH_INTEGER(HALF_FROM_INTEGER)
FLOATING_FROM(half, half, false, false)
FLOATING_FROM(half, float, (float)y > x, (float)y < x)
FLOATING_FROM(half, double, (double)y > x, (double)y < x)

#define TO_FLOATING_VECTOR(R, S) EACH_WIDTH(WHOLE, R, S) ROUNDED(R, S)
FROM_ALL_INTEGERS(TO_FLOATING_VECTOR, half)
TO_FLOATING_VECTOR(half, half)
TO_FLOATING_VECTOR(half, float)
PARTS(half, double, )
ROUNDED(half, double)
FROM_ALL(TO_FLOATING_VECTOR, float)
FROM_ALL(TO_FLOATING_VECTOR, double)
