// The native_ functions (6.12.2) that differ from the full ones; a body for each_width.h. They
// are short and branch only for logarithms of arguments that are not positive. docs/accuracy.md
// lists their errors; denormal arguments and results may be flushed to 0.


#define ROUNDING 0x1.8p+23f

// The error of the series is 2^-18.1. Outside these bounds the result is 0 or infinite.
F BUILTIN native_exp2(F x) {
  x = x > 128.0f ? (F)128.0f : x;
  x = x < -127.0f ? (F)-127.0f : x;
  F shifted = x + ROUNDING;
  F r = x - (shifted - ROUNDING);
  F power = 1.0f + r * (0x1.62dfc2p-1f + r * (0x1.ebf1b8p-3f + r * (0x1.ca93aep-5f +
            r * 0x1.408e20p-7f)));
  F value = AS(F, AS(I, power) + (AS(I, shifted) << 23));
  return x != x ? x : value;
}
F BUILTIN native_exp(F x) { return native_exp2(x * 0x1.715476p+0f); }
F BUILTIN native_exp10(F x) { return native_exp2(x * 0x1.a934fp+1f); }

// x = 2^n (1 + f), 1 + f near 1; the error of the series is 2^-19.8.
F BUILTIN native_log2(F x) {
  I e = (AS(I, x) - 0x3f3504f3) >> 23;
  F f = AS(F, AS(I, x) - (e << 23)) - 1.0f;
  F value = TO(F, e) + f * (0x1.71548ep+0f + f * (-0x1.715692p-1f + f * (0x1.ec296ap-2f +
            f * (-0x1.6fff02p-2f + f * (0x1.2ecbfap-2f + f * (-0x1.13c996p-2f +
            f * 0x1.5f7d4cp-3f))))));
  I special = !((x >= (F)FLT_MIN) & (x < (F)INFINITY));
  if (RARELY(special)) {
    F limit = fabs(x) < (F)FLT_MIN ? (F)-INFINITY : (F)NAN;
    limit = x == (F)INFINITY ? x : limit;
    value = special ? limit : value;
  }
  return value;
}
F BUILTIN native_log(F x) { return native_log2(x) * 0x1.62e43p-1f; }
F BUILTIN native_log10(F x) { return native_log2(x) * 0x1.344136p-2f; }

F BUILTIN native_powr(F x, F y) { return native_exp2(y * native_log2(x)); }

// x = h pi + r as in sin; the error of the series is 2^-19.7.
STEP F native_sine_of_rest(F r, I parity) {
  F z = r * r;
  F sine = r + r * (z * (-0x1.5550fp-3f + z * (0x1.106df6p-7f + z * -0x1.84968ap-13f)));
  return AS(F, AS(I, sine) ^ (parity << 31));
}
F BUILTIN native_sin(F x) {
  F shifted = x * 0x1.45f306p-2f + ROUNDING;
  F h = shifted - ROUNDING;
  return native_sine_of_rest((x - h * 0x1.92p+1f) - h * 0x1.fb5444p-11f, AS(I, shifted));
}
F BUILTIN native_cos(F x) {
  F shifted = (x * 0x1.45f306p-2f - 0.5f) + ROUNDING;
  F h = (shifted - ROUNDING) + 0.5f;
  return native_sine_of_rest((x - h * 0x1.92p+1f) - h * 0x1.fb5444p-11f, ~AS(I, shifted));
}
F BUILTIN native_tan(F x) {
  F shifted = x * 0x1.45f306p-1f + ROUNDING;
  F h = shifted - ROUNDING;
  F r = (((x - h * 0x1.92p+0f) - h * 0x1.fb4p-12f) - h * 0x1.444p-24f) - h * 0x1.68c234p-39f;
  F z = r * r;
  F tangent = r + r * (z * (0x1.5525fap-2f + z * (0x1.16b3cp-3f + z * (0x1.5297f2p-5f +
              z * 0x1.6183a8p-5f))));
  return (AS(I, shifted) & 1) != 0 ? -1.0f / tangent : tangent;
}

// 1 / sqrt(x). The pragma permits the host's estimate, if it has one, with a step of Newton's
// method. Undefined for 0, denormals, infinity and negative numbers.
STEP F rsqrt_estimate(F x) {
#pragma clang fp reassociate(on) reciprocal(on)
  return 1.0f / sqrt(x);
}

F BUILTIN native_rsqrt(F x) {
  F y = rsqrt_estimate(x);
  y = x == (F)INFINITY ? (F)0.0f : y;
  return fabs(x) < (F)FLT_MIN ? copysign((F)INFINITY, x) : y;
}
F BUILTIN native_sqrt(F x) { return sqrt(x); }
F BUILTIN native_recip(F x) { return RECIPROCAL(x); }
F BUILTIN native_divide(F x, F y) { return x * RECIPROCAL(y); }
