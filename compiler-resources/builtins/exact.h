// Functions with exact results: exponents, adjacent values and remainders. A body for
// each_width.h, of the type that float_type.h or double_type.h sets.

// The exponent of a positive, finite number.
STEP N exponent_of(R x) {
  N small = x < LEAST_NORMAL, less = 0;
  if (RARELY(small)) {
    x = small ? x * (C)0x1p+60 : x;
    less = small ? (N)60 : (N)0;
  }
  return (AS(N, x) >> MANTISSA) - BIAS - less;
}

R BUILTIN logb(R x) {
  R size = fabs(x);
  R value = TO(R, exponent_of(size));
  value = size == 0 ? -INFINITE : value;
  return size < INFINITE ? value : size;
}

I BUILTIN ilogb(R x) {
  R size = fabs(x);
  N value = exponent_of(size);
  value = size == 0 ? (N)FP_ILOGB0 : value;
  return TO(I, size < INFINITE ? value : (N)FP_ILOGBNAN);
}

// A fraction from 1/2 to 1, and its exponent.
STEP R fraction_of(R x, I *exponent) {
  R size = fabs(x);
  N same = (size == 0) | !(size < INFINITE);
  N e = exponent_of(size) + 1;
  // By two factors: 2^-e overflows if x is denormal.
  N half_e = e >> 1;
  R fraction = x * POWER_OF_2(-half_e) * POWER_OF_2(half_e - e);
  *exponent = TO(I, same ? (N)0 : e);
  return same ? x : fraction;
}

// x * 2^n, rounded once. If 2^n is not normal, it is applied as several factors. Before the last
// one the product is normal, or so small that the result is 0, so that only the last one rounds.
R BUILTIN ldexp(R x, I n) {
  I least = 1 - BIAS, far = (n > BIAS) | (n < least);
  if (RARELY(far)) {
    I up = BIAS, down = least + MANTISSA + 1;
    for (int step = 0; step < 2; step++) {
      I factor = n > up ? up : n < least ? down : (I)0;
      x *= POWER_OF_2(TO(N, factor));
      n -= factor;
    }
    n = n > up ? up : n < least ? least : n;
  }
  return x * POWER_OF_2(TO(N, n));
}

R BUILTIN nextafter(R x, R y) {
  N bits = AS(N, x);
  N away = (x < y) == (x > 0);
  R value = AS(R, away ? bits + 1 : bits - 1);
  value = x == 0 ? copysign(AS(R, (N)1), y) : value;
  value = x == y ? y : value;
  return ((x != x) | (y != y)) ? x + y : value;
}

// The remainder of x / y for positive x and y, and the lowest bits of the integral quotient.
// Subtracts multiples of y 2^k for decreasing k, at each step as many as a quotient represents
// exactly; the differences are exact.
STEP R rest_by_steps(R x, R y, N *quotient) {
  N count = 0;
  N more = (x >= y) & (y > 0) & (x < INFINITE);
  while (ANY(more)) {
    N k = exponent_of(x) - exponent_of(y) - (MANTISSA - 1);
    k = (more & (k > 0)) ? k : (N)0;
    N half_k = k >> 1;
    R step = y * POWER_OF_2(half_k) * POWER_OF_2(k - half_k);
    R times = trunc(x / step);
    R left = fma(-times, step, x);
    N over = left < 0;
    left = over ? left + step : left;
    times = over ? times - 1 : times;
    x = more ? left : x;
    count += (more & (k < 8)) ? TO(N, times) << (k & 7) : (N)0;
    more = more & (x >= y);
  }
  *quotient = count;
  return x;
}

// The same: in one step, if a quotient represents all multiples.
STEP R rest_of(R x, R y, N *quotient) {
  R times = trunc(x / y);
  R rest = fma(-times, y, x);
  N over = rest < 0, far = !((times < POWER_OF_2((N)MANTISSA)) & (y < INFINITE));
  rest = over ? rest + y : rest;
  N count = TO(N, over ? times - 1 : times);
  if (RARELY(far)) {
    N steps;
    R of_far = rest_by_steps(far ? x : y, y, &steps);
    rest = far ? of_far : rest;
    count = far ? steps : count;
  }
  *quotient = count;
  return rest;
}

R BUILTIN fmod(R x, R y) {
  N count;
  R size = fabs(x), divisor = fabs(y);
  R rest = rest_of(size, divisor, &count);
  N undefined = !(size < INFINITE) | !(divisor > 0);
  return undefined ? UNDEFINED : copysign(rest, x);
}

STEP R nearest_rest(R x, R y, I *quotient) {
  N count;
  R size = fabs(x), divisor = fabs(y);
  R rest = rest_of(size, divisor, &count);
  N small = divisor < 1;
  R twice = small ? rest + rest : rest, whole = small ? divisor : divisor * (C)0.5;
  N beyond = (twice > whole) | ((twice == whole) & ((count & 1) != 0));
  rest = beyond ? rest - divisor : rest;
  count = (beyond ? count + 1 : count) & 0x7f;
  N undefined = !(size < INFINITE) | !(divisor > 0);
  N opposite = (AS(N, x) ^ AS(N, y)) < 0;
  count = opposite ? -count : count;
  *quotient = TO(I, undefined ? (N)0 : count);
  // A remainder of 0 has the sign of x.
  rest = AS(R, AS(N, rest) ^ (AS(N, x) ^ AS(N, size)));
  return undefined ? UNDEFINED : rest;
}

R BUILTIN remainder(R x, R y) {
  I quotient;
  return nearest_rest(x, y, &quotient);
}

#define SECOND_RESULT(SPACE)                           \
  R BUILTIN frexp(R x, SPACE I *exponent) {            \
    I found;                                           \
    R fraction = fraction_of(x, &found);               \
    *exponent = found;                                 \
    return fraction;                                   \
  }                                                    \
  R BUILTIN remquo(R x, R y, SPACE I *quotient) {      \
    I found;                                           \
    R rest = nearest_rest(x, y, &found);               \
    *quotient = found;                                 \
    return rest;                                       \
  }
SECOND_RESULT(__private)
SECOND_RESULT(__global)
SECOND_RESULT(__local)
