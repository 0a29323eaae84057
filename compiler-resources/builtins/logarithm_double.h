// log, log2, log10, log1p, asinh, acosh and atanh for double. The method is that of
// logarithm_float.h, but log(1 + f) = 2 atanh(s) with s = f / (2 + f).

#undef ROOT_OF_HALF
#undef LN2_UPPER
#undef LN2_LOWER
#undef IS_SPECIAL
#undef LEAST_LARGE
#undef LN2
#define ROOT_OF_HALF 0x3fe6a09e667f3bcdl
#define LN2_UPPER 0x1.62e42fefa38p-1
#define LN2_LOWER 0x1.ef35793c7673p-45
#define IS_SPECIAL(X) ((AS(UL, X) - 0x10000000000000ul) >= 0x7fe0000000000000ul)

// log(1 + f) - f; with it the error of log(1 + f) is 2^-59.5.
STEP D beyond_linear(D f) {
  D s = f / (2.0 + f), z = s * s, half_square = 0.5 * f * f;
  D r = z * (0x1.5555555555592p-1 + z * (0x1.999999997ff37p-2 +
        z * (0x1.24924941df957p-2 + z * (0x1.c71c52156bb5ep-3 +
        z * (0x1.74663ccb43c03p-3 + z * (0x1.39a1e996c9ff3p-3 + z * 0x1.2f03cd274175bp-3))))));
  return s * (half_square + r) - half_square;
}

STEP L exponent(D x) { return (AS(L, x) - ROOT_OF_HALF) >> 52l; }

STEP D parts(D x, D *n) {
  L special = IS_SPECIAL(x), scaled = 0;
  D normal = x;
  if (RARELY(special)) {
    L small = x < DBL_MIN;
    normal = small ? x * 0x1p+60 : x;
    scaled = small ? (L)60 : (L)0;
  }
  L e = exponent(normal);
  *n = TO(D, TO(I, e - scaled));
  return AS(D, AS(L, normal) - (e << 52l)) - 1.0;
}

STEP D or_special(D x, D value) {
  L special = IS_SPECIAL(x);
  if (RARELY(special)) {
    value = x == (double)INFINITY ? x : value;
    value = x == 0.0 ? (D)(double)-INFINITY : value;
    value = ((x < 0.0) | (x != x)) ? (D)(double)NAN : value;
  }
  return value;
}

D BUILTIN log(D x) {
  D n, f = parts(x, &n);
  return or_special(x, n * LN2_UPPER + (f + (beyond_linear(f) + n * LN2_LOWER)));
}

D BUILTIN log2(D x) {
  D n, f = parts(x, &n);
  D low = f * 0x1.777d0ffda0d23p-56 + beyond_linear(f) * 0x1.71547652b82fep+0;
  return or_special(x, n + (f * 0x1.71547652b82fep+0 + low));
}

D BUILTIN log10(D x) {
  D n, f = parts(x, &n);
  D low = f * 0x1.95355baaafad3p-57 +
          (n * 0x1.fef311f12b358p-46 + beyond_linear(f) * 0x1.bcb7b1526e50ep-2);
  return or_special(x, n * 0x1.34413509f78p-2 + (f * 0x1.bcb7b1526e50ep-2 + low));
}

D BUILTIN log1p(D x) {
  L special = !((x > -1.0) & (x < 0x1p+900)), scaled = 0;
  D small = x;
  if (RARELY(special)) {
    small = special ? x * 0x1p-512 : x;
    scaled = special ? (L)512 : (L)0;
  }
  L e = exponent(1.0 + small);
  D scale = AS(D, (1023l - e) << 52l);
  D f = small * scale - (1.0 - scale);
  D n = TO(D, TO(I, 0l - e - scaled));
  D value = (f - n * LN2_UPPER) + (beyond_linear(f) - n * LN2_LOWER);
  if (RARELY(special)) {
    value = x == (double)INFINITY ? x : value;
    value = x == -1.0 ? (D)(double)-INFINITY : value;
    value = ((x < -1.0) | (x != x)) ? (D)(double)NAN : value;
  }
  return value;
}

#define LEAST_LARGE 0x1p+100
#define LN2 0x1.62e42fefa39efp-1

D BUILTIN asinh(D x) {
  D size = fabs(x), square = size * size;
  L large = size >= LEAST_LARGE;
  D more = large ? size : size + square / (1.0 + sqrt(square + 1.0));
  return copysign(log1p(more) + (large ? (D)LN2 : (D)0.0), x);
}

D BUILTIN acosh(D x) {
  D above = x - 1.0;
  L large = x >= LEAST_LARGE;
  D more = large ? x : above + sqrt(above * (above + 2.0));
  D value = log1p(more) + (large ? (D)LN2 : (D)0.0);
  return x < 1.0 ? (D)(double)NAN : value;
}

D BUILTIN atanh(D x) {
  D size = fabs(x);
  return copysign(0.5 * log1p((size + size) / (1.0 - size)), x);
}
