// Integer functions (6.12.3), and ctz of OpenCL C 2.0, which OpenCL C 1.2 programs may use too.

#include "types.h"

#define SIMPLE(T, S, ...)                                                              \
  T BUILTIN add_sat(T x, T y) { return __builtin_elementwise_add_sat(x, y); }          \
  T BUILTIN sub_sat(T x, T y) { return __builtin_elementwise_sub_sat(x, y); }          \
  T BUILTIN hadd(T x, T y) { return (T)((x >> (T)1) + (y >> (T)1) + (x & y & (T)1)); } \
  T BUILTIN rhadd(T x, T y) {                                                          \
    return (T)((x >> (T)1) + (y >> (T)1) + ((x | y) & (T)1));                          \
  }                                                                                    \
  T BUILTIN max(T x, T y) { return __builtin_elementwise_max(x, y); }                  \
  T BUILTIN min(T x, T y) { return __builtin_elementwise_min(x, y); }                  \
  T BUILTIN clamp(T x, T low, T high) {                                                \
    return __builtin_elementwise_min(__builtin_elementwise_max(x, low), high);         \
  }                                                                                    \
  T BUILTIN popcount(T x) { return __builtin_elementwise_popcount(x); }                \
  T BUILTIN ctz(T x) { return __builtin_elementwise_ctzg(x, (T)BITS(S)); }
EACH_INTEGER_TYPE(SIMPLE)

#define WITH_SCALAR_BOUNDS(T, S, ...)                             \
  T BUILTIN max(T x, S y) { return max(x, (T)y); }                \
  T BUILTIN min(T x, S y) { return min(x, (T)y); }                \
  T BUILTIN clamp(T x, S low, S high) { return clamp(x, (T)low, (T)high); }
#define VECTORS_WITH_SCALAR_BOUNDS(S, ...) ONLY_VECTORS(WITH_SCALAR_BOUNDS, S)
EACH_INTEGER(VECTORS_WITH_SCALAR_BOUNDS)

// abs and abs_diff return the unsigned type. That of unsigned 8-byte elements is not max - min: if
// their top bits are known to differ, LLVM 22 miscompiles it to a signed difference.
#define ABSOLUTE(T, U)                                                       \
  U BUILTIN abs(T x) { return (U)(x < 0 ? (U)0 - (U)x : (U)x); }             \
  U BUILTIN abs(U x) { return x; }                                           \
  U BUILTIN abs_diff(T x, T y) {                                             \
    return (U)(x > y ? (U)x - (U)y : (U)y - (U)x);                           \
  }                                                                          \
  U BUILTIN abs_diff(U x, U y) { return (U)(x > y ? x - y : y - x); }
#define ABSOLUTE_VECTOR(N, T, U)                                             \
  U##N BUILTIN abs(T##N x) { return __builtin_astype(__builtin_elementwise_abs(x), U##N); } \
  U##N BUILTIN abs(U##N x) { return x; }                                     \
  U##N BUILTIN abs_diff(T##N x, T##N y) {                                    \
    U##N a = __builtin_astype(__builtin_elementwise_max(x, y), U##N);        \
    U##N b = __builtin_astype(__builtin_elementwise_min(x, y), U##N);        \
    return a - b;                                                            \
  }                                                                          \
  U##N BUILTIN abs_diff(U##N x, U##N y) {                                    \
    return sizeof(U) == 8                                                    \
               ? __builtin_elementwise_sub_sat(x, y) +                       \
                     __builtin_elementwise_sub_sat(y, x)                     \
               : __builtin_elementwise_max(x, y) -                           \
                     __builtin_elementwise_min(x, y);                        \
  }
#define EACH_ABSOLUTE(T, U, ...) ABSOLUTE(T, U) EACH_WIDTH(ABSOLUTE_VECTOR, T, U)
EACH_SIGNED(EACH_ABSOLUTE)

// rotate: the count is taken modulo the width, as for unsigned counts.
#define ROTATE(T, U)                                                         \
  U BUILTIN rotate(U x, U y) { return __builtin_elementwise_fshl(x, x, y); } \
  T BUILTIN rotate(T x, T y) {                                               \
    return __builtin_astype(rotate(__builtin_astype(x, U), __builtin_astype(y, U)), T); \
  }
#define ROTATE_VECTOR(N, T, U) ROTATE(T##N, U##N)
#define EACH_ROTATE(T, U, ...) ROTATE(T, U) EACH_WIDTH(ROTATE_VECTOR, T, U)
EACH_SIGNED(EACH_ROTATE)

// clz of 0 is the width.
#define LEADING_ZEROS(S, ...)                                                \
  S BUILTIN clz(S x) {                                                       \
    ulong bits = (ulong)x & (~0ul >> (64 - BITS(S)));                        \
    return bits ? (S)(__builtin_clzl(bits) - (64 - BITS(S))) : (S)BITS(S);   \
  }                                                                          \
  BY_COMPONENT_1(S, clz, S)
EACH_INTEGER(LEADING_ZEROS)

// mul_hi through the next wider type.
#define HIGH_PRODUCT(S, WIDE)                                                \
  S BUILTIN mul_hi(S x, S y) { return (S)(((WIDE)x * (WIDE)y) >> BITS(S)); } \
  BY_COMPONENT_2(S, mul_hi, S, S)
HIGH_PRODUCT(char, int)
HIGH_PRODUCT(uchar, uint)
HIGH_PRODUCT(short, int)
HIGH_PRODUCT(ushort, uint)
HIGH_PRODUCT(int, long)
HIGH_PRODUCT(uint, ulong)
HIGH_PRODUCT(long, __int128)
HIGH_PRODUCT(ulong, unsigned __int128)

#define MULTIPLY_ADD(S, WIDE)                                                \
  S BUILTIN mad_sat(S x, S y, S z) {                                         \
    WIDE sum = (WIDE)x * (WIDE)y + (WIDE)z;                                  \
    return sum < (WIDE)LEAST(S) ? LEAST(S) : sum > (WIDE)MOST(S) ? MOST(S) : (S)sum; \
  }
MULTIPLY_ADD(char, int)
MULTIPLY_ADD(uchar, uint)
MULTIPLY_ADD(short, long)
MULTIPLY_ADD(ushort, ulong)
MULTIPLY_ADD(int, long)
MULTIPLY_ADD(uint, ulong)
MULTIPLY_ADD(long, __int128)
MULTIPLY_ADD(ulong, unsigned __int128)
#define MULTIPLY_ADD_VECTORS(S, ...)                                         \
  S##2 BUILTIN mad_sat(S##2 x, S##2 y, S##2 z) {                             \
    return (S##2)(mad_sat(x.x, y.x, z.x), mad_sat(x.y, y.y, z.y));           \
  }                                                                          \
  S##3 BUILTIN mad_sat(S##3 x, S##3 y, S##3 z) {                             \
    return (S##3)(mad_sat(x.x, y.x, z.x), mad_sat(x.y, y.y, z.y), mad_sat(x.z, y.z, z.z)); \
  }                                                                          \
  S##4 BUILTIN mad_sat(S##4 x, S##4 y, S##4 z) {                             \
    return (S##4)(mad_sat(x.lo, y.lo, z.lo), mad_sat(x.hi, y.hi, z.hi));     \
  }                                                                          \
  S##8 BUILTIN mad_sat(S##8 x, S##8 y, S##8 z) {                             \
    return (S##8)(mad_sat(x.lo, y.lo, z.lo), mad_sat(x.hi, y.hi, z.hi));     \
  }                                                                          \
  S##16 BUILTIN mad_sat(S##16 x, S##16 y, S##16 z) {                         \
    return (S##16)(mad_sat(x.lo, y.lo, z.lo), mad_sat(x.hi, y.hi, z.hi));    \
  }
EACH_INTEGER(MULTIPLY_ADD_VECTORS)
#define HIGH_MULTIPLY_ADD(T, S, ...) \
  T BUILTIN mad_hi(T x, T y, T z) { return mul_hi(x, y) + z; }
EACH_INTEGER_TYPE(HIGH_MULTIPLY_ADD)

// 24-bit products: the operands are within 24 bits, so the low 32 bits are the product.
#define SHORT_PRODUCT(T, S, ...)                       \
  T BUILTIN mul24(T x, T y) { return x * y; }          \
  T BUILTIN mad24(T x, T y, T z) { return x * y + z; }
WITH_VECTORS(SHORT_PRODUCT, int)
WITH_VECTORS(SHORT_PRODUCT, uint)

#define UPSAMPLE(WIDE, HIGH, LOW)                                            \
  WIDE BUILTIN upsample(HIGH high, LOW low) {                                \
    return (WIDE)(((WIDE)high << BITS(LOW)) | (WIDE)low);                    \
  }                                                                          \
  BY_COMPONENT_2(WIDE, upsample, HIGH, LOW)
UPSAMPLE(short, char, uchar)
UPSAMPLE(ushort, uchar, uchar)
UPSAMPLE(int, short, ushort)
UPSAMPLE(uint, ushort, ushort)
UPSAMPLE(long, int, uint)
UPSAMPLE(ulong, uint, uint)
