// Products with powers of 2 for double; see power_of_2_float.h.

#undef ROUNDING
#define ROUNDING 0x1.8p+52

STEP D power_of_2(D shifted) { return AS(D, (AS(L, shifted) + 1023l) << 52l); }

STEP D beyond_normal(D x, D power, D shifted, double least, double most) {
  L zero = x <= least, infinite = x >= most;
  L n = AS(L, shifted) - AS(L, (D)ROUNDING);
  n = (zero | infinite) ? (L)0 : n;
  L half_n = n >> 1l;
  D value = power * AS(D, (half_n + 1023l) << 52l) * AS(D, (n - half_n + 1023l) << 52l);
  value = infinite ? (D)(double)INFINITY : value;
  value = zero ? (D)0.0 : value;
  return x != x ? x : value;
}
