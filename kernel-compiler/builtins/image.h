// What the files of the image functions share: the descriptor of an image, the bits of
// a sampler, and how pixels are read and written.

#include "types.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

// What an image argument points to: ImageDescriptor of image_argument.rs.
struct image_descriptor {
  global uchar *data;
  uint width, height, depth, array_size;
  ulong row_pitch, slice_pitch;
  uint channel_order, channel_data_type, element_size, reserved;
};
typedef constant struct image_descriptor *descriptor_t;

// The compiler puts the image argument itself here. All types of images have the same
// pointer, so there is one function behind all of these.
#define DESCRIPTOR(IMAGE) \
  descriptor_t __attribute__((overloadable, const)) descriptor(IMAGE) __asm__("__mocl3_image");
#define EACH_IMAGE(M, ACCESS) \
  M(ACCESS image1d_t)         \
  M(ACCESS image1d_buffer_t)  \
  M(ACCESS image1d_array_t)   \
  M(ACCESS image2d_t)         \
  M(ACCESS image2d_array_t)   \
  M(ACCESS image3d_t)
EACH_IMAGE(DESCRIPTOR, read_only)
EACH_IMAGE(DESCRIPTOR, write_only)

// The values of a pixel's channels as a kernel sees them. Not always inlined: where
// the format is not known when a kernel is compiled these are long.
float4 __image_load_float(const global uchar *pixel, uint order, uint type);
int4 __image_load_integer(const global uchar *pixel, uint order, uint type);
// Integers are taken as signed or unsigned as the type is.
void __image_store_float(global uchar *pixel, uint order, uint type, float4 color);
void __image_store_integer(global uchar *pixel, uint order, uint type, int4 color);

// Between halves and floats, to the nearest.
#define FLOAT4_OF_HALF4(X) __builtin_convertvector(X, float4)
#define HALF4_OF_FLOAT4(X) __builtin_convertvector(X, half4)

// Where a pixel is. What has no rows or slices has 0 for them.
static inline __attribute__((always_inline)) global uchar *
pixel_at(descriptor_t image, int x, int y, int slice) {
  return image->data + (ulong)(uint)slice * image->slice_pitch +
         (ulong)(uint)y * image->row_pitch + (ulong)(uint)x * image->element_size;
}
