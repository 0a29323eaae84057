// 1 / sqrt(x) by the host's estimate and a step of Newton's method, where it has one: the
// pragma says that it may. Nothing is promised of 0, denormals, infinity and what is
// negative.
STEP F rsqrt_estimate(F x) {
#pragma clang fp reassociate(on) reciprocal(on)
  return 1.0f / sqrt(x);
}
