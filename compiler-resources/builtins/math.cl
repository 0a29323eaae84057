// Mathematical functions (6.12.2) for half, float and double, with native_ and half_.
//
// Functions with an instruction of their own use LLVM's intrinsic; others are computed, some by
// the C library, whose calls vector code scalarises. Functions of half are computed in float and
// rounded, unless half arithmetic is as accurate.

#include "types.h"

// One intrinsic for all types.
#define INTRINSIC_1(T, S, NAME, INTRINSIC) \
  T BUILTIN NAME(T x) { return __builtin_elementwise_##INTRINSIC(x); }
#define INTRINSIC_2(T, S, NAME, INTRINSIC) \
  T BUILTIN NAME(T x, T y) { return __builtin_elementwise_##INTRINSIC(x, y); }
EACH_FLOATING(INTRINSIC_1, ceil, ceil)
EACH_FLOATING(INTRINSIC_1, fabs, abs)
EACH_FLOATING(INTRINSIC_1, floor, floor)
EACH_FLOATING(INTRINSIC_1, rint, rint)
EACH_FLOATING(INTRINSIC_1, round, round)
EACH_FLOATING(INTRINSIC_1, sqrt, sqrt)
EACH_FLOATING(INTRINSIC_1, trunc, trunc)
EACH_FLOATING(INTRINSIC_2, copysign, copysign)
EACH_FLOATING(INTRINSIC_2, fmax, maxnum)
EACH_FLOATING(INTRINSIC_2, fmin, minnum)

#define WITH_SCALAR_SECOND(T, S, ...)                  \
  T BUILTIN fmax(T x, S y) { return fmax(x, (T)y); }   \
  T BUILTIN fmin(T x, S y) { return fmin(x, (T)y); }
ONLY_VECTORS(WITH_SCALAR_SECOND, half)
ONLY_VECTORS(WITH_SCALAR_SECOND, float)
ONLY_VECTORS(WITH_SCALAR_SECOND, double)

// Simple arithmetic, for all types.
#define PI 3.14159265358979323846264338327950288
#define ARITHMETIC(T, S, ...)                                                         \
  T BUILTIN mad(T a, T b, T c) {                                                      \
    _Pragma("STDC FP_CONTRACT ON") return a * b + c;                                  \
  }                                                                                   \
  T BUILTIN fdim(T x, T y) {                                                          \
    T difference = x - y;                                                             \
    T positive = x > y ? difference : (T)0;                                           \
    return ((x != x) | (y != y)) ? x + y : positive;                                      \
  }                                                                                   \
  T BUILTIN maxmag(T x, T y) {                                                        \
    T a = fabs(x), b = fabs(y);                                                       \
    return a > b ? x : b > a ? y : fmax(x, y);                                        \
  }                                                                                   \
  T BUILTIN minmag(T x, T y) {                                                        \
    T a = fabs(x), b = fabs(y);                                                       \
    return a < b ? x : b < a ? y : fmin(x, y);                                        \
  }
EACH_FLOATING(ARITHMETIC)

#define WIDER_ARITHMETIC(T, S, ...)                                                   \
  T BUILTIN fma(T a, T b, T c) { return __builtin_elementwise_fma(a, b, c); }         \
  T BUILTIN acospi(T x) { return acos(x) * (T)(S)(1 / PI); }                          \
  T BUILTIN asinpi(T x) { return asin(x) * (T)(S)(1 / PI); }                          \
  T BUILTIN atanpi(T x) { return atan(x) * (T)(S)(1 / PI); }                          \
  T BUILTIN atan2pi(T y, T x) { return atan2(y, x) * (T)(S)(1 / PI); }
FLOAT_AND_DOUBLE(WIDER_ARITHMETIC)

#define RSQRT(T, S, ...) \
  T BUILTIN rsqrt(T x) { return RECIPROCAL(sqrt(x)); }
WITH_VECTORS(RSQRT, double)

// Computed in double: the product of two halves is exact, and the sum with a third has enough
// bits that rounding it to half again gives the correctly rounded result.
#define HALF_FMA(N, ...)                                                              \
  half##N BUILTIN fma(half##N a, half##N b, half##N c) {                              \
    return convert_half##N(convert_double##N(a) * convert_double##N(b) +              \
                           convert_double##N(c));                                     \
  }
SCALAR_AND_WIDTHS(HALF_FMA)

// The gamma functions for double are those of the C library.
#define C_LIBRARY_DOUBLE(NAME)                                               \
  double c_##NAME(double) __asm__(#NAME);                                    \
  double BUILTIN NAME(double x) { return c_##NAME(x); }                      \
  BY_COMPONENT_1(double, NAME, double)
C_LIBRARY_DOUBLE(lgamma)
C_LIBRARY_DOUBLE(tgamma)

#define LDEXP_SCALAR(T, S, ...) \
  T BUILTIN ldexp(T x, int n) { return ldexp(x, (__typeof__(ilogb(x)))n); }
ONLY_VECTORS(LDEXP_SCALAR, half)
ONLY_VECTORS(LDEXP_SCALAR, float)
ONLY_VECTORS(LDEXP_SCALAR, double)

// half, computed in float.
#define HALF_1(N, NAME)                                                               \
  half##N BUILTIN NAME(half##N x) { return convert_half##N(NAME(convert_float##N(x))); }
SCALAR_AND_WIDTHS(HALF_1, acos)
SCALAR_AND_WIDTHS(HALF_1, acosh)
SCALAR_AND_WIDTHS(HALF_1, acospi)
SCALAR_AND_WIDTHS(HALF_1, asin)
SCALAR_AND_WIDTHS(HALF_1, asinh)
SCALAR_AND_WIDTHS(HALF_1, asinpi)
SCALAR_AND_WIDTHS(HALF_1, atan)
SCALAR_AND_WIDTHS(HALF_1, atanh)
SCALAR_AND_WIDTHS(HALF_1, atanpi)
SCALAR_AND_WIDTHS(HALF_1, cbrt)
SCALAR_AND_WIDTHS(HALF_1, cos)
SCALAR_AND_WIDTHS(HALF_1, cosh)
SCALAR_AND_WIDTHS(HALF_1, cospi)
SCALAR_AND_WIDTHS(HALF_1, erf)
SCALAR_AND_WIDTHS(HALF_1, erfc)
SCALAR_AND_WIDTHS(HALF_1, exp)
SCALAR_AND_WIDTHS(HALF_1, exp2)
SCALAR_AND_WIDTHS(HALF_1, exp10)
SCALAR_AND_WIDTHS(HALF_1, expm1)
SCALAR_AND_WIDTHS(HALF_1, lgamma)
SCALAR_AND_WIDTHS(HALF_1, log)
SCALAR_AND_WIDTHS(HALF_1, log2)
SCALAR_AND_WIDTHS(HALF_1, log10)
SCALAR_AND_WIDTHS(HALF_1, log1p)
SCALAR_AND_WIDTHS(HALF_1, logb)
SCALAR_AND_WIDTHS(HALF_1, rsqrt)
SCALAR_AND_WIDTHS(HALF_1, sin)
SCALAR_AND_WIDTHS(HALF_1, sinh)
SCALAR_AND_WIDTHS(HALF_1, sinpi)
SCALAR_AND_WIDTHS(HALF_1, tan)
SCALAR_AND_WIDTHS(HALF_1, tanh)
SCALAR_AND_WIDTHS(HALF_1, tanpi)
SCALAR_AND_WIDTHS(HALF_1, tgamma)

#define HALF_2(N, NAME)                                                               \
  half##N BUILTIN NAME(half##N x, half##N y) {                                        \
    return convert_half##N(NAME(convert_float##N(x), convert_float##N(y)));           \
  }
SCALAR_AND_WIDTHS(HALF_2, atan2)
SCALAR_AND_WIDTHS(HALF_2, atan2pi)
SCALAR_AND_WIDTHS(HALF_2, fmod)
SCALAR_AND_WIDTHS(HALF_2, hypot)
SCALAR_AND_WIDTHS(HALF_2, pow)
SCALAR_AND_WIDTHS(HALF_2, powr)
SCALAR_AND_WIDTHS(HALF_2, remainder)

#define HALF_INT(N, NAME)                                                             \
  half##N BUILTIN NAME(half##N x, int##N n) {                                         \
    return convert_half##N(NAME(convert_float##N(x), n));                             \
  }
SCALAR_AND_WIDTHS(HALF_INT, ldexp)
SCALAR_AND_WIDTHS(HALF_INT, pown)
SCALAR_AND_WIDTHS(HALF_INT, rootn)

#define HALF_ILOGB(N, ...) \
  int##N BUILTIN ilogb(half##N x) { return ilogb(convert_float##N(x)); }
SCALAR_AND_WIDTHS(HALF_ILOGB)

half BUILTIN nextafter(half x, half y) {
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return copysign(0x1p-24h, y);
  short bits = as_short(x);
  return as_half((short)((x < y) == (x > 0) ? bits + 1 : bits - 1));
}
BY_COMPONENT_2(half, nextafter, half, half)

// nan: a quiet NaN with the given payload.
#define NOT_A_NUMBER(T, U, QUIET) \
  T BUILTIN nan(U code) { return __builtin_astype((U)(code | (U)QUIET), T); }
#define NOT_A_NUMBER_VECTOR(N, S, U, QUIET) NOT_A_NUMBER(S##N, U##N, QUIET)
NOT_A_NUMBER(half, ushort, 0x7e00)
EACH_WIDTH(NOT_A_NUMBER_VECTOR, half, ushort, 0x7e00)
NOT_A_NUMBER(float, uint, 0x7fc00000)
EACH_WIDTH(NOT_A_NUMBER_VECTOR, float, uint, 0x7fc00000)
NOT_A_NUMBER(double, ulong, 0x7ff8000000000000)
EACH_WIDTH(NOT_A_NUMBER_VECTOR, double, ulong, 0x7ff8000000000000)

// Functions that store a second result.
double c_lgamma_r(double, int *) __asm__("lgamma_r");

// The sign is 0 where gamma has a pole (7.5.1).
static double lgamma_and_sign(double x, int *sign) {
  double result = c_lgamma_r(x, sign);
  *sign = x <= 0 && x == floor(x) ? 0 : *sign;
  return result;
}

#define INT_RESULT(NAME, S, C, Q)                                          \
  S BUILTIN NAME(S x, Q int *out) {                                          \
    int second;                                                              \
    S result = C(x, &second);                                                \
    *out = second;                                                           \
    return result;                                                           \
  }
#define SECOND_RESULTS(S, BELOW_ONE, Q)                                      \
  S BUILTIN fract(S x, Q S *whole) {                                         \
    S down = floor(x);                                                       \
    *whole = down;                                                           \
    S part = fmin(x - down, (S)BELOW_ONE);                                   \
    part = x == (S)0 || fabs(x) == (S)INFINITY ? copysign((S)0, x) : part;   \
    return x != x ? x : part;                                                \
  }                                                                          \
  S BUILTIN modf(S x, Q S *whole) {                                          \
    S towards_zero = trunc(x);                                               \
    *whole = towards_zero;                                                   \
    return copysign(fabs(x) == (S)INFINITY ? (S)0 : x - towards_zero, x);    \
  }
// For half, computed in float.
#define OF_HALF(Q)                                                           \
  half BUILTIN frexp(half x, Q int *out) { return (half)frexp((float)x, out); } \
  half BUILTIN lgamma_r(half x, Q int *out) {                                \
    return (half)lgamma_r((float)x, out);                                    \
  }                                                                          \
  half BUILTIN remquo(half x, half y, Q int *out) {                          \
    return (half)remquo((float)x, (float)y, out);                            \
  }                                                                          \
  half BUILTIN sincos(half x, Q half *cosine) {                              \
    float c;                                                                 \
    half s = (half)sincos((float)x, &c);                                     \
    *cosine = (half)c;                                                       \
    return s;                                                                \
  }
#define BY_SPACE(Q)                                          \
  INT_RESULT(lgamma_r, double, lgamma_and_sign, Q)              \
  OF_HALF(Q)                                                 \
  SECOND_RESULTS(half, 0x1.ffcp-1h, Q)                       \
  SECOND_RESULTS(float, 0x1.fffffep-1f, Q)                   \
  SECOND_RESULTS(double, 0x1.fffffffffffffp-1, Q)
BY_SPACE(__private)
BY_SPACE(__global)
BY_SPACE(__local)
#define VECTORS_BY_SPACE(Q)                                  \
  BY_COMPONENT_1_OUT(half, frexp, half, int, Q)              \
  BY_COMPONENT_1_OUT(half, lgamma_r, half, int, Q)           \
  BY_COMPONENT_1_OUT(double, lgamma_r, double, int, Q)       \
  BY_COMPONENT_2_OUT(half, remquo, half, half, int, Q)       \
  BY_COMPONENT_1_OUT(half, fract, half, half, Q)             \
  BY_COMPONENT_1_OUT(float, fract, float, float, Q)          \
  BY_COMPONENT_1_OUT(double, fract, double, double, Q)       \
  BY_COMPONENT_1_OUT(half, modf, half, half, Q)              \
  BY_COMPONENT_1_OUT(float, modf, float, float, Q)           \
  BY_COMPONENT_1_OUT(double, modf, double, double, Q)        \
  BY_COMPONENT_1_OUT(half, sincos, half, half, Q)
VECTORS_BY_SPACE(__private)
VECTORS_BY_SPACE(__global)
VECTORS_BY_SPACE(__local)

// half_: the full functions are as fast, except for powers, whose product may be a float here.
#define HALF_PRECISION_1(T, S, NAME) \
  T BUILTIN half_##NAME(T x) { return NAME(x); }
#define HALF_PRECISION(NAME) WITH_VECTORS(HALF_PRECISION_1, float, NAME)
HALF_PRECISION(cos)
HALF_PRECISION(exp)
HALF_PRECISION(exp2)
HALF_PRECISION(exp10)
HALF_PRECISION(log)
HALF_PRECISION(log2)
HALF_PRECISION(log10)
HALF_PRECISION(rsqrt)
HALF_PRECISION(sin)
HALF_PRECISION(sqrt)
HALF_PRECISION(tan)
#define HALF_PRECISION_2(T, S, ...)                                          \
  T BUILTIN half_divide(T x, T y) { return x / y; }                          \
  T BUILTIN half_recip(T x) { return RECIPROCAL(x); }                        \
  T BUILTIN half_powr(T x, T y) { return exp2(y * log2(x)); }
WITH_VECTORS(HALF_PRECISION_2, float)
