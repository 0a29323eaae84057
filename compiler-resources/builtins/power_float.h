// pow, powr, pown, rootn, cbrt, rsqrt and hypot for float; a body for each_width.h.
//
// The first four are 2^(y log2(x)). The absolute error of the product, which is up to 150, becomes
// the relative error of the result: it and the logarithm are sums of two floats.

#include "power_of_2.h"

// log2(x) of a positive, finite x, as a sum with *rest.
STEP F logarithm(F x, F *rest) {
  I small = x < (F)FLT_MIN, n = 0;
  if (RARELY(small)) {
    x = small ? x * 0x1p+24f : x;
    n = small ? (I)-24 : (I)0;
  }
  // x = 2^n m, m between the square roots of 1/2 and 2; s = (m - 1) / (m + 1).
  I e = (AS(I, x) - 0x3f3504f3) >> 23;
  n += e;
  F m = AS(F, AS(I, x) - (e << 23));
  F sum = m + 1.0f, sum_lower = m - (sum - 1.0f), inverse = 1.0f / sum;
  F s = (m - 1.0f) * inverse;
  F s_lower = (fma(-s, sum, m - 1.0f) - s * sum_lower) * inverse;
  F z = s * s, z_lower = fma(s, s, -z) + 2.0f * s * s_lower;
  F a = s * z, a_lower = fma(s, z, -a) + s * z_lower + s_lower * z;
  // The first two terms of the logarithm, and what they lack of all terms.
  F first = s * 0x1.715476p+1f;
  F second = a * 0x1.ec709ep-1f;
  F lower = fma(s, (F)0x1.715476p+1f, -first) + s_lower * 0x1.715476p+1f + s * 0x1.4afbbep-25f;
  lower += fma(a, (F)0x1.ec709ep-1f, -second) + a_lower * 0x1.ec709ep-1f +
           a * (-0x1.dd1fc8p-26f + z * (0x1.277782p-1f + z * (0x1.a58cfep-2f +
           z * 0x1.5cf2dp-2f)));
  F whole = TO(F, n), upper = whole + first, both = upper + second;
  *rest = lower + ((first - (upper - whole)) + (second - (both - upper)));
  return both;
}

// 2^(t + t_lower).
STEP F power_of_sum(F t, F t_lower) {
  F shifted = t + ROUNDING;
  F r = (t - (shifted - ROUNDING)) + t_lower;
  F power = 1.0f + r * (0x1.62e432p-1f + r * (0x1.ebfbe2p-3f + r * (0x1.c6ae6ep-5f +
            r * (0x1.3b270ap-7f + r * (0x1.5f747p-10f + r * 0x1.470d5cp-13f)))));
  F value = AS(F, AS(I, power) + (AS(I, shifted) << 23));
  I rare = !(fabs(t) < 125.0f);
  if (RARELY(rare))
    value = rare ? beyond_normal(t, power, shifted, -151.0f, 129.0f) : value;
  return value;
}

#include "powers.h"

// r approximates x^(-1/3): from the representation divided by 3 with a relative error of at most
// 1/29, then with three terms of the series of (1 - e)^(-1/3), e = 1 - x r^3. Last a step of
// Newton's method for x r^2.
F BUILTIN cbrt(F x) {
  F size = fabs(x), more = 1.0f;
  I special = !((size >= (F)FLT_MIN) & (size < 0x1p+120f));
  if (RARELY(special)) {
    I small = size < 1.0f;
    size = special ? size * (small ? (F)0x1p+24f : (F)0x1p-24f) : size;
    more = special ? (small ? (F)0x1p-8f : (F)0x1p+8f) : more;
  }
  F r = AS(F, 0x54a23000 - TO(I, TO(F, AS(I, size)) * (1.0f / 3)));
  F e = 1.0f - size * (r * r * r);
  r += r * (e * (1.0f / 3 + e * (2.0f / 9 + e * (14.0f / 81))));
  F square = r * r, y = size * square, y2 = y * y;
  F rest = fma(-y2, y, size) - fma(y, y, -y2) * y;
  F value = copysign((y + rest * (square * (1.0f / 3))) * more, x);
  I same = (x == 0.0f) | !(fabs(x) < (F)INFINITY);
  return same ? x : value;
}

F BUILTIN hypot(F x, F y) {
  F a = fabs(x), b = fabs(y), more = 1.0f;
  F longer = a > b ? a : b;
  I special = !((longer > 0x1p-50f) & (longer < 0x1p+60f));
  if (RARELY(special)) {
    F factor = longer < 1.0f ? (F)0x1p+100f : (F)0x1p-70f;
    a = special ? a * factor : a;
    b = special ? b * factor : b;
    more = special ? (longer < 1.0f ? (F)0x1p-100f : (F)0x1p+70f) : more;
  }
  F value = sqrt(a * a + b * b) * more;
  I infinite = (fabs(x) == (F)INFINITY) | (fabs(y) == (F)INFINITY);
  return infinite ? (F)INFINITY : value;
}

F BUILTIN rsqrt(F x) { return RECIPROCAL(sqrt(x)); }
