// pow, powr, pown, rootn, cbrt and hypot for double; the method is that of power_float.h.

#include "power_of_2.h"

// log2(x) of a positive, finite x, as a sum with *rest; the error is about 2^-64.
STEP D logarithm(D x, D *rest) {
  L small = x < DBL_MIN, n = 0;
  if (RARELY(small)) {
    x = small ? x * 0x1p+60 : x;
    n = small ? (L)-60 : (L)0;
  }
  L e = (AS(L, x) - 0x3fe6a09e667f3bcdl) >> 52l;
  n += e;
  D m = AS(D, AS(L, x) - (e << 52l));
  // s = f / (2 + f), z = s^2 and a = s^3, each with its rounding error.
  D f = m - 1.0, sum = 2.0 + f, sum_lower = f - (sum - 2.0);
  D inverse = 1.0 / sum, s = f * inverse;
  D s_lower = (fma(-s, sum, f) - s * sum_lower) * inverse;
  D z = s * s, z_lower = fma(s, s, -z) + 2.0 * s * s_lower;
  D a = s * z, a_lower = fma(s, z, -a) + s * z_lower + s_lower * z;
  // The logarithm's first two terms, the sum of all terms, and its rounding error.
  D first = s * 0x1.71547652b82fep+1, second = a * 0x1.ec709dc3a03fdp-1;
  D lower = fma(s, (D)0x1.71547652b82fep+1, -first) + s * 0x1.777d0ffda0d24p-55 +
            s_lower * 0x1.71547652b82fep+1;
  lower += fma(a, (D)0x1.ec709dc3a03fdp-1, -second) + a * 0x1.d27f05548af0cp-55 +
           a_lower * 0x1.ec709dc3a03fdp-1;
  lower += a * z * (0x1.2776c50ef9d23p-1 + z * (0x1.a61762a759bdbp-2 +
           z * (0x1.484b1421721a8p-2 + z * (0x1.0c9a63e39bcabp-2 +
           z * (0x1.c69f87a1cebf9p-3 + z * (0x1.87b125a9e918bp-3 +
           z * 0x1.85e5a0243a4abp-3))))));
  D whole = TO(D, TO(I, n));
  D upper = whole + first;
  lower += first - (upper - whole);
  D both = upper + second;
  lower += second - (both - upper);
  D sum_of_all = both + lower;
  *rest = lower - (sum_of_all - both);
  return sum_of_all;
}

// 2^(t + t_lower); the error is 2^-54.4.
STEP D power_of_sum(D t, D t_lower) {
  D shifted = t + ROUNDING;
  D r = (t - (shifted - ROUNDING)) + t_lower;
  D power = 1.0 + r * (0x1.62e42fefa39f3p-1 + r * (0x1.ebfbdff82c598p-3 +
            r * (0x1.c6b08d7048f29p-5 + r * (0x1.3b2ab6fba1e08p-7 +
            r * (0x1.5d87fe7bbcfb2p-10 + r * (0x1.4309130966566p-13 +
            r * (0x1.ffcbee3765111p-17 + r * (0x1.62bfd48ed2c48p-20 +
            r * (0x1.b5416c0ae0ef6p-24 + r * (0x1.e6061972384f3p-28 +
            r * 0x1.c0615aff5dd73p-32))))))))));
  D value = AS(D, AS(L, power) + (AS(L, shifted) << 52l));
  L rare = !(fabs(t) < 1021.0);
  if (RARELY(rare))
    value = rare ? beyond_normal(t, power, shifted, -1077.0, 1025.0) : value;
  return value;
}

#include "powers.h"

// As for float, with two steps of the series.
D BUILTIN cbrt(D x) {
  D size = fabs(x), more = 1.0;
  L special = !((size >= DBL_MIN) & (size < 0x1p+1000));
  if (RARELY(special)) {
    L small = size < 1.0;
    size = special ? size * (small ? (D)0x1p+60 : (D)0x1p-60) : size;
    more = special ? (small ? (D)0x1p-20 : (D)0x1p+20) : more;
  }
  I upper = TO(I, AS(L, size) >> 32l);
  upper = 0x553ef100 - TO(I, TO(F, upper) * (1.0f / 3));
  D r = AS(D, TO(L, upper) << 32l), e = 1.0 - size * (r * r * r);
  r += r * (e * (1.0 / 3 + e * (2.0 / 9 + e * (14.0 / 81))));
  e = 1.0 - size * (r * r * r);
  r += r * (e * (1.0 / 3 + e * (2.0 / 9)));
  D square = r * r, y = size * square, y2 = y * y;
  D rest = fma(-y2, y, size) - fma(y, y, -y2) * y;
  D value = copysign((y + rest * (square * (1.0 / 3))) * more, x);
  L same = (x == 0.0) | !(fabs(x) < (double)INFINITY);
  return same ? x : value;
}

D BUILTIN hypot(D x, D y) {
  D a = fabs(x), b = fabs(y), more = 1.0;
  D longer = a > b ? a : b;
  L special = !((longer > 0x1p-450) & (longer < 0x1p+500));
  if (RARELY(special)) {
    D factor = longer < 1.0 ? (D)0x1p+600 : (D)0x1p-600;
    a = special ? a * factor : a;
    b = special ? b * factor : b;
    more = special ? (longer < 1.0 ? (D)0x1p-600 : (D)0x1p+600) : more;
    // The square root of 0 has no reciprocal.
    L zero = (a == 0.0) & (b == 0.0);
    a = zero ? (D)1.0 : a;
    more = zero ? (D)0.0 : more;
  }
  D square = a * a + b * b;
  D value = square * rsqrt(square) * more;
  L infinite = (fabs(x) == (double)INFINITY) | (fabs(y) == (double)INFINITY);
  return infinite ? (D)(double)INFINITY : value;
}
