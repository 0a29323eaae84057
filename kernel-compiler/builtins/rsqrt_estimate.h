// 1 / sqrt(x). The pragma permits the host's estimate, if it has one, with a step of Newton's
// method. Undefined for 0, denormals, infinity and negative numbers.
STEP F rsqrt_estimate(F x) {
#pragma clang fp reassociate(on) reciprocal(on)
  return 1.0f / sqrt(x);
}
