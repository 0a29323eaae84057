// sin, cos, tan, sincos, sinpi, cospi and tanpi for double: arguments are reduced to multiples of
// pi/2, called quarters.

#undef LEAST_LARGE
#undef ROUNDING
#undef SINCOS_IN
#define LEAST_LARGE 0x1p+24
#define ROUNDING 0x1.8p+52

// sin(r) and cos(r) for |r| of at most pi/4; the errors are 2^-57.3 and 2^-61.6.
STEP D sine_of_quarter(D r) {
  D z = r * r;
  return r + r * (z * (-0x1.5555555555548p-3 + z * (0x1.111111110f72fp-7 +
         z * (-0x1.a01a019be8fa1p-13 + z * (0x1.71de35550d3bdp-19 +
         z * (-0x1.ae5e4af4b9889p-26 + z * 0x1.5d8ae34b9f594p-33))))));
}
STEP D cosine_of_quarter(D r) {
  D z = r * r;
  return 1.0 + z * (-0.5 + z * (0x1.555555555554bp-5 + z * (-0x1.6c16c16c14701p-10 +
         z * (0x1.a01a019b1f6eep-16 + z * (-0x1.27e4f6a581d14p-22 +
         z * (0x1.1ee8dbb13693bp-29 + z * -0x1.8f171dccb84eep-37))))));
}

// The reduced argument r, and the number of quarters in its lowest bits.
STEP D quarters_off(D x, L *quarter) {
  D shifted = x * (2 / PI) + ROUNDING;
  D h = shifted - ROUNDING;
  D r = (((x - h * 0x1.921fb54p+0) - h * 0x1.10b4611p-30) - h * 0x1.4c4c662p-59) -
        h * 0x1.1701b839a252p-88;
  *quarter = AS(L, shifted);
  L large = x >= LEAST_LARGE;
  if (RARELY(large)) {
    L far;
    D rest = large_quarters_off(large ? x : (D)LEAST_LARGE, &far);
    r = large ? rest : r;
    *quarter = large ? far : *quarter;
  }
  return r;
}

// Restores the sign of x, so that -0 gives -0.
D BUILTIN sin(D x) {
  L quarter;
  D size = fabs(x), r = quarters_off(size, &quarter);
  D sine = (quarter & 1l) != 0l ? cosine_of_quarter(r) : sine_of_quarter(r);
  return AS(D, AS(L, sine) ^ ((quarter & 2l) << 62l) ^ AS(L, x) ^ AS(L, size));
}

D BUILTIN cos(D x) {
  L quarter;
  D r = quarters_off(fabs(x), &quarter);
  D cosine = (quarter & 1l) != 0l ? sine_of_quarter(r) : cosine_of_quarter(r);
  return AS(D, AS(L, cosine) ^ (((quarter + 1l) & 2l) << 62l));
}

#define SINCOS_IN(SPACE)                                                             \
  D BUILTIN sincos(D x, SPACE D *cosine) {                                           \
    L quarter;                                                                       \
    D size = fabs(x), r = quarters_off(size, &quarter);                              \
    D s = sine_of_quarter(r), c = cosine_of_quarter(r);                              \
    L odd = (quarter & 1l) != 0l;                                                    \
    *cosine = AS(D, AS(L, odd ? s : c) ^ (((quarter + 1l) & 2l) << 62l));            \
    return AS(D, AS(L, odd ? c : s) ^ ((quarter & 2l) << 62l) ^ AS(L, x) ^ AS(L, size)); \
  }
SINCOS_IN(__private)
SINCOS_IN(__global)
SINCOS_IN(__local)

D BUILTIN tan(D x) {
  L quarter;
  D size = fabs(x), r = quarters_off(size, &quarter);
  D s = sine_of_quarter(r), c = cosine_of_quarter(r);
  L odd = (quarter & 1l) != 0l;
  D tangent = (odd ? -c : s) / (odd ? s : c);
  return AS(D, AS(L, tangent) ^ AS(L, x) ^ AS(L, size));
}

// |x| of half turns, or no turns for an even number without a fraction; NaN of an infinite
// one.
STEP D few_turns(D x) {
  D size = fabs(x);
  return size < 0x1p+53 ? size : size * 0.0;
}
// The rest in quarters, of which there are `quarters`.
STEP D half_turns_off(D size, L *quarter) {
  D quarters = rint(size * 2.0);
  *quarter = TO(L, quarters);
  return (size - quarters * 0.5) * PI;
}

D BUILTIN sinpi(D x) {
  L quarter;
  D r = half_turns_off(few_turns(x), &quarter);
  D sine = (quarter & 1l) != 0l ? cosine_of_quarter(r) : sine_of_quarter(r);
  L sign = sine == 0.0 ? (L)0 : (quarter & 2l) << 62l;
  return AS(D, AS(L, sine) ^ sign ^ (AS(L, x) & (1l << 63l)));
}

D BUILTIN cospi(D x) {
  L quarter;
  D r = half_turns_off(few_turns(x), &quarter);
  D cosine = (quarter & 1l) != 0l ? sine_of_quarter(r) : cosine_of_quarter(r);
  L sign = cosine == 0.0 ? (L)0 : ((quarter + 1l) & 2l) << 62l;
  return AS(D, AS(L, cosine) ^ sign);
}

D BUILTIN tanpi(D x) {
  L quarter;
  D r = half_turns_off(few_turns(x), &quarter);
  D s = sine_of_quarter(r), c = cosine_of_quarter(r);
  L whole = r == 0.0, odd = (quarter & 1l) != 0l;
  D tangent = (odd ? -c : s) / (odd ? s : c);
  tangent = (odd & whole) ? (D)(double)INFINITY : tangent;
  L sign = whole ? (quarter & 2l) << 62l : (L)0;
  return AS(D, AS(L, tangent) ^ sign ^ (AS(L, x) & (1l << 63l)));
}
