// Products with powers of 2 for float; a part of bodies for each_width.h.

// A sum with it has the nearest integer in its lowest bits.
#undef ROUNDING
#define ROUNDING 0x1.8p+23f

// 2^n for an integral n from -126 to 127. `shifted` is n + ROUNDING, which has n in its lowest
// bits.
STEP F power_of_2(F shifted) { return AS(F, (AS(I, shifted) + 127) << 23); }

// power * 2^n where the product or 2^n may be out of range: multiplies by two factors. Infinite
// from `most` up, 0 from `least` down. There the factors are 1: on many processors a product that
// is too small for a normal number takes more than a hundred cycles.
STEP F beyond_normal(F x, F power, F shifted, float least, float most) {
  I zero = x <= least, infinite = x >= most;
  I n = AS(I, shifted) - AS(I, (F)ROUNDING);
  n = (zero | infinite) ? (I)0 : n;
  I half_n = n >> 1;
  F value = power * AS(F, (half_n + 127) << 23) * AS(F, (n - half_n + 127) << 23);
  value = infinite ? (F)INFINITY : value;
  value = zero ? (F)0.0f : value;
  return x != x ? x : value;
}
