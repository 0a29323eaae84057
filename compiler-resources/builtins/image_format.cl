// Channel orders and types (5.3.1.1): from the bytes of a pixel to its channels and back,
// with the conversions of section 8.3.

#include "image.h"

#define INLINE static __attribute__((always_inline))

// A pixel may have any alignment, as the host's pointer.
typedef ushort __attribute__((aligned(1))) unaligned_ushort;
typedef uint __attribute__((aligned(1))) unaligned_uint;
typedef ulong __attribute__((aligned(1))) unaligned_ulong;

INLINE uint channel_count(uint order) {
  switch (order) {
  case CLK_R:
  case CLK_A:
  case CLK_Rx:
  case CLK_INTENSITY:
  case CLK_LUMINANCE:
    return 1;
  case CLK_RG:
  case CLK_RA:
  case CLK_RGx:
    return 2;
  default:
    return 4;
  }
}

// Channels in their order in memory; missing ones are 0.
INLINE uint4 load_8(const global uchar *pixel, uint count) {
  uint bits = count == 1   ? *pixel
              : count == 2 ? *(const global unaligned_ushort *)pixel
                           : *(const global unaligned_uint *)pixel;
  return (uint4)(bits, bits >> 8, bits >> 16, bits >> 24) & 0xff;
}

INLINE uint4 load_16(const global uchar *pixel, uint count) {
  if (count == 1)
    return (uint4)(*(const global unaligned_ushort *)pixel, 0, 0, 0);
  const global unaligned_uint *pairs = (const global unaligned_uint *)pixel;
  uint low = pairs[0], high = count == 2 ? 0 : pairs[1];
  return (uint4)(low & 0xffff, low >> 16, high & 0xffff, high >> 16);
}

INLINE uint4 load_32(const global uchar *pixel, uint count) {
  const global unaligned_uint *channels = (const global unaligned_uint *)pixel;
  if (count == 1)
    return (uint4)(channels[0], 0, 0, 0);
  if (count == 2)
    return (uint4)(channels[0], channels[1], 0, 0);
  return (uint4)(channels[0], channels[1], channels[2], channels[3]);
}

INLINE void store_8(global uchar *pixel, uint count, uint4 channels) {
  uint bits = channels.x | channels.y << 8 | channels.z << 16 | channels.w << 24;
  if (count == 1)
    *pixel = bits;
  else if (count == 2)
    *(global unaligned_ushort *)pixel = bits;
  else
    *(global unaligned_uint *)pixel = bits;
}

INLINE void store_16(global uchar *pixel, uint count, uint4 channels) {
  if (count == 1) {
    *(global unaligned_ushort *)pixel = channels.x;
    return;
  }
  global unaligned_uint *pairs = (global unaligned_uint *)pixel;
  pairs[0] = channels.x | channels.y << 16;
  if (count != 2)
    pairs[1] = channels.z | channels.w << 16;
}

INLINE void store_32(global uchar *pixel, uint count, uint4 channels) {
  global unaligned_uint *place = (global unaligned_uint *)pixel;
  place[0] = channels.x;
  if (count == 1)
    return;
  place[1] = channels.y;
  if (count == 2)
    return;
  place[2] = channels.z;
  place[3] = channels.w;
}

// Sign extension of channels that are `bits` wide.
INLINE int4 extend(uint4 channels, uint bits) {
  return as_int4(channels << (32 - bits)) >> (32 - bits);
}

// Reorders channels from their order in memory to red, green, blue, alpha. A missing
// colour is 0, a missing alpha is `one`.
#define TO_COLOR(T, S)                             \
  INLINE T to_color_##T(uint order, T m, S one) { \
    switch (order) {                               \
    case CLK_R:                                    \
    case CLK_Rx:                                   \
      return (T)(m.x, 0, 0, one);                  \
    case CLK_A:                                    \
      return (T)(0, 0, 0, m.x);                    \
    case CLK_RG:                                   \
    case CLK_RGx:                                  \
      return (T)(m.x, m.y, 0, one);                \
    case CLK_RA:                                   \
      return (T)(m.x, 0, 0, m.y);                  \
    case CLK_RGB:                                  \
    case CLK_RGBx:                                 \
      return (T)(m.x, m.y, m.z, one);              \
    case CLK_BGRA:                                 \
      return m.zyxw;                               \
    case CLK_ARGB:                                 \
      return m.yzwx;                               \
    case CLK_INTENSITY:                            \
      return m.xxxx;                               \
    case CLK_LUMINANCE:                            \
      return (T)(m.x, m.x, m.x, one);              \
    default:                                       \
      return m;                                    \
    }                                              \
  }
TO_COLOR(float4, float)
TO_COLOR(int4, int)

// The inverse: from red, green, blue, alpha to the order in memory.
#define TO_MEMORY(T)                            \
  INLINE T to_memory_##T(uint order, T color) { \
    switch (order) {                            \
    case CLK_A:                                 \
      return color.wwww;                        \
    case CLK_RA:                                \
      return color.xwxw;                        \
    case CLK_BGRA:                              \
      return color.zyxw;                        \
    case CLK_ARGB:                              \
      return color.wxyz;                        \
    default:                                    \
      return color;                             \
    }                                           \
  }
TO_MEMORY(float4)
TO_MEMORY(int4)

// x / most, correctly rounded for 16-bit integers: multiplies by the reciprocal as a sum of two
// floats, which is several times faster than a division.
INLINE float4 normalise(uint4 channels, float most, float reciprocal, float rest) {
  float4 x = convert_float4(as_int4(channels));
  return __builtin_elementwise_fma(x, (float4)reciprocal, x * rest);
}
#define NORMALISE(CHANNELS, MOST) \
  normalise(CHANNELS, MOST, 1.0f / MOST, (float)(1.0 / MOST - (double)(1.0f / MOST)))

float4 __image_load_float(const global uchar *pixel, uint order, uint type) {
  uint count = channel_count(order);
  float4 m;
  switch (type) {
  case CLK_UNORM_INT8:
    m = NORMALISE(load_8(pixel, count), 255);
    break;
  case CLK_UNORM_INT16:
    m = NORMALISE(load_16(pixel, count), 65535);
    break;
  case CLK_SNORM_INT8:
    m = max(NORMALISE(as_uint4(extend(load_8(pixel, count), 8)), 127), -1.0f);
    break;
  case CLK_SNORM_INT16:
    m = max(NORMALISE(as_uint4(extend(load_16(pixel, count), 16)), 32767), -1.0f);
    break;
  case CLK_UNORM_SHORT_565: {
    uint bits = *(const global unaligned_ushort *)pixel;
    float4 red_blue = NORMALISE(((uint4)(bits >> 11, 0, bits & 0x1f, 0)), 31);
    float4 green = NORMALISE((uint4)(bits >> 5 & 0x3f), 63);
    m = (float4)(red_blue.x, green.x, red_blue.z, 0);
    break;
  }
  case CLK_UNORM_SHORT_555: {
    uint bits = *(const global unaligned_ushort *)pixel;
    m = NORMALISE(((uint4)(bits >> 10, bits >> 5, bits, 0) & 0x1f), 31);
    break;
  }
  case CLK_UNORM_INT_101010: {
    uint bits = *(const global unaligned_uint *)pixel;
    m = NORMALISE(((uint4)(bits >> 20, bits >> 10, bits, 0) & 0x3ff), 1023);
    break;
  }
  case CLK_HALF_FLOAT: {
    uint4 bits = load_16(pixel, count);
    m = FLOAT4_OF_HALF4(as_half4(convert_ushort4(bits)));
    break;
  }
  case CLK_FLOAT:
    m = as_float4(load_32(pixel, count));
    break;
  default: // read_imagef does not read integer formats.
    m = 0;
  }
  return to_color_float4(order, m, 1.0f);
}

int4 __image_load_integer(const global uchar *pixel, uint order, uint type) {
  uint count = channel_count(order);
  int4 m;
  switch (type) {
  case CLK_SIGNED_INT8:
    m = extend(load_8(pixel, count), 8);
    break;
  case CLK_UNSIGNED_INT8:
    m = as_int4(load_8(pixel, count));
    break;
  case CLK_SIGNED_INT16:
    m = extend(load_16(pixel, count), 16);
    break;
  case CLK_UNSIGNED_INT16:
    m = as_int4(load_16(pixel, count));
    break;
  case CLK_SIGNED_INT32:
  case CLK_UNSIGNED_INT32:
    m = as_int4(load_32(pixel, count));
    break;
  default: // read_imagei and read_imageui read integer formats only.
    m = 0;
  }
  return to_color_int4(order, m, 1);
}

// Rounds to the nearest integer and saturates; NaN becomes 0 (6.2.3.3).
INLINE uint4 quantise(float4 x, float least, float most) {
  if (least < 0) // For unsigned limits NaN becomes `least`, which is 0.
    x = x == x ? x : 0;
  x = x > least ? x : least;
  x = x < most ? x : most;
  return as_uint4(convert_int4(__builtin_elementwise_rint(x)));
}

void __image_store_float(global uchar *pixel, uint order, uint type, float4 color) {
  uint count = channel_count(order);
  float4 m = to_memory_float4(order, color);
  switch (type) {
  case CLK_UNORM_INT8:
    store_8(pixel, count, quantise(m * 255, 0, 255));
    break;
  case CLK_UNORM_INT16:
    store_16(pixel, count, quantise(m * 65535, 0, 65535));
    break;
  case CLK_SNORM_INT8:
    store_8(pixel, count, quantise(m * 127, -128, 127) & 0xff);
    break;
  case CLK_SNORM_INT16:
    store_16(pixel, count, quantise(m * 32767, -32768, 32767) & 0xffff);
    break;
  case CLK_UNORM_SHORT_565: {
    uint4 red_blue = quantise(m * 31, 0, 31), green = quantise(m * 63, 0, 63);
    *(global unaligned_ushort *)pixel = red_blue.x << 11 | green.y << 5 | red_blue.z;
    break;
  }
  case CLK_UNORM_SHORT_555: {
    uint4 q = quantise(m * 31, 0, 31);
    *(global unaligned_ushort *)pixel = q.x << 10 | q.y << 5 | q.z;
    break;
  }
  case CLK_UNORM_INT_101010: {
    uint4 q = quantise(m * 1023, 0, 1023);
    *(global unaligned_uint *)pixel = q.x << 20 | q.y << 10 | q.z;
    break;
  }
  case CLK_HALF_FLOAT:
    store_16(pixel, count, convert_uint4(as_ushort4(HALF4_OF_FLOAT4(m))));
    break;
  case CLK_FLOAT:
    store_32(pixel, count, as_uint4(m));
    break;
  }
}

void __image_store_integer(global uchar *pixel, uint order, uint type, int4 color) {
  uint count = channel_count(order);
  int4 m = to_memory_int4(order, color);
  uint4 u = as_uint4(m);
  switch (type) {
  case CLK_SIGNED_INT8:
    store_8(pixel, count, as_uint4(clamp(m, -128, 127)) & 0xff);
    break;
  case CLK_UNSIGNED_INT8:
    store_8(pixel, count, min(u, 255u));
    break;
  case CLK_SIGNED_INT16:
    store_16(pixel, count, as_uint4(clamp(m, -32768, 32767)) & 0xffff);
    break;
  case CLK_UNSIGNED_INT16:
    store_16(pixel, count, min(u, 65535u));
    break;
  case CLK_SIGNED_INT32:
  case CLK_UNSIGNED_INT32:
    store_32(pixel, count, u);
    break;
  }
}
