// pow, powr, pown and rootn from `logarithm` and `power_of_sum`; a part of bodies for each_width.h,
// of the type that float_type.h or double_type.h sets.

STEP R positive_power(R x, R y) {
  R rest, upper = logarithm(x, &rest), t = y * upper;
  return power_of_sum(t, fma(y, upper, -t) + y * rest);
}

// x^y where x is 0 or infinite, or y is infinite and x is not 1.
STEP R limit_of_power(R x, R y) { return (x > 1) == (y > 0) ? INFINITE : (R)0; }

R BUILTIN pow(R x, R y) {
  R size = fabs(x), value = positive_power(size, y);
  N special = !((x > 0) & (x < INFINITE) & (fabs(y) < INFINITE));
  if (RARELY(special)) {
    N integral = rint(y) == y, odd = integral & (rint(y * (C)0.5) != y * (C)0.5);
    R limit = size == 1 ? (R)1 : limit_of_power(size, y);
    N limited = (size == 0) | (size == INFINITE) | (fabs(y) == INFINITE);
    value = limited ? limit : value;
    value = ((x < 0) & !integral & !limited) ? UNDEFINED : value;
    value = odd ? copysign(value, x) : value;
    value = ((x != x) | (y != y)) ? x + y : value;
    value = ((x == 1) | (y == 0)) ? (R)1 : value;
  }
  return value;
}

R BUILTIN powr(R x, R y) {
  R value = positive_power(x, y);
  N special = !((x > 0) & (x < INFINITE) & (fabs(y) < INFINITE));
  if (RARELY(special)) {
    N at_end = (x == 0) | (x == INFINITE);
    N undefined = (x < 0) | (x == 1) | (at_end & (y == 0));
    R limit = undefined ? UNDEFINED : limit_of_power(x, y);
    limit = ((x != x) | (y != y)) ? x + y : limit;
    value = special ? limit : value;
  }
  return value;
}

// x^(y + y_lower), negative for odd exponents of a negative x.
STEP R power_with_sign(R x, R y, R y_lower, N odd) {
  R size = fabs(x);
  R rest, upper = logarithm(size, &rest), t = y * upper;
  R value = power_of_sum(t, fma(y, upper, -t) + (y * rest + y_lower * upper));
  N special = !((size > 0) & (size < INFINITE));
  if (RARELY(special)) {
    value = special ? limit_of_power(size, y) : value;
    value = x != x ? x : value;
  }
  return odd ? copysign(value, x) : value;
}

R BUILTIN pown(R x, I n) {
  N integer = TO(N, n), odd = (integer & 1) != 0;
  R y = TO(R, n);
  R value = power_with_sign(x, y, TO(R, TO(D, n) - TO(D, y)), odd);
  return integer == 0 ? (R)1 : value;
}

R BUILTIN rootn(R x, I n) {
  N integer = TO(N, n), odd = (integer & 1) != 0;
  R divisor = TO(R, n), y = 1 / divisor;
  R value = power_with_sign(x, y, fma(-y, divisor, (R)1) / divisor, odd);
  return ((integer == 0) | ((x < 0) & !odd)) ? UNDEFINED : value;
}
