// exp, exp2, exp10, expm1, sinh, cosh and tanh for double; the method is that of
// exponential_float.h.

#include "power_of_2.h"

#undef LESS_LN2
#undef EXPONENTIAL
#undef HYPERBOLIC
#define LOG2_OF_E 0x1.71547652b82fep+0
#define LESS_LN2(X, N) ((X - N * 0x1.62e42fefa2p-1) - N * 0x1.9ef35793c7673p-41)

// (e^r - 1 - r) / r^2; e^r from it has an error of 2^-60.8.
STEP D beyond_linear(D r) {
  return 0.5 + r * (0x1.5555555555558p-3 + r * (0x1.5555555555556p-5 +
         r * (0x1.111111110f703p-7 + r * (0x1.6c16c16c15d34p-10 +
         r * (0x1.a01a01b085b90p-13 + r * (0x1.a01a01a97ba52p-16 +
         r * (0x1.71ddf55de1658p-19 + r * (0x1.27e4d4107c342p-22 +
         r * (0x1.af65ac5bdc374p-26 + r * 0x1.1f80965612073p-29)))))))));
}

#define EXPONENTIAL(NAME, DIGITS, REST, NORMAL, LEAST, MOST)                   \
  D BUILTIN NAME(D x) {                                                        \
    D shifted = x * DIGITS + ROUNDING;                                         \
    D n = shifted - ROUNDING;                                                  \
    D r = REST;                                                                \
    D power = 1.0 + (r + r * r * beyond_linear(r));                            \
    D value = AS(D, AS(L, power) + (AS(L, shifted) << 52l));                   \
    L rare = !(fabs(x) < NORMAL);                                              \
    if (RARELY(rare))                                                          \
      value = rare ? beyond_normal(x, power, shifted, LEAST, MOST) : value;    \
    return value;                                                              \
  }
EXPONENTIAL(exp, LOG2_OF_E, LESS_LN2(x, n), 708.0, -746.0, 710.0)
EXPONENTIAL(exp2, 1.0, (x - n) * 0x1.62e42fefa39efp-1, 1021.5, -1076.0, 1025.0)
EXPONENTIAL(exp10, 0x1.a934f0979a371p+1,
            ((x - n * 0x1.34413509f6p-2) - n * 0x1.9fef311f12b36p-42) *
                0x1.26bb1bbb55516p+1,
            307.0, -325.0, 309.0)

D BUILTIN expm1(D x) {
  D shifted = x * LOG2_OF_E + ROUNDING;
  D n = shifted - ROUNDING;
  D r = LESS_LN2(x, n);
  D less = r + r * r * beyond_linear(r);
  D scale = power_of_2(shifted);
  D value = scale * less + (scale - 1.0);
  L rare = !(fabs(x) < 708.0);
  if (RARELY(rare)) {
    D beyond = beyond_normal(x, 1.0 + less, shifted, -746.0, 710.0);
    value = rare ? (x < 0.0 ? (D)-1.0 : beyond) : value;
  }
  return copysign(value, x);
}

// sinh(r) and cosh(r) - 1; the errors are 2^-61.6 and, of cosh(r), 2^-69.5.
STEP D odd_part(D r) {
  D z = r * r;
  return r + r * (z * (0x1.5555555555559p-3 + z * (0x1.111111110f604p-7 +
         z * (0x1.a01a01b03af1fp-13 + z * (0x1.71ddf7548eb54p-19 +
         z * 0x1.af60b749917bcp-26)))));
}
STEP D even_part(D r) {
  D z = r * r;
  return z * (0.5 + z * (0x1.5555555555558p-5 + z * (0x1.6c16c16c14fd7p-10 +
         z * (0x1.a01a01ad96276p-16 + z * (0x1.27e4cbc83912cp-22 +
         z * 0x1.1f8c6fb534f25p-29)))));
}

#define HYPERBOLIC(NAME, SUM, TAIL)                                            \
  D BUILTIN NAME(D x) {                                                        \
    D size = fabs(x);                                                          \
    D shifted = size * LOG2_OF_E + ROUNDING;                                   \
    D n = shifted - ROUNDING;                                                  \
    D r = LESS_LN2(size, n);                                                   \
    D odd = odd_part(r), even = even_part(r);                                  \
    D up = 0.5 * power_of_2(shifted);                                          \
    D down = 0.5 * AS(D, (1023l - AS(L, shifted)) << 52l);                     \
    D value = SUM;                                                             \
    L rare = !(size < 708.0);                                                  \
    if (RARELY(rare)) {                                                        \
      D power = 0.5 * (1.0 + (odd + even));                                    \
      value = rare ? beyond_normal(size, power, shifted, 0.0, 711.0) : value;  \
    }                                                                          \
    return TAIL;                                                               \
  }
HYPERBOLIC(sinh, (up - down) + (odd * (up + down) + even * (up - down)), copysign(value, x))
HYPERBOLIC(cosh, (up + down) + (even * (up + down) + odd * (up - down)), value)

// From 19.1 on it is 1.
D BUILTIN tanh(D x) {
  D size = fabs(x);
  D twice = 2.0 * (size > 20.0 ? (D)20.0 : size);
  D shifted = twice * LOG2_OF_E + ROUNDING;
  D n = shifted - ROUNDING;
  D r = LESS_LN2(twice, n);
  D less = r + r * r * beyond_linear(r);
  D scale = power_of_2(shifted);
  D power = scale * less + (scale - 1.0);
  return copysign(power / (power + 2.0), x);
}
