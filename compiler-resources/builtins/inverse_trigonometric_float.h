// asin, acos, atan and atan2 for float; a body for each_width.h.

// pi/2 as a sum of two floats.
#define QUARTER 0x1.921fb6p+0f
#define QUARTER_LOWER -0x1.777a5cp-25f

// atan(t) for t between 0 and 1; the error is 2^-25.5.
STEP F tangent_to_angle(F t) {
  F z = t * t;
  return t + t * (z * (-0x1.5554dcp-2f + z * (0x1.9978eap-3f + z * (-0x1.230a7ap-3f +
         z * (0x1.b4dddep-4f + z * (-0x1.354f3ap-4f + z * (0x1.61e92cp-5f +
         z * (-0x1.0c0ab4p-6f + z * 0x1.7e75b8p-9f))))))));
}

F BUILTIN atan(F x) {
  F size = fabs(x);
  I large = size > 1.0f;
  F angle = tangent_to_angle(large ? 1.0f / size : size);
  angle = large ? QUARTER - (angle - QUARTER_LOWER) : angle;
  return copysign(angle, x);
}

F BUILTIN atan2(F y, F x) {
  F up = fabs(y), along = fabs(x);
  I steep = up > along;
  F longer = steep ? up : along, shorter = steep ? along : up;
  F t = shorter / longer;
  I special = !((longer > 0.0f) & (longer < (F)INFINITY));
  if (RARELY(special)) {
    F ratio = shorter == (F)INFINITY ? (F)1.0f : shorter * 0.0f;
    t = (special & (longer == longer)) ? ratio : t;
  }
  F angle = tangent_to_angle(t);
  I back = AS(I, x) < 0;
  // Multiples of pi/2 to which the angle is added, or from which it is subtracted.
  F quarters = steep ? (F)1.0f : back ? (F)2.0f : (F)0.0f;
  angle = (steep != 0) == (back != 0) ? angle : -angle;
  return copysign(quarters * QUARTER + (angle + quarters * QUARTER_LOWER), y);
}

// asin(t), z = t^2, for t between 0 and 1/2; the error is 2^-27.6.
STEP F sine_to_angle(F t, F z) {
  return t + t * (z * (0x1.5555c8p-3f + z * (0x1.330202p-4f + z * (0x1.747bfap-5f +
         z * (0x1.8c3b92p-6f + z * 0x1.595ebep-5f)))));
}

// From 1/2 up: asin(t) = pi/2 - 2 asin(sqrt((1 - t) / 2)).
F BUILTIN asin(F x) {
  F size = fabs(x);
  I small = size < 0.5f;
  F z = small ? size * size : 0.5f - 0.5f * size;
  F angle = sine_to_angle(small ? size : sqrt(z), z);
  angle = small ? angle : QUARTER - (2.0f * angle - QUARTER_LOWER);
  return copysign(angle, x);
}

F BUILTIN acos(F x) {
  F size = fabs(x);
  I small = size < 0.5f;
  F z = small ? size * size : 0.5f - 0.5f * size;
  F angle = sine_to_angle(small ? size : sqrt(z), z);
  F quarters = small ? (F)1.0f : x < 0.0f ? (F)2.0f : (F)0.0f;
  angle = small ? -angle : -2.0f * angle;
  angle = copysign(1.0f, x) * angle;
  angle = small ? angle : -angle;
  return quarters * QUARTER + (angle + quarters * QUARTER_LOWER);
}
