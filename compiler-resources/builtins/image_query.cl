// Queries on images (6.12.14.5).

#include "image.h"

#define OF_ALL(IMAGE)                                                                    \
  int BUILTIN __attribute__((const)) get_image_width(IMAGE i) {                          \
    return descriptor(i)->width;                                                         \
  }                                                                                      \
  int BUILTIN __attribute__((const)) get_image_channel_data_type(IMAGE i) {              \
    return descriptor(i)->channel_data_type;                                             \
  }                                                                                      \
  int BUILTIN __attribute__((const)) get_image_channel_order(IMAGE i) {                  \
    return descriptor(i)->channel_order;                                                 \
  }
#define OF_PLANES(IMAGE)                                                                 \
  int BUILTIN __attribute__((const)) get_image_height(IMAGE i) {                         \
    return descriptor(i)->height;                                                        \
  }                                                                                      \
  int2 BUILTIN __attribute__((const)) get_image_dim(IMAGE i) {                           \
    return (int2)(descriptor(i)->width, descriptor(i)->height);                          \
  }
#define OF_VOLUMES(IMAGE)                                                                \
  int BUILTIN __attribute__((const)) get_image_height(IMAGE i) {                         \
    return descriptor(i)->height;                                                        \
  }                                                                                      \
  int BUILTIN __attribute__((const)) get_image_depth(IMAGE i) {                          \
    return descriptor(i)->depth;                                                         \
  }                                                                                      \
  int4 BUILTIN __attribute__((const)) get_image_dim(IMAGE i) {                           \
    return (int4)(descriptor(i)->width, descriptor(i)->height, descriptor(i)->depth, 0); \
  }
#define OF_ARRAYS(IMAGE)                                                                 \
  size_t BUILTIN __attribute__((const)) get_image_array_size(IMAGE i) {                  \
    return descriptor(i)->array_size;                                                    \
  }

#define QUERIES(ACCESS)              \
  EACH_IMAGE(OF_ALL, ACCESS)         \
  OF_PLANES(ACCESS image2d_t)        \
  OF_PLANES(ACCESS image2d_array_t)  \
  OF_VOLUMES(ACCESS image3d_t)       \
  OF_ARRAYS(ACCESS image1d_array_t)  \
  OF_ARRAYS(ACCESS image2d_array_t)

QUERIES(read_only)
QUERIES(write_only)
