// erf and erfc for float; a body for each_width.h.

// erf(x) for |x| of at most 1; the error is 2^-24.1.
STEP F near_zero(F x) {
  F z = x * x;
  return x * (0x1.20dd74p+0f + z * (-0x1.812674p-2f + z * (0x1.ce0942p-4f +
         z * (-0x1.b5a35cp-6f + z * (0x1.4246dp-8f + z * -0x1.273f9cp-11f)))));
}

// erfc(x) for x of at least 1: e^(-x^2), and a series in t = 1 / (1 + x / 2) with an error
// of 2^-26.3. In doubles x^2 is exact.
STEP F tail(F x) {
  x = x > 10.5f ? (F)10.5f : x;
  F t = 1.0f / (1.0f + 0.5f * x);
  F ratio = t * (0x1.20de8cp-2f + t * (0x1.20cbf8p-2f + t * (0x1.f9fce0p-3f +
            t * (0x1.6d2ed4p-3f + t * (0x1.fe0ee2p-5f + t * (0x1.49ba7ap-4f +
            t * (-0x1.cc06f6p-3f + t * 0x1.7c9a06p-4f)))))));
  D square = TO(D, x) * TO(D, x);
  D shifted = 0x1.8p+52 - square * 0x1.71547652b82fep+0;
  F r = TO(F, (0x1.8p+52 - shifted) * 0x1.62e42fefa39efp-1 - square);
  F power = 1.0f + (r + r * r * (0.5f + r * (0x1.555490p-3f + r * (0x1.5554f4p-5f +
            r * (0x1.12408cp-7f + r * 0x1.6d461ep-10f)))));
  // Scaled by 2^64, since the result may be denormal.
  I n = TO(I, AS(L, shifted));
  return ratio * power * AS(F, (n + 191) << 23) * 0x1p-64f;
}

F BUILTIN erf(F x) {
  F size = fabs(x);
  F value = near_zero(x);
  I large = size > 1.0f;
  if (ANY(large)) {
    // From 3.92 on it is 1. Products that are too small for a normal number are slow.
    F nearer = size > 5.0f ? (F)5.0f : size;
    value = large ? copysign(1.0f - tail(nearer), x) : value;
  }
  return value;
}

F BUILTIN erfc(F x) {
  F size = fabs(x);
  F value = 1.0f - near_zero(x);
  I large = size > 1.0f;
  if (ANY(large)) {
    F rest = tail(size);
    value = large ? (x < 0.0f ? 2.0f - rest : rest) : value;
  }
  return value;
}
