// exp, exp2 and exp10 (6.12.2) for float and double. Vector libraries for exp are only
// just within the 3 ulp of section 7.4, and there are none for the others.

#include "types.h"

// b^x = 2^n e^r with n integral and |r| at most half of ln 2. e^r is its power series
// up to what is beyond the type's precision.
#define SERIES_float(R)                                                                \
  (1.0f / 2 + R * (1.0f / 6 + R * (1.0f / 24 + R * (1.0f / 120 + R * (1.0f / 720 +     \
  R * (1.0f / 5040))))))
#define SERIES_double(R)                                                               \
  (1.0 / 2 + R * (1.0 / 6 + R * (1.0 / 24 + R * (1.0 / 120 + R * (1.0 / 720 +          \
  R * (1.0 / 5040 + R * (1.0 / 40320 + R * (1.0 / 362880 + R * (1.0 / 3628800 +        \
  R * (1.0 / 39916800 + R * (1.0 / 479001600 + R * (1.0 / 6227020800))))))))))))

// 2^n of an integral n: the sum leaves n and the exponent's bias in the lowest bits.
#define POWER_OF_2_float(T, U, N) \
  __builtin_astype(__builtin_astype(N + (T)(0x1.8p+23f + 127), U) << 23, T)
#define POWER_OF_2_double(T, U, N) \
  __builtin_astype(__builtin_astype(N + (T)(0x1.8p+52 + 1023), U) << 52, T)

// Beyond LEAST and MOST results are 0 and infinite anyway; NaNs go through. 2^n is two
// factors, since it may lie outside the type where the product does not.
#define EXPONENTIAL(T, S, U, NAME, LEAST, MOST, DIGITS, REST)                           \
  T BUILTIN NAME(T x) {                                                                \
    x = x > (T)(S)MOST ? (T)(S)MOST : x;                                               \
    x = x < (T)(S)LEAST ? (T)(S)LEAST : x;                                             \
    T n = rint(x * (T)(S)DIGITS);                                                      \
    T r = REST(T, S);                                                                  \
    T power = (T)1 + (r + r * r * SERIES_##S(r));                                      \
    T half_n = rint(n * (T)0.5f);                                                      \
    return power * POWER_OF_2_##S(T, U, half_n) * POWER_OF_2_##S(T, U, (n - half_n));  \
  }

// The upper parts of the logarithms are so short that their products with n are exact.
#define REST_e_float(T, S) ((x - n * (T)0x1.62e4p-1f) - n * (T)0x1.7f7d1cp-20f)
#define REST_e_double(T, S) \
  ((x - n * (T)0x1.62e42fefa2p-1) - n * (T)0x1.9ef35793c7673p-41)
#define REST_2(T, S) ((x - n) * (T)(S)0x1.62e42fefa39efp-1)
#define REST_10_float(T, S) \
  (((x - n * (T)0x1.344p-2f) - n * (T)0x1.3509f8p-18f) * (T)0x1.26bb1cp+1f)
#define REST_10_double(T, S)                                                           \
  (((x - n * (T)0x1.34413509f6p-2) - n * (T)0x1.9fef311f12b36p-42) *                   \
   (T)0x1.26bb1bbb55516p+1)
#define LOG2_OF_E 0x1.71547652b82fep+0
#define LOG2_OF_10 0x1.a934f0979a371p+1

#define EACH_EXPONENTIAL(S, U, ...)                \
  EXPONENTIAL(S, S, U, __VA_ARGS__)                \
  EXPONENTIAL(S##2, S, U##2, __VA_ARGS__)          \
  EXPONENTIAL(S##3, S, U##3, __VA_ARGS__)          \
  EXPONENTIAL(S##4, S, U##4, __VA_ARGS__)          \
  EXPONENTIAL(S##8, S, U##8, __VA_ARGS__)          \
  EXPONENTIAL(S##16, S, U##16, __VA_ARGS__)
EACH_EXPONENTIAL(float, uint, exp, -105, 89, LOG2_OF_E, REST_e_float)
EACH_EXPONENTIAL(float, uint, exp2, -151, 129, 1, REST_2)
EACH_EXPONENTIAL(float, uint, exp10, -46, 39, LOG2_OF_10, REST_10_float)
EACH_EXPONENTIAL(double, ulong, exp, -746, 710, LOG2_OF_E, REST_e_double)
EACH_EXPONENTIAL(double, ulong, exp2, -1076, 1025, 1, REST_2)
EACH_EXPONENTIAL(double, ulong, exp10, -325, 309, LOG2_OF_10, REST_10_double)
