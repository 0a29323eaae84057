// pow, pown, rootn, cbrt, rsqrt and hypot for float; a body for each_width.h.
//
// The first three are 2^(y log2(x)), computed in double: the product is up to 150, and its
// absolute error becomes the relative error of the result.

// x^y of a positive, finite x. The error of the logarithm is 2^-37.8, that of the power of 2
// is 2^-28.5.
STEP F positive_power(F x, D y) {
  I small = x < (F)FLT_MIN, n = 0;
  if (RARELY(small)) {
    x = small ? x * 0x1p+24f : x;
    n = small ? (I)-24 : (I)0;
  }
  // x = 2^n m, m between the square roots of 1/2 and 2; s = (m - 1) / (m + 1).
  I e = (AS(I, x) - 0x3f3504f3) >> 23;
  n += e;
  F m = AS(F, AS(I, x) - (e << 23));
  D sum = TO(D, m) + 1.0, inverse = TO(D, 1.0f / (m + 1.0f));
  inverse += inverse * (1.0 - sum * inverse);
  D s = (TO(D, m) - 1.0) * inverse, z = s * s;
  D logarithm = TO(D, n) + s * (0x1.71547652beefbp+1 + z * (0x1.ec709d11701c6p-1 +
                z * (0x1.2777810013e16p-1 + z * (0x1.a58cfe6b79293p-2 +
                z * 0x1.5cf2cfa95119bp-2))));
  D t = y * logarithm;
  t = t > 160.0 ? (D)160.0 : t;
  t = t < -160.0 ? (D)-160.0 : t;
  D shifted = t + 0x1.8p+52;
  D r = t - (shifted - 0x1.8p+52);
  D power = 1.0 + r * (0x1.62e4311acee1ep-1 + r * (0x1.ebfbe2cb76ea5p-3 +
            r * (0x1.c6ae6e864c295p-5 + r * (0x1.3b270947c48f4p-7 +
            r * (0x1.5f7470cc3ac83p-10 + r * 0x1.470d5baae0c4bp-13)))));
  return TO(F, AS(D, AS(L, power) + (AS(L, shifted) << 52l)));
}

F BUILTIN pow(F x, F y) {
  F size = fabs(x);
  F value = positive_power(size, TO(D, y));
  I special = !((x > 0.0f) & (x < (F)INFINITY) & (fabs(y) < (F)INFINITY));
  if (RARELY(special)) {
    I integral = rint(y) == y, odd = integral & (rint(y * 0.5f) != y * 0.5f);
    // If x is 0 or infinite, or y is infinite, the result is 0, 1 or infinite.
    F limit = (size > 1.0f) == (y > 0.0f) ? (F)INFINITY : (F)0.0f;
    limit = size == 1.0f ? (F)1.0f : limit;
    I limited = (size == 0.0f) | (size == (F)INFINITY) | (fabs(y) == (F)INFINITY);
    value = limited ? limit : value;
    value = ((x < 0.0f) & !integral & !limited) ? (F)NAN : value;
    value = odd ? copysign(value, x) : value;
    value = ((x != x) | (y != y)) ? x + y : value;
    value = ((x == 1.0f) | (y == 0.0f)) ? (F)1.0f : value;
  }
  return value;
}

// The same for an exponent of type double that is an integer or the reciprocal of one.
STEP F power_with_sign(F x, D y, I odd) {
  F size = fabs(x);
  F value = positive_power(size, y);
  I special = !((size > 0.0f) & (size < (F)INFINITY));
  if (RARELY(special)) {
    F limit = (size > 1.0f) == (TO(F, y) > 0.0f) ? (F)INFINITY : (F)0.0f;
    value = special ? limit : value;
    value = x != x ? x : value;
  }
  return odd ? copysign(value, x) : value;
}

F BUILTIN pown(F x, I n) {
  F value = power_with_sign(x, TO(D, n), (n & 1) != 0);
  return n == 0 ? (F)1.0f : value;
}

F BUILTIN rootn(F x, I n) {
  I odd = (n & 1) != 0;
  F value = power_with_sign(x, 1.0 / TO(D, n), odd);
  return ((n == 0) | ((x < 0.0f) & !odd)) ? (F)NAN : value;
}

// The representation divided by 3 gives a root with a relative error of at most 1/30. Then one
// step of Halley's method, and one of Newton's with the difference in double.
F BUILTIN cbrt(F x) {
  F size = fabs(x), more = 1.0f;
  I special = !((size >= (F)FLT_MIN) & (size < 0x1p+120f));
  if (RARELY(special)) {
    I small = size < 1.0f;
    size = special ? size * (small ? (F)0x1p+24f : (F)0x1p-24f) : size;
    more = special ? (small ? (F)0x1p-8f : (F)0x1p+8f) : more;
  }
  F y = AS(F, TO(I, TO(F, AS(I, size)) * (1.0f / 3)) + 0x2a5137a0);
  F cube = y * y * y;
  y = y * ((cube + 2.0f * size) / (2.0f * cube + size));
  D root = TO(D, y);
  F rest = TO(F, root * root * root - TO(D, size));
  F value = copysign((y - rest / (3.0f * y * y)) * more, x);
  I same = (x == 0.0f) | !(fabs(x) < (F)INFINITY);
  return same ? x : value;
}

// Computed in double, where neither the squares nor their sum overflow.
F BUILTIN hypot(F x, F y) {
  D a = TO(D, x), b = TO(D, y);
  F value = TO(F, sqrt(a * a + b * b));
  I infinite = (fabs(x) == (F)INFINITY) | (fabs(y) == (F)INFINITY);
  return infinite ? (F)INFINITY : value;
}

// Marked for `passes::reciprocal_square_root`.
F BUILTIN rsqrt(F x) {
#pragma clang fp reciprocal(on)
  return 1.0f / sqrt(x);
}
