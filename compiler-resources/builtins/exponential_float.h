// exp, exp2, exp10, expm1, sinh, cosh and tanh for float; a body for each_width.h.
//
// b^x = 2^n e^r with integral n and |r| <= ln(2) / 2.

#include "power_of_2.h"

#undef LESS_LN2
#undef EXPONENTIAL
#undef HYPERBOLIC
// The upper part of ln 2 has few enough bits that its product with n is exact.
#define LESS_LN2(X, N) ((X - N * 0x1.62e4p-1f) - N * 0x1.7f7d1cp-20f)

// (e^r - 1 - r) / r^2; e^r from it has an error of 2^-27.2.
STEP F beyond_linear(F r) {
  return 0.5f + r * (0x1.555490p-3f + r * (0x1.5554f4p-5f + r * (0x1.12408cp-7f +
         r * 0x1.6d461ep-10f)));
}

#define EXPONENTIAL(NAME, DIGITS, REST, NORMAL, LEAST, MOST)                   \
  F BUILTIN NAME(F x) {                                                        \
    F shifted = x * (float)(DIGITS) + ROUNDING;                                \
    F n = shifted - ROUNDING;                                                  \
    F r = REST;                                                                \
    F power = 1.0f + (r + r * r * beyond_linear(r));                           \
    F value = AS(F, AS(I, power) + (AS(I, shifted) << 23));                    \
    I rare = !(fabs(x) < NORMAL);                                              \
    if (RARELY(rare))                                                          \
      value = rare ? beyond_normal(x, power, shifted, LEAST, MOST) : value;    \
    return value;                                                              \
  }
EXPONENTIAL(exp, 0x1.715476p+0f, LESS_LN2(x, n), 87.0f, -105.0f, 89.0f)
EXPONENTIAL(exp2, 1.0f, (x - n) * 0x1.62e43p-1f, 125.5f, -151.0f, 129.0f)
EXPONENTIAL(exp10, 0x1.a934fp+1f,
            ((x - n * 0x1.344p-2f) - n * 0x1.3509f8p-18f) * 0x1.26bb1cp+1f,
            37.5f, -46.0f, 39.0f)

// 2^n (e^r - 1) + (2^n - 1).
F BUILTIN expm1(F x) {
  F shifted = x * 0x1.715476p+0f + ROUNDING;
  F n = shifted - ROUNDING;
  F r = LESS_LN2(x, n);
  F less = r + r * r * beyond_linear(r);
  F scale = power_of_2(shifted);
  F value = scale * less + (scale - 1.0f);
  I rare = !(fabs(x) < 87.0f);
  if (RARELY(rare)) {
    F beyond = beyond_normal(x, 1.0f + less, shifted, -105.0f, 89.0f);
    value = rare ? (x < 0.0f ? (F)-1.0f : beyond) : value;
  }
  return copysign(value, x);
}

// sinh(r) and cosh(r) - 1 for |r| of at most half of ln 2; the errors are 2^-34.3 and, of
// cosh(r), 2^-33.2.
STEP F odd_part(F r) {
  F z = r * r;
  return r + r * (z * (0x1.555556p-3f + z * (0x1.110fcp-7f + z * 0x1.a2dcd6p-13f)));
}
STEP F even_part(F r) {
  F z = r * r;
  return z * (0.5f + z * (0x1.5554e4p-5f + z * 0x1.6d520ap-10f));
}

// By the addition theorems; sinh(n ln 2) and cosh(n ln 2) are exact.
#define HYPERBOLIC(NAME, SUM, TAIL)                                            \
  F BUILTIN NAME(F x) {                                                        \
    F size = fabs(x);                                                          \
    F shifted = size * 0x1.715476p+0f + ROUNDING;                              \
    F n = shifted - ROUNDING;                                                  \
    F r = LESS_LN2(size, n);                                                   \
    F odd = odd_part(r), even = even_part(r);                                  \
    F up = 0.5f * power_of_2(shifted);                                         \
    F down = 0.5f * AS(F, (127 - AS(I, shifted)) << 23);                       \
    F value = SUM;                                                             \
    I rare = !(size < 87.0f);                                                  \
    if (RARELY(rare)) {                                                        \
      F beyond = beyond_normal(size, 0.5f * (1.0f + (odd + even)), shifted, 0, 90.0f);  \
      value = rare ? beyond : value;                                           \
    }                                                                          \
    return TAIL;                                                               \
  }
HYPERBOLIC(sinh, (up - down) + (odd * (up + down) + even * (up - down)), copysign(value, x))
HYPERBOLIC(cosh, (up + down) + (even * (up + down) + odd * (up - down)), value)

// (e^2x - 1) / (e^2x + 1). From 9.02 on it is 1.
F BUILTIN tanh(F x) {
  F size = fabs(x);
  F twice = 2.0f * (size > 10.0f ? (F)10.0f : size);
  F shifted = twice * 0x1.715476p+0f + ROUNDING;
  F n = shifted - ROUNDING;
  F r = LESS_LN2(twice, n);
  F less = r + r * r * beyond_linear(r);
  F scale = power_of_2(shifted);
  F power = scale * less + (scale - 1.0f);
  return copysign(power / (power + 2.0f), x);
}
