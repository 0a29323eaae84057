// tgamma, lgamma and lgamma_r for float; a body for each_width.h. Computed in double: Stirling's
// series for arguments from 8 up, the recurrence below.

// For a < 8: log(gamma(a + 8)), and the product a (a + 1) .. (a + 7). Else log(gamma(a)), and 1.
STEP D stirling(D a, D *product) {
  L small = a < 8.0;
  D p = (a * (a + 1.0)) * ((a + 2.0) * (a + 3.0)) *
        (((a + 4.0) * (a + 5.0)) * ((a + 6.0) * (a + 7.0)));
  *product = small ? p : (D)1.0;
  D z = small ? a + 8.0 : a, inverse = 1.0 / z, w = inverse * inverse;
  D series = inverse * (1.0 / 12 + w * (-1.0 / 360 + w * (1.0 / 1260 +
             w * (-1.0 / 1680 + w * (1.0 / 1188 + w * (-691.0 / 360360))))));
  // Half of log(2 pi).
  return (z - 0.5) * log(z) - z + (0x1.d67f1c864beb5p-1 + series);
}

// gamma(-a) = -pi / (a sin(pi a) gamma(a)).
F BUILTIN tgamma(F x) {
  D a = TO(D, fabs(x)), product;
  D power = exp(stirling(a, &product));
  L negative = TO(L, AS(I, x)) < 0l;
  D of_negative = -0x1.921fb54442d18p+1 * product / (a * sinpi(a) * power);
  F value = TO(F, negative ? of_negative : power / product);
  value = x == 0.0f ? 1.0f / x : value;
  value = x == (F)INFINITY ? x : value;
  I undefined = (x < 0.0f) & (x == floor(x));
  return (undefined | (x != x)) ? (F)NAN : value;
}

F BUILTIN lgamma(F x) {
  D a = TO(D, fabs(x)), product;
  D of_sum = stirling(a, &product);
  L negative = TO(L, AS(I, x)) < 0l;
  D factor = log(negative ? 0x1.921fb54442d18p+1 * product / (a * fabs(sinpi(a))) : product);
  F value = TO(F, negative ? factor - of_sum : of_sum - factor);
  value = ((x == 1.0f) | (x == 2.0f)) ? (F)0.0f : value;
  I infinite = (x == 0.0f) | (fabs(x) == (F)INFINITY);
  return infinite ? (F)INFINITY : value;
}

// The sign is 0 where gamma has a pole (7.5.1).
STEP I sign_of_gamma(F x) {
  F down = floor(x);
  I odd = TO(I, down - 2.0f * floor(0.5f * down));
  I sign = ((x < 0.0f) & (odd != 0)) ? (I)-1 : (I)1;
  return ((x <= 0.0f) & (x == down)) ? (I)0 : sign;
}
#define LGAMMA_IN(SPACE)                       \
  F BUILTIN lgamma_r(F x, SPACE I *sign) {     \
    *sign = sign_of_gamma(x);                  \
    return lgamma(x);                          \
  }
LGAMMA_IN(__private)
LGAMMA_IN(__global)
LGAMMA_IN(__local)
