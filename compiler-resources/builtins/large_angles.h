// The bits of 1 / pi after 64 zeros, enough for the largest exponent of a double.
static __constant ulong INVERSE_OF_PI[] = {
    0x0ul,
    0x517cc1b727220a94ul, 0xfe13abe8fa9a6ee0ul, 0x6db14acc9e21c820ul, 0xff28b1d5ef5de2b0ul,
    0xdb92371d2126e970ul, 0x0324977504e8c90eul, 0x7f0ef58e5894d39ful, 0x74411afa975da242ul,
    0x74ce38135a2fbf20ul, 0x9cc8eb1cc1a99cfaul, 0x4e422fc5defc941dul, 0x8ffc4bffef02cc07ul,
    0xf79788c5ad05368ful, 0xb69b3f6793e584dbul, 0xa7a31fb34f2ff516ul, 0xba93dd63f5f2f8bdul,
    0x9e839cfbc5294975ul, 0x35fdafd88fc6ae84ul, 0x2b0198237e3db5d5ul,
};

// What a large, positive x leaves when quarters of a turn are taken off, and how many these
// are: x / pi in 128 bits without multiples of 2 (Payne and Hanek's reduction). Not inlined:
// vector code calls it for the work-items that need it.
static __attribute__((overloadable)) double2 large_quarters(double x) {
  ulong bits = as_ulong(x);
  ulong mantissa = (bits & 0xffffffffffffful) | 0x10000000000000ul;
  int from = (int)(bits >> 52) - 1075 + 63, word = from >> 6, left = from & 63;
  ulong window[3];
  for (int i = 0; i < 3; i++)
    window[i] = (INVERSE_OF_PI[word + i] << left) |
                (INVERSE_OF_PI[word + i + 1] >> 1 >> (63 - left));
  ulong low = mantissa * window[1], carried = low + mul_hi(mantissa, window[2]);
  ulong high = mantissa * window[0] + mul_hi(mantissa, window[1]) + (carried < low);
  // In quarters, from the second bit on.
  ulong quarter = (high + (1ul << 61)) >> 62;
  long rest = (long)((high << 2) | (carried >> 62));
  double r = (double)rest * 0x1p-64 + (double)(carried << 2) * 0x1p-128;
  return (double2)(x < (double)INFINITY ? r * (PI / 2) : (double)NAN, (double)quarter);
}

static __attribute__((overloadable, always_inline)) double
large_quarters_off(double x, long *quarter) {
  double2 rest = large_quarters(x);
  *quarter = (long)rest.y;
  return rest.x;
}
#pragma push_macro("BUILTIN")
#undef BUILTIN
#define BUILTIN static __attribute__((overloadable, always_inline))
BY_COMPONENT_1_OUT(double, large_quarters_off, double, long, __private)
#pragma pop_macro("BUILTIN")
