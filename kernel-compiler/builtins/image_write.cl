// Writing images (6.12.14.4). What is outside the image is not written.

#include "image.h"

#define INLINE static __attribute__((always_inline))

#define WRITE(T, KIND)                                                                    \
  INLINE void write_##KIND(descriptor_t image, int x, int y, int z, int layer, T color) { \
    if ((uint)x < image->width && (uint)y < image->height && (uint)z < image->depth &&    \
        (uint)layer < image->array_size)                                                  \
      __image_store_##KIND(pixel_at(image, x, y, z + layer), image->channel_order,        \
                           image->channel_data_type, color);                              \
  }
WRITE(float4, float)
WRITE(int4, integer)

// Type of the colour, name, what makes of it what is written, kind of writing.
#define WRITES(C, WRITE, COLOR, KIND)                                                 \
  void BUILTIN WRITE(write_only image1d_t i, int c, C color) {                        \
    write_##KIND(descriptor(i), c, 0, 0, 0, COLOR(color));                            \
  }                                                                                   \
  void BUILTIN WRITE(write_only image1d_buffer_t i, int c, C color) {                 \
    write_##KIND(descriptor(i), c, 0, 0, 0, COLOR(color));                            \
  }                                                                                   \
  void BUILTIN WRITE(write_only image1d_array_t i, int2 c, C color) {                 \
    write_##KIND(descriptor(i), c.x, 0, 0, c.y, COLOR(color));                        \
  }                                                                                   \
  void BUILTIN WRITE(write_only image2d_t i, int2 c, C color) {                       \
    write_##KIND(descriptor(i), c.x, c.y, 0, 0, COLOR(color));                        \
  }                                                                                   \
  void BUILTIN WRITE(write_only image2d_array_t i, int4 c, C color) {                 \
    write_##KIND(descriptor(i), c.x, c.y, 0, c.z, COLOR(color));                      \
  }                                                                                   \
  void BUILTIN WRITE(write_only image3d_t i, int4 c, C color) {                       \
    write_##KIND(descriptor(i), c.x, c.y, c.z, 0, COLOR(color));                      \
  }

WRITES(float4, write_imagef, , float)
WRITES(int4, write_imagei, , integer)
WRITES(uint4, write_imageui, as_int4, integer)
WRITES(half4, write_imageh, FLOAT4_OF_HALF4, float)
