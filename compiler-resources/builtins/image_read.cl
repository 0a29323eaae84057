// Reading images (6.12.14.2, 6.12.14.3), with the addressing and filter modes of
// section 8.2.

#include "image.h"

// Coordinates are computed by the specification's formulas, without contraction.
#pragma OPENCL FP_CONTRACT OFF

#define INLINE static __attribute__((always_inline))

uint sampler_bits(sampler_t sampler) __asm__("__image_sampler_bits");

INLINE uint addressing(uint sampler) { return sampler & 0xe; }
INLINE bool is_linear(uint sampler) { return sampler & CLK_FILTER_LINEAR; }

// Texel index along one axis of an image. `inside` is false where the border colour applies;
// `index` is clamped to the image even then.
typedef struct {
  int index;
  bool inside;
} place_t;

// Accepts any texel coordinate, including NaN.
INLINE place_t place(uint sampler, float texel, float size) {
  float index = texel > 0 ? texel : 0;
  index = index < size - 1 ? index : size - 1;
  place_t result;
  result.index = (int)index;
  result.inside = addressing(sampler) != CLK_ADDRESS_CLAMP || index == texel;
  return result;
}

// With CLK_ADDRESS_NONE, coordinates outside the image are undefined behaviour; clamping
// them prevents a crash of the host.
INLINE place_t place_integer(uint sampler, int texel, int size) {
  place_t result;
  result.index = clamp(texel, 0, size - 1);
  result.inside = addressing(sampler) != CLK_ADDRESS_CLAMP || result.index == texel;
  return result;
}

// The coordinate u of section 8.2, in texels.
INLINE float unnormalised(uint sampler, float coordinate, float size) {
  switch (addressing(sampler)) {
  case CLK_ADDRESS_REPEAT:
    return (coordinate - floor(coordinate)) * size;
  case CLK_ADDRESS_MIRRORED_REPEAT:
    return fabs(coordinate - 2.0f * rint(0.5f * coordinate)) * size;
  default:
    return sampler & CLK_NORMALIZED_COORDS_TRUE ? coordinate * size : coordinate;
  }
}

INLINE place_t nearest(uint sampler, float coordinate, uint pixels) {
  float size = (float)(int)pixels;
  float texel = floor(unnormalised(sampler, coordinate, size));
  if (addressing(sampler) == CLK_ADDRESS_REPEAT && texel > size - 1)
    texel -= size;
  return place(sampler, texel, size);
}

// The two texels of an axis, and the weight of the second one.
typedef struct {
  place_t low, high;
  float weight;
} pair_t;

INLINE pair_t linear(uint sampler, float coordinate, uint pixels) {
  float size = (float)(int)pixels;
  float u = unnormalised(sampler, coordinate, size) - 0.5f;
  float low = floor(u), high = low + 1;
  pair_t result;
  result.weight = u - low;
  if (addressing(sampler) == CLK_ADDRESS_REPEAT) {
    low = low < 0 ? low + size : low;
    high = high > size - 1 ? high - size : high;
  }
  result.low = place(sampler, low, size);
  result.high = place(sampler, high, size);
  return result;
}

INLINE int layer_of(float coordinate, uint layers) {
  return place(CLK_ADDRESS_CLAMP_TO_EDGE, rint(coordinate), (float)(int)layers).index;
}

INLINE int layer_of_integer(int coordinate, uint layers) {
  return clamp(coordinate, 0, (int)layers - 1);
}

INLINE bool border_is_opaque(uint order) {
  return order == CLK_R || order == CLK_RG || order == CLK_RGB || order == CLK_LUMINANCE;
}

INLINE float4 texel_float(descriptor_t image, place_t x, place_t y, place_t z, int layer) {
  uint order = image->channel_order;
  float4 color = __image_load_float(pixel_at(image, x.index, y.index, z.index + layer),
                                    order, image->channel_data_type);
  float4 border = (float4)(0, 0, 0, border_is_opaque(order) ? 1 : 0);
  return x.inside && y.inside && z.inside ? color : border;
}

INLINE int4 texel_integer(descriptor_t image, place_t x, place_t y, place_t z, int layer) {
  uint order = image->channel_order;
  int4 color = __image_load_integer(pixel_at(image, x.index, y.index, z.index + layer),
                                    order, image->channel_data_type);
  int4 border = (int4)(0, 0, 0, border_is_opaque(order) ? 1 : 0);
  return x.inside && y.inside && z.inside ? color : border;
}

// The place along an axis that the image lacks.
INLINE place_t nowhere(void) {
  place_t result;
  result.index = 0;
  result.inside = true;
  return result;
}

static inline float4 __image_sample_float_1d(descriptor_t image, uint sampler, float x, int layer) {
  place_t none = nowhere();
  if (!is_linear(sampler))
    return texel_float(image, nearest(sampler, x, image->width), none, none, layer);
  pair_t i = linear(sampler, x, image->width);
  float a = i.weight;
  return (1 - a) * texel_float(image, i.low, none, none, layer) +
         a * texel_float(image, i.high, none, none, layer);
}

static inline float4 __image_sample_float_2d(descriptor_t image, uint sampler, float x, float y,
                                     int layer) {
  place_t none = nowhere();
  if (!is_linear(sampler))
    return texel_float(image, nearest(sampler, x, image->width),
                       nearest(sampler, y, image->height), none, layer);
  pair_t i = linear(sampler, x, image->width), j = linear(sampler, y, image->height);
  float a = i.weight, b = j.weight;
  return (1 - a) * (1 - b) * texel_float(image, i.low, j.low, none, layer) +
         a * (1 - b) * texel_float(image, i.high, j.low, none, layer) +
         (1 - a) * b * texel_float(image, i.low, j.high, none, layer) +
         a * b * texel_float(image, i.high, j.high, none, layer);
}

static inline float4 __image_sample_float_3d(descriptor_t image, uint sampler, float x, float y,
                                     float z) {
  if (!is_linear(sampler))
    return texel_float(image, nearest(sampler, x, image->width),
                       nearest(sampler, y, image->height),
                       nearest(sampler, z, image->depth), 0);
  pair_t i = linear(sampler, x, image->width), j = linear(sampler, y, image->height),
         k = linear(sampler, z, image->depth);
  float a = i.weight, b = j.weight, c = k.weight;
  return (1 - a) * (1 - b) * (1 - c) * texel_float(image, i.low, j.low, k.low, 0) +
         a * (1 - b) * (1 - c) * texel_float(image, i.high, j.low, k.low, 0) +
         (1 - a) * b * (1 - c) * texel_float(image, i.low, j.high, k.low, 0) +
         a * b * (1 - c) * texel_float(image, i.high, j.high, k.low, 0) +
         (1 - a) * (1 - b) * c * texel_float(image, i.low, j.low, k.high, 0) +
         a * (1 - b) * c * texel_float(image, i.high, j.low, k.high, 0) +
         (1 - a) * b * c * texel_float(image, i.low, j.high, k.high, 0) +
         a * b * c * texel_float(image, i.high, j.high, k.high, 0);
}

// Integers are not filtered.
static inline int4 __image_sample_integer_1d(descriptor_t image, uint sampler, float x, int layer) {
  place_t none = nowhere();
  return texel_integer(image, nearest(sampler, x, image->width), none, none, layer);
}

static inline int4 __image_sample_integer_2d(descriptor_t image, uint sampler, float x, float y,
                                     int layer) {
  return texel_integer(image, nearest(sampler, x, image->width),
                       nearest(sampler, y, image->height), nowhere(), layer);
}

static inline int4 __image_sample_integer_3d(descriptor_t image, uint sampler, float x, float y,
                                     float z) {
  return texel_integer(image, nearest(sampler, x, image->width),
                       nearest(sampler, y, image->height),
                       nearest(sampler, z, image->depth), 0);
}

// Integer coordinates: of texels, never normalised, never repeated.
#define FETCH(T, KIND)                                                                   \
  INLINE T fetch_##KIND##_1d(descriptor_t image, uint sampler, int x, int layer) {       \
    return texel_##KIND(image, place_integer(sampler, x, image->width), nowhere(),       \
                        nowhere(), layer);                                               \
  }                                                                                      \
  INLINE T fetch_##KIND##_2d(descriptor_t image, uint sampler, int x, int y, int layer) { \
    return texel_##KIND(image, place_integer(sampler, x, image->width),                  \
                        place_integer(sampler, y, image->height), nowhere(), layer);     \
  }                                                                                      \
  INLINE T fetch_##KIND##_3d(descriptor_t image, uint sampler, int x, int y, int z) {    \
    return texel_##KIND(image, place_integer(sampler, x, image->width),                  \
                        place_integer(sampler, y, image->height),                        \
                        place_integer(sampler, z, image->depth), 0);                     \
  }
FETCH(float4, float)
FETCH(int4, integer)

#define NO_SAMPLER CLK_ADDRESS_NONE

// Result type, name, conversion of the texel to the result, kind of read.
#define READS(R, READ, RESULT, KIND)                                                      \
  R BUILTIN READ(read_only image1d_t i, sampler_t s, float c) {                           \
    return RESULT(__image_sample_##KIND##_1d(descriptor(i), sampler_bits(s), c, 0));              \
  }                                                                                       \
  R BUILTIN READ(read_only image1d_t i, sampler_t s, int c) {                             \
    return RESULT(fetch_##KIND##_1d(descriptor(i), sampler_bits(s), c, 0));               \
  }                                                                                       \
  R BUILTIN READ(read_only image1d_t i, int c) {                                          \
    return RESULT(fetch_##KIND##_1d(descriptor(i), NO_SAMPLER, c, 0));                    \
  }                                                                                       \
  R BUILTIN READ(read_only image1d_buffer_t i, int c) {                                   \
    return RESULT(fetch_##KIND##_1d(descriptor(i), NO_SAMPLER, c, 0));                    \
  }                                                                                       \
  R BUILTIN READ(read_only image1d_array_t i, sampler_t s, float2 c) {                    \
    descriptor_t d = descriptor(i);                                                       \
    return RESULT(                                                                        \
        __image_sample_##KIND##_1d(d, sampler_bits(s), c.x, layer_of(c.y, d->array_size)));       \
  }                                                                                       \
  R BUILTIN READ(read_only image1d_array_t i, sampler_t s, int2 c) {                      \
    descriptor_t d = descriptor(i);                                                       \
    return RESULT(                                                                        \
        fetch_##KIND##_1d(d, sampler_bits(s), c.x, layer_of_integer(c.y, d->array_size))); \
  }                                                                                       \
  R BUILTIN READ(read_only image1d_array_t i, int2 c) {                                   \
    descriptor_t d = descriptor(i);                                                       \
    return RESULT(                                                                        \
        fetch_##KIND##_1d(d, NO_SAMPLER, c.x, layer_of_integer(c.y, d->array_size)));     \
  }                                                                                       \
  R BUILTIN READ(read_only image2d_t i, sampler_t s, float2 c) {                          \
    return RESULT(__image_sample_##KIND##_2d(descriptor(i), sampler_bits(s), c.x, c.y, 0));       \
  }                                                                                       \
  R BUILTIN READ(read_only image2d_t i, sampler_t s, int2 c) {                            \
    return RESULT(fetch_##KIND##_2d(descriptor(i), sampler_bits(s), c.x, c.y, 0));        \
  }                                                                                       \
  R BUILTIN READ(read_only image2d_t i, int2 c) {                                         \
    return RESULT(fetch_##KIND##_2d(descriptor(i), NO_SAMPLER, c.x, c.y, 0));             \
  }                                                                                       \
  R BUILTIN READ(read_only image2d_array_t i, sampler_t s, float4 c) {                    \
    descriptor_t d = descriptor(i);                                                       \
    return RESULT(__image_sample_##KIND##_2d(d, sampler_bits(s), c.x, c.y,                        \
                                     layer_of(c.z, d->array_size)));                      \
  }                                                                                       \
  R BUILTIN READ(read_only image2d_array_t i, sampler_t s, int4 c) {                      \
    descriptor_t d = descriptor(i);                                                       \
    return RESULT(fetch_##KIND##_2d(d, sampler_bits(s), c.x, c.y,                         \
                                    layer_of_integer(c.z, d->array_size)));               \
  }                                                                                       \
  R BUILTIN READ(read_only image2d_array_t i, int4 c) {                                   \
    descriptor_t d = descriptor(i);                                                       \
    return RESULT(fetch_##KIND##_2d(d, NO_SAMPLER, c.x, c.y,                              \
                                    layer_of_integer(c.z, d->array_size)));               \
  }                                                                                       \
  R BUILTIN READ(read_only image3d_t i, sampler_t s, float4 c) {                          \
    return RESULT(__image_sample_##KIND##_3d(descriptor(i), sampler_bits(s), c.x, c.y, c.z));     \
  }                                                                                       \
  R BUILTIN READ(read_only image3d_t i, sampler_t s, int4 c) {                            \
    return RESULT(fetch_##KIND##_3d(descriptor(i), sampler_bits(s), c.x, c.y, c.z));      \
  }                                                                                       \
  R BUILTIN READ(read_only image3d_t i, int4 c) {                                         \
    return RESULT(fetch_##KIND##_3d(descriptor(i), NO_SAMPLER, c.x, c.y, c.z));           \
  }

READS(float4, read_imagef, , float)
READS(int4, read_imagei, , integer)
READS(uint4, read_imageui, as_uint4, integer)
READS(half4, read_imageh, HALF4_OF_FLOAT4, float)
