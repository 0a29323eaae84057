// sin, cos, tan, sincos, sinpi, cospi and tanpi for float; a body for each_width.h.
//
// x = h pi + r, where |r| <= pi/2 and h is integral (for cos, an odd multiple of 1/2); then
// sin(x) = (-1)^h sin(r). Below 2^13, adding a constant leaves h in the lowest bits, and h pi is
// subtracted in parts. All but the last part have exact products with h, so that contraction to
// fused operations does not change the result.

#define PI 3.14159265358979323846264338327950288
#define LEAST_LARGE 0x1p+13f
#define ROUNDING 0x1.8p+23f
#define WITHOUT_PI(X, H, UNIT)                                                 \
  ((((X - H * (UNIT * 0x1.92p+1f)) - H * (UNIT * 0x1.fb4p-11f)) -             \
    H * (UNIT * 0x1.444p-23f)) - H * (UNIT * 0x1.68c234p-38f))

// x / pi modulo 2 for a large, positive x, in units of 2^-63 (Payne and Hanek's reduction). Only
// those bits of 1 / pi matter that x's exponent moves near the binary point.
STEP UL half_turns(F x) {
  U bits = AS(U, x);
  UL mantissa = TO(UL, (bits & 0x7fffffu) | 0x800000u);
  // The index of the first of these bits in a string that begins with 64 zeros.
  UL from = TO(UL, (bits >> 23) - 150u + 63u);
  UL a = 0x517cc1b727220a94ul, b = 0xfe13abe8fa9a6ee0ul, c = 0x6db14acc9e21c820ul;
  UL first = from < 64ul ? (UL)0 : from < 128ul ? a : b;
  UL second = from < 64ul ? a : from < 128ul ? b : c;
  UL third = from < 64ul ? b : from < 128ul ? c : (UL)0xff28b1d5ef5de2b0ul;
  UL left = from & 63ul, right = 63ul - left;
  first = (first << left) | (second >> 1ul >> right);
  second = (second << left) | (third >> 1ul >> right);
  return mantissa * first + ((mantissa * (second >> 32ul)) >> 32ul);
}

// r of a large x from the fraction of x / UNIT; NaN if x is infinite.
#define LARGE_REST(X, TURNS, UNIT)                                             \
  (TO(F, TO(D, AS(L, (TURNS) << 1ul)) * (UNIT * 0x1p-64)) + (X - X))
// The lowest bit of h.
#define LARGE_PARITY(TURNS) TO(I, ((TURNS) + (1ul << 62ul)) >> 63ul)

// (-1)^parity sin(r); the error of the series is 2^-26.
STEP F sine_of_rest(F r, I parity) {
  F z = r * r;
  F sine = r + r * (z * (-0x1.55554cp-3f + z * (0x1.110edap-7f +
           z * (-0x1.9f711ep-13f + z * 0x1.5dbba6p-19f))));
  return AS(F, AS(I, sine) ^ (parity << 31));
}

F BUILTIN sin(F x) {
  // |r|, so that the sum of the series is no zero of the wrong sign.
  F size = fabs(x);
  F shifted = size * (float)(1 / PI) + ROUNDING;
  F h = shifted - ROUNDING;
  I parity = AS(I, shifted);
  F r = WITHOUT_PI(size, h, 1);
  I large = size >= LEAST_LARGE;
  if (RARELY(large)) {
    UL turns = half_turns(size);
    r = large ? LARGE_REST(size, turns, PI) : r;
    parity = large ? LARGE_PARITY(turns) : parity;
  }
  return AS(F, AS(I, sine_of_rest(r, parity)) ^ AS(I, x) ^ AS(I, size));
}

F BUILTIN cos(F x) {
  F size = fabs(x);
  F shifted = (size * (float)(1 / PI) - 0.5f) + ROUNDING;
  F h = (shifted - ROUNDING) + 0.5f;
  I parity = AS(I, shifted);
  F r = WITHOUT_PI(size, h, 1);
  I large = size >= LEAST_LARGE;
  if (RARELY(large)) {
    UL turns = half_turns(size) - (1ul << 62ul);
    r = large ? LARGE_REST(size, turns, PI) : r;
    parity = large ? LARGE_PARITY(turns) : parity;
  }
  return sine_of_rest(r, ~parity);
}

// sin(r) and cos(r) for |r| of at most pi/4; the errors are 2^-27.9 and 2^-32.3.
STEP F sine_of_quarter(F r) {
  F z = r * r;
  return r + r * (z * (-0x1.555546p-3f + z * (0x1.110774p-7f + z * -0x1.9951f0p-13f)));
}
STEP F cosine_of_quarter(F r) {
  F z = r * r;
  return 1.0f + z * (-0.5f + z * (0x1.55554ep-5f + z * (-0x1.6c0e2cp-10f +
         z * 0x1.9a6664p-16f)));
}

// Reduced by multiples of pi/2, of which there are h.
STEP F sine_and_cosine(F x, F *cosine) {
  F size = fabs(x);
  F shifted = size * (float)(2 / PI) + ROUNDING;
  F h = shifted - ROUNDING;
  I quarter = AS(I, shifted);
  F r = WITHOUT_PI(size, h, 0.5f);
  I large = size >= LEAST_LARGE;
  if (RARELY(large)) {
    UL turns = half_turns(size);
    r = large ? LARGE_REST(size, turns << 1ul, PI / 2) : r;
    quarter = large ? TO(I, (turns + (1ul << 61ul)) >> 62ul) : quarter;
  }
  F s = sine_of_quarter(r), c = cosine_of_quarter(r);
  // The lowest bit as a sign, which vectors are blended by.
  I odd = (quarter << 31) < 0;
  I turned = quarter << 30;
  *cosine = AS(F, AS(I, odd ? s : c) ^ ((turned + (1 << 30)) & (1 << 31)));
  return AS(F, AS(I, odd ? c : s) ^ ((turned ^ AS(I, x)) & (1 << 31)));
}
#define SINCOS_IN(SPACE)                       \
  F BUILTIN sincos(F x, SPACE F *cosine) {     \
    F c;                                       \
    F s = sine_and_cosine(x, &c);              \
    *cosine = c;                               \
    return s;                                  \
  }
SINCOS_IN(__private)
SINCOS_IN(__global)
SINCOS_IN(__local)

// tan(r); the error of the series is 2^-25.7.
STEP F tangent_of_rest(F r) {
  F z = r * r;
  return r + r * (z * (0x1.5554dep-2f + z * (0x1.112df6p-3f + z * (0x1.b582acp-5f +
         z * (0x1.908878p-6f + z * (0x1.9540f8p-9f + z * 0x1.341cdcp-7f))))));
}

// -1 / tan(r) for an odd number of quarters.
F BUILTIN tan(F x) {
  F size = fabs(x);
  F shifted = size * (float)(2 / PI) + ROUNDING;
  F h = shifted - ROUNDING;
  I parity = AS(I, shifted);
  F r = WITHOUT_PI(size, h, 0.5f);
  I large = size >= LEAST_LARGE;
  if (RARELY(large)) {
    UL turns = half_turns(size) << 1ul;
    r = large ? LARGE_REST(size, turns, PI / 2) : r;
    parity = large ? LARGE_PARITY(turns) : parity;
  }
  F tangent = tangent_of_rest(r);
  I odd = (parity & 1) != 0;
  tangent = odd ? -1.0f / tangent : tangent;
  return AS(F, AS(I, tangent) ^ AS(I, x) ^ AS(I, size));
}

// |x| of half turns, or no turns for an even number that has no fraction anyway; NaN of an
// infinite one.
STEP F few_turns(F x) {
  F size = fabs(x);
  return size < 0x1p+24f ? size : size * 0.0f;
}

F BUILTIN sinpi(F x) {
  F size = few_turns(x);
  F quarters = rint(size * 2.0f);
  I quarter = TO(I, quarters);
  F r = (size - quarters * 0.5f) * (float)PI;
  F sine = (quarter & 1) != 0 ? cosine_of_quarter(r) : sine_of_quarter(r);
  // Zeros have the sign of x.
  I sign = sine == 0.0f ? (I)0 : (quarter & 2) << 30;
  return AS(F, AS(I, sine) ^ sign ^ (AS(I, x) & (1 << 31)));
}

F BUILTIN cospi(F x) {
  F size = few_turns(x);
  F quarters = rint(size * 2.0f);
  I quarter = TO(I, quarters);
  F r = (size - quarters * 0.5f) * (float)PI;
  F cosine = (quarter & 1) != 0 ? sine_of_quarter(r) : cosine_of_quarter(r);
  // Zeros are positive.
  I sign = cosine == 0.0f ? (I)0 : ((quarter + 1) & 2) << 30;
  return AS(F, AS(I, cosine) ^ sign);
}

F BUILTIN tanpi(F x) {
  F size = few_turns(x);
  F quarters = rint(size * 2.0f);
  I quarter = TO(I, quarters);
  F r = size - quarters * 0.5f;
  I whole = r == 0.0f, odd = (quarter & 1) != 0;
  F tangent = tangent_of_rest(r * (float)PI);
  tangent = odd ? (whole ? (F)INFINITY : -1.0f / tangent) : tangent;
  // Zeros and poles have the signs that section 7.5.1 gives them.
  I sign = whole ? (quarter & 2) << 30 : (I)0;
  return AS(F, AS(I, tangent) ^ sign ^ (AS(I, x) & (1 << 31)));
}
