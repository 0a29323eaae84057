// log, log2, log10, log1p, asinh, acosh and atanh for float; a body for each_width.h.
//
// x = 2^n (1 + f), where 1 + f lies between the square roots of 1/2 and 2;
// log(1 + f) = f + f^2 (f P(f) - 1/2).

#define ROOT_OF_HALF 0x3f3504f3
// The bits of ln 2 are split so that n times the upper part is exact.
#define LN2_UPPER 0x1.62e4p-1f
#define LN2_LOWER 0x1.7f7d1cp-20f

// log(1 + f) - f; with it the error of log(1 + f) is 2^-27.0.
STEP F beyond_linear(F f) {
  F z = f * f;
  return z * (f * (0x1.555554p-2f + f * (-0x1.000228p-2f + f * (0x1.99a00ap-3f +
         f * (-0x1.547238p-3f + f * (0x1.22d9eep-3f + f * (-0x1.0d8584p-3f +
         f * (0x1.055cdap-3f + f * -0x1.38b7b4p-4f))))))) - 0.5f);
}

// n of a positive, normal x.
STEP I exponent(F x) { return (AS(I, x) - ROOT_OF_HALF) >> 23; }

#define IS_SPECIAL(X) ((AS(U, X) - 0x800000u) >= 0x7f000000u)

// f and n of x. Denormals are scaled first.
STEP F parts(F x, F *n) {
  I special = IS_SPECIAL(x), scaled = 0;
  F normal = x;
  if (RARELY(special)) {
    I small = x < (F)FLT_MIN;
    normal = small ? x * 0x1p+24f : x;
    scaled = small ? (I)24 : (I)0;
  }
  I e = exponent(normal);
  *n = TO(F, e - scaled);
  return AS(F, AS(I, normal) - (e << 23)) - 1.0f;
}

// The logarithm of x if x is not positive and finite.
STEP F or_special(F x, F value) {
  I special = IS_SPECIAL(x);
  if (RARELY(special)) {
    value = x == (F)INFINITY ? x : value;
    value = x == 0.0f ? (F)-INFINITY : value;
    value = ((x < 0.0f) | (x != x)) ? (F)NAN : value;
  }
  return value;
}

F BUILTIN log(F x) {
  F n, f = parts(x, &n);
  return or_special(x, n * LN2_UPPER + (f + (beyond_linear(f) + n * LN2_LOWER)));
}

// 1 / ln 2 and 1 / ln 10 as sums of two floats.
F BUILTIN log2(F x) {
  F n, f = parts(x, &n);
  F low = f * 0x1.4ae0cp-26f + beyond_linear(f) * 0x1.715476p+0f;
  return or_special(x, n + (f * 0x1.715476p+0f + low));
}

F BUILTIN log10(F x) {
  F n, f = parts(x, &n);
  F low = f * -0x1.5b235ep-27f + (n * 0x1.3509f8p-18f + beyond_linear(f) * 0x1.bcb7b2p-2f);
  return or_special(x, n * 0x1.344p-2f + (f * 0x1.bcb7b2p-2f + low));
}

// With 1 + x = 2^n (1 + f), f = 2^-n x - (1 - 2^-n) does not round x away. The differences keep
// the sign of zero.
F BUILTIN log1p(F x) {
  I special = !((x > -1.0f) & (x < 0x1p+100f)), scaled = 0;
  F small = x;
  if (RARELY(special)) {
    small = special ? x * 0x1p-64f : x;
    scaled = special ? (I)64 : (I)0;
  }
  I e = exponent(1.0f + small);
  F scale = AS(F, (127 - e) << 23);
  F f = small * scale - (1.0f - scale);
  F n = TO(F, 0 - e - scaled);
  F value = (f - n * LN2_UPPER) + (beyond_linear(f) - n * LN2_LOWER);
  if (RARELY(special)) {
    value = x == (F)INFINITY ? x : value;
    value = x == -1.0f ? (F)-INFINITY : value;
    value = ((x < -1.0f) | (x != x)) ? (F)NAN : value;
  }
  return value;
}

// Above 2^40, x + sqrt(x^2 +- 1) is rounded to 2 x.
#define LEAST_LARGE 0x1p+40f
#define LN2 0x1.62e43p-1f

F BUILTIN asinh(F x) {
  F size = fabs(x), square = size * size;
  I large = size >= LEAST_LARGE;
  F more = large ? size : size + square / (1.0f + sqrt(square + 1.0f));
  return copysign(log1p(more) + (large ? (F)LN2 : (F)0.0f), x);
}

F BUILTIN acosh(F x) {
  F above = x - 1.0f;
  I large = x >= LEAST_LARGE;
  F more = large ? x : above + sqrt(above * (above + 2.0f));
  F value = log1p(more) + (large ? (F)LN2 : (F)0.0f);
  return x < 1.0f ? (F)NAN : value;
}

F BUILTIN atanh(F x) {
  F size = fabs(x);
  return copysign(0.5f * log1p((size + size) / (1.0f - size)), x);
}
