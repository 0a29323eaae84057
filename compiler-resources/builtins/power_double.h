// pow, pown, rootn, cbrt and hypot for double. The method is that of power_float.h, but in the
// first three the logarithm and its product with the exponent are sums of two doubles.

// x^(y + y_lower) of a positive, finite x. The error of the logarithm is about 2^-64, that
// of the power of 2 is 2^-54.4.
STEP D positive_power(D x, D y, D y_lower) {
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
  D logarithm = both + lower;
  lower -= logarithm - both;
  // Beyond these bounds of y the result is 0, 1 or infinite.
  y = y > 0x1p+70 ? (D)0x1p+70 : y;
  y = y < -0x1p+70 ? (D)-0x1p+70 : y;
  D t = y * logarithm, t_lower = fma(y, logarithm, -t) + (y * lower + y_lower * logarithm);
  L far = fabs(t) > 1100.0;
  t = far ? copysign(1100.0, t) : t;
  t_lower = far ? (D)0.0 : t_lower;
  D shifted = t + 0x1.8p+52;
  D r = (t - (shifted - 0x1.8p+52)) + t_lower;
  D power = 1.0 + r * (0x1.62e42fefa39f3p-1 + r * (0x1.ebfbdff82c598p-3 +
            r * (0x1.c6b08d7048f29p-5 + r * (0x1.3b2ab6fba1e08p-7 +
            r * (0x1.5d87fe7bbcfb2p-10 + r * (0x1.4309130966566p-13 +
            r * (0x1.ffcbee3765111p-17 + r * (0x1.62bfd48ed2c48p-20 +
            r * (0x1.b5416c0ae0ef6p-24 + r * (0x1.e6061972384f3p-28 +
            r * 0x1.c0615aff5dd73p-32))))))))));
  L exponent = AS(L, shifted) - AS(L, (D)0x1.8p+52), half_exponent = exponent >> 1l;
  return power * AS(D, (half_exponent + 1023l) << 52l) *
         AS(D, (exponent - half_exponent + 1023l) << 52l);
}

D BUILTIN pow(D x, D y) {
  D size = fabs(x), infinity = (D)(double)INFINITY;
  D value = positive_power(size, y, (D)0.0);
  L special = !((x > 0.0) & (x < infinity) & (fabs(y) < infinity));
  if (RARELY(special)) {
    L integral = rint(y) == y, odd = integral & (rint(y * 0.5) != y * 0.5);
    D limit = (size > 1.0) == (y > 0.0) ? infinity : (D)0.0;
    limit = size == 1.0 ? (D)1.0 : limit;
    L limited = (size == 0.0) | (size == infinity) | (fabs(y) == infinity);
    value = limited ? limit : value;
    value = ((x < 0.0) & !integral & !limited) ? (D)(double)NAN : value;
    value = odd ? copysign(value, x) : value;
    value = ((x != x) | (y != y)) ? x + y : value;
    value = ((x == 1.0) | (y == 0.0)) ? (D)1.0 : value;
  }
  return value;
}

STEP D power_with_sign(D x, D y, D y_lower, L odd) {
  D size = fabs(x);
  D value = positive_power(size, y, y_lower);
  L special = !((size > 0.0) & (size < (double)INFINITY));
  if (RARELY(special)) {
    D limit = (size > 1.0) == (y > 0.0) ? (D)(double)INFINITY : (D)0.0;
    value = special ? limit : value;
    value = x != x ? x : value;
  }
  return odd ? copysign(value, x) : value;
}

D BUILTIN pown(D x, I n) {
  L integer = TO(L, n);
  D value = power_with_sign(x, TO(D, n), (D)0.0, (integer & 1l) != 0l);
  return integer == 0l ? (D)1.0 : value;
}

D BUILTIN rootn(D x, I n) {
  L integer = TO(L, n), odd = (integer & 1l) != 0l;
  D divisor = TO(D, n), y = 1.0 / divisor;
  D value = power_with_sign(x, y, fma(-y, divisor, (D)1.0) / divisor, odd);
  return ((integer == 0l) | ((x < 0.0) & !odd)) ? (D)(double)NAN : value;
}

// As for float, with two steps of Halley's method.
D BUILTIN cbrt(D x) {
  D size = fabs(x), more = 1.0;
  L special = !((size >= DBL_MIN) & (size < 0x1p+1000));
  if (RARELY(special)) {
    L small = size < 1.0;
    size = special ? size * (small ? (D)0x1p+60 : (D)0x1p-60) : size;
    more = special ? (small ? (D)0x1p-20 : (D)0x1p+20) : more;
  }
  I upper = TO(I, AS(L, size) >> 32l);
  upper = TO(I, TO(F, upper) * (1.0f / 3)) + 0x2a9f7893;
  D y = AS(D, TO(L, upper) << 32l), cube = y * y * y;
  y = y * ((cube + 2.0 * size) / (2.0 * cube + size));
  cube = y * y * y;
  y = y * ((cube + 2.0 * size) / (2.0 * cube + size));
  D square = y * y;
  D rest = fma(square, y, -size) + fma(y, y, -square) * y;
  D value = copysign((y - rest / (3.0 * square)) * more, x);
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
  }
  D value = sqrt(a * a + b * b) * more;
  L infinite = (fabs(x) == (double)INFINITY) | (fabs(y) == (double)INFINITY);
  return infinite ? (D)(double)INFINITY : value;
}
