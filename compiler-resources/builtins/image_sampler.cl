// Samplers (6.12.14.1): a sampler_t is a pointer whose value is the bits of clang's
// CLK_ constants. This file defines the symbols with pointer types; image_read.cl declares them
// with sampler_t.

// clang calls this function where a program initialises a sampler.
__attribute__((always_inline)) constant void *__translate_sampler_initializer(uint bits) {
  return (constant void *)(ulong)bits;
}

__attribute__((always_inline)) uint __image_sampler_bits(constant void *sampler) {
  return (uint)(ulong)sampler;
}
