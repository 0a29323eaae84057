// Shared by the image functions: the descriptor of an image, the bits of a sampler, and
// functions that read and write pixels.

#include "types.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

// The layout of ImageDescriptor in image_argument.rs, to which an image argument points.
struct image_descriptor {
  global uchar *data;
  uint width, height, depth, array_size;
  ulong row_pitch, slice_pitch;
  uint channel_order, channel_data_type, element_size, reserved;
};
typedef constant struct image_descriptor *descriptor_t;

// The compiler replaces calls of this intrinsic by the image argument. Arguments of all image
// types are pointers to a descriptor, so all overloads have one symbol.
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

// Converts between a pixel's channels and a kernel's values. Not always_inline: if the format is
// unknown when the kernel is compiled, these functions are long.
float4 __image_load_float(const global uchar *pixel, uint order, uint type);
int4 __image_load_integer(const global uchar *pixel, uint order, uint type);
// Integers are signed or unsigned as the type.
void __image_store_float(global uchar *pixel, uint order, uint type, float4 color);
void __image_store_integer(global uchar *pixel, uint order, uint type, int4 color);

// Conversions between half and float, rounded to nearest.
#define FLOAT4_OF_HALF4(X) __builtin_convertvector(X, float4)
#define HALF4_OF_FLOAT4(X) __builtin_convertvector(X, half4)

// The address of a pixel. Images without rows or slices have pitches of 0.
static inline __attribute__((always_inline)) global uchar *
pixel_at(descriptor_t image, int x, int y, int slice) {
  return image->data + (ulong)(uint)slice * image->slice_pitch +
         (ulong)(uint)y * image->row_pitch + (ulong)(uint)x * image->element_size;
}
