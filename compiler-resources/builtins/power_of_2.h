// Products with powers of 2; a part of bodies for each_width.h, of the type that float_type.h or
// double_type.h sets.

// A sum with it has the nearest integer in its lowest bits.
#undef ROUNDING
#define ROUNDING ((C)0x1.8p+0 * (C)(1ul << MANTISSA))

// 2^n for an integral n for which it is normal. `shifted` is n + ROUNDING, which has n in its
// lowest bits.
STEP R power_of_2(R shifted) { return POWER_OF_2(AS(N, shifted)); }

// power * 2^n where the product or 2^n may be out of range: multiplies by two factors. Infinite
// from `most` up, 0 from `least` down. There the factors are 1: on many processors a product that
// is too small for a normal number takes more than a hundred cycles.
STEP R beyond_normal(R x, R power, R shifted, C least, C most) {
  N zero = x <= least, infinite = x >= most;
  N n = AS(N, shifted) - AS(N, (R)ROUNDING);
  n = (zero | infinite) ? (N)0 : n;
  N half_n = n >> 1;
  R value = power * POWER_OF_2(half_n) * POWER_OF_2(n - half_n);
  value = infinite ? INFINITE : value;
  value = zero ? (R)0 : value;
  return x != x ? x : value;
}
