// asin, acos, atan and atan2 for double.

#undef QUARTER
#undef QUARTER_LOWER
// pi/2 and its rounding error.
#define QUARTER 0x1.921fb54442d18p+0
#define QUARTER_LOWER 0x1.1a62633145c07p-54

// atan(t) for |t| of at most sqrt(2) - 1; the error is 2^-59.4.
STEP D tangent_to_angle(D t) {
  D z = t * t;
  return t + t * (z * (-0x1.555555555553dp-2 + z * (0x1.999999999585fp-3 +
         z * (-0x1.24924922acf0ap-3 + z * (0x1.c71c70e5d94d1p-4 +
         z * (-0x1.745cf8d542f8bp-4 + z * (0x1.3b11188a79e43p-4 +
         z * (-0x1.10ebb100bc796p-4 + z * (0x1.df0ed61e5c159p-5 +
         z * (-0x1.9cd07cbfa57b6p-5 + z * (0x1.37cf7726b0be6p-5 +
         z * -0x1.255bddd6ddf91p-6)))))))))));
}

// atan(shorter / longer), as half a quarter and the rest where that is larger; their sum
// is `angle` + `eighths` pi/4.
STEP D ratio_to_angle(D shorter, D longer, D *eighths) {
  L large = shorter > 0x1.a827999fcef32p-2 * longer;
  D above = large ? shorter - longer : shorter, below = large ? shorter + longer : longer;
  *eighths = large ? (D)1.0 : (D)0.0;
  return tangent_to_angle(above / below);
}

D BUILTIN atan(D x) {
  D size = fabs(x), eighths;
  L steep = size > 1.0;
  // 1 and 1 / x, without x where it is infinite.
  D longer = steep ? size : (D)1.0, shorter = steep ? (D)1.0 : size;
  longer = longer > 0x1p+1000 ? (D)0x1p+1000 : longer;
  D angle = ratio_to_angle(shorter, longer, &eighths);
  D quarters = 0.5 * eighths;
  quarters = steep ? 1.0 - quarters : quarters;
  angle = steep ? -angle : angle;
  return copysign(quarters * QUARTER + (angle + quarters * QUARTER_LOWER), x);
}

D BUILTIN atan2(D y, D x) {
  D up = fabs(y), along = fabs(x), eighths;
  L steep = up > along;
  D longer = steep ? up : along, shorter = steep ? along : up;
  L special = !((longer > 0x1p-900) & (longer < 0x1p+1000));
  if (RARELY(special)) {
    L infinite = longer == (double)INFINITY;
    D factor = longer < 1.0 ? (D)0x1p+100 : (D)0x1p-100;
    D equal = shorter == (double)INFINITY ? (D)1.0 : shorter * 0.0;
    shorter = special ? (infinite ? equal : shorter * factor) : shorter;
    longer = special ? ((infinite | (longer == 0.0)) ? (D)1.0 : longer * factor) : longer;
  }
  D angle = ratio_to_angle(shorter, longer, &eighths);
  L back = AS(L, x) < 0l;
  D quarters = 0.5 * eighths;
  quarters = steep ? 1.0 - quarters : quarters;
  angle = steep ? -angle : angle;
  quarters = back ? 2.0 - quarters : quarters;
  angle = back ? -angle : angle;
  return copysign(quarters * QUARTER + (angle + quarters * QUARTER_LOWER), y);
}

// asin(t), z = t^2, for t between 0 and 1/2; the error is 2^-55.7.
STEP D sine_to_angle(D t, D z) {
  return t + t * (z * (0x1.5555555555391p-3 + z * (0x1.333333336e73fp-4 +
         z * (0x1.6db6db4281637p-5 + z * (0x1.f1c72c36fb45bp-6 +
         z * (0x1.6e89f46b08a53p-6 + z * (0x1.1c6bdf5c8487fp-6 +
         z * (0x1.c6fdead03f659p-7 + z * (0x1.8ec2063677624p-7 +
         z * (0x1.abd6f7454fa41p-8 + z * (0x1.3fefe94f498a3p-6 +
         z * (-0x1.09cc5982e8163p-6 + z * 0x1.056b4b77ccdd2p-5))))))))))));
}

D BUILTIN asin(D x) {
  D size = fabs(x);
  L small = size < 0.5;
  D z = small ? size * size : 0.5 - 0.5 * size;
  D angle = sine_to_angle(small ? size : sqrt(z), z);
  angle = small ? angle : QUARTER - (2.0 * angle - QUARTER_LOWER);
  return copysign(angle, x);
}

D BUILTIN acos(D x) {
  D size = fabs(x);
  L small = size < 0.5;
  D z = small ? size * size : 0.5 - 0.5 * size;
  D angle = sine_to_angle(small ? size : sqrt(z), z);
  D quarters = small ? (D)1.0 : x < 0.0 ? (D)2.0 : (D)0.0;
  angle = copysign(1.0, x) * (small ? -angle : 2.0 * angle);
  return quarters * QUARTER + (angle + quarters * QUARTER_LOWER);
}
