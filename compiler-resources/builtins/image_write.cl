// Writing images (6.12.14.4). Writes outside the image are ignored.

#include "image.h"

#define INLINE static __attribute__((always_inline))

#define WRITE(T, KIND)                                                                    \
  INLINE void write_##KIND(descriptor_t image, int x, int y, int slice, bool inside,      \
                           T color) {                                                     \
    if (inside)                                                                           \
      __image_store_##KIND(pixel_at(image, x, y, slice), image->channel_order,            \
                           image->channel_data_type, color);                              \
  }
WRITE(float4, float)
WRITE(int4, integer)

// Type of the colour, name, conversion of the colour to the texel, kind of write.
#define INSIDE(COORDINATE, SIZE) ((uint)(COORDINATE) < d->SIZE)
#define INSIDE_PLANE(C) (INSIDE(C.x, width) & INSIDE(C.y, height))

#define WRITES(C, WRITE, COLOR, KIND)                                                 \
  void BUILTIN WRITE(write_only image1d_t i, int c, C color) {                        \
    descriptor_t d = descriptor(i);                                                   \
    write_##KIND(d, c, 0, 0, INSIDE(c, width), COLOR(color));                         \
  }                                                                                   \
  void BUILTIN WRITE(write_only image1d_buffer_t i, int c, C color) {                 \
    descriptor_t d = descriptor(i);                                                   \
    write_##KIND(d, c, 0, 0, INSIDE(c, width), COLOR(color));                         \
  }                                                                                   \
  void BUILTIN WRITE(write_only image1d_array_t i, int2 c, C color) {                 \
    descriptor_t d = descriptor(i);                                                   \
    write_##KIND(d, c.x, 0, c.y, INSIDE(c.x, width) & INSIDE(c.y, array_size),        \
                 COLOR(color));                                                       \
  }                                                                                   \
  void BUILTIN WRITE(write_only image2d_t i, int2 c, C color) {                       \
    descriptor_t d = descriptor(i);                                                   \
    write_##KIND(d, c.x, c.y, 0, INSIDE_PLANE(c), COLOR(color));                      \
  }                                                                                   \
  void BUILTIN WRITE(write_only image2d_array_t i, int4 c, C color) {                 \
    descriptor_t d = descriptor(i);                                                   \
    write_##KIND(d, c.x, c.y, c.z, INSIDE_PLANE(c) & INSIDE(c.z, array_size),         \
                 COLOR(color));                                                       \
  }                                                                                   \
  void BUILTIN WRITE(write_only image3d_t i, int4 c, C color) {                       \
    descriptor_t d = descriptor(i);                                                   \
    write_##KIND(d, c.x, c.y, c.z, INSIDE_PLANE(c) & INSIDE(c.z, depth),              \
                 COLOR(color));                                                       \
  }

WRITES(float4, write_imagef, , float)
WRITES(int4, write_imagei, , integer)
WRITES(uint4, write_imageui, as_int4, integer)
WRITES(half4, write_imageh, FLOAT4_OF_HALF4, float)
