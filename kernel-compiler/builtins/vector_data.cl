// Vector data load and store (6.12.7) and shuffles (6.12.12).

#include "types.h"

// Elements of vloadn and vstoren are aligned as scalars only.
#define UNALIGNED(N, S) typedef S##N __attribute__((aligned(sizeof(S)))) unaligned_##S##N;
#define EACH_UNALIGNED(S, ...) \
  UNALIGNED(2, S)              \
  UNALIGNED(4, S)              \
  UNALIGNED(8, S)              \
  UNALIGNED(16, S)
EACH_SCALAR(EACH_UNALIGNED)

#define LOAD(N, S, Q)                                                        \
  S##N BUILTIN vload##N(size_t offset, const Q S *p) {                       \
    return *(const Q unaligned_##S##N *)(p + offset * N);                    \
  }
#define STORE(N, S, Q)                                                       \
  void BUILTIN vstore##N(S##N data, size_t offset, Q S *p) {                 \
    *(Q unaligned_##S##N *)(p + offset * N) = data;                          \
  }
#define LOADS(S, Q)                                                          \
  LOAD(2, S, Q)                                                              \
  S##3 BUILTIN vload3(size_t offset, const Q S *p) {                         \
    p += offset * 3;                                                         \
    return (S##3)(p[0], p[1], p[2]);                                         \
  }                                                                          \
  LOAD(4, S, Q)                                                              \
  LOAD(8, S, Q)                                                              \
  LOAD(16, S, Q)
#define STORES(S, Q)                                                         \
  STORE(2, S, Q)                                                             \
  void BUILTIN vstore3(S##3 data, size_t offset, Q S *p) {                   \
    p += offset * 3;                                                         \
    p[0] = data.x;                                                           \
    p[1] = data.y;                                                           \
    p[2] = data.z;                                                           \
  }                                                                          \
  STORE(4, S, Q)                                                             \
  STORE(8, S, Q)                                                             \
  STORE(16, S, Q)
EACH_SCALAR(LOADS, __global)
EACH_SCALAR(LOADS, __local)
EACH_SCALAR(LOADS, __constant)
EACH_SCALAR(LOADS, __private)
EACH_SCALAR(STORES, __global)
EACH_SCALAR(STORES, __local)
EACH_SCALAR(STORES, __private)

// Halves: the bits are those of IEEE 754 binary16.

static __attribute__((overloadable, always_inline)) float float_of_half(ushort bits) {
  uint sign = (uint)(bits & 0x8000) << 16;
  uint magnitude = bits & 0x7fff;
  // Scaling by a power of two turns the exponent's bias and denormals into float's.
  float scaled = as_float(magnitude << 13) * 0x1p+112f;
  uint special = magnitude >= 0x7c00 ? (0x7f800000u | (magnitude << 13)) : as_uint(scaled);
  return as_float(sign | special);
}

// Rounding of the magnitude: 0 to nearest even, 1 towards zero, 2 away from zero.
static __attribute__((always_inline)) ushort half_of_magnitude(ulong bits, int rounding) {
  // bits: those of a double that is not negative.
  if (bits > 0x7ff0000000000000ul)
    return 0x7e00 | (ushort)((bits >> 42) & 0x1ff);
  if (bits == 0x7ff0000000000000ul)
    return 0x7c00;
  int exponent = (int)(bits >> 52) - 1023;
  if (exponent > 15)
    return rounding == 1 ? 0x7bff : 0x7c00;
  if (exponent < -26)
    return rounding == 2 && bits != 0 ? 1 : 0;
  ulong significand = (bits & 0xffffffffffffful) | 0x10000000000000ul;
  int dropped = exponent < -14 ? 42 - 14 - exponent : 42;
  ulong kept = significand >> dropped;
  ulong rest = significand & ((1ul << dropped) - 1);
  ulong half_unit = 1ul << (dropped - 1);
  if (rounding == 0)
    kept += rest > half_unit || (rest == half_unit && (kept & 1));
  else if (rounding == 2)
    kept += rest != 0;
  // A carry out of the significand raises the exponent, up to infinity, as it should.
  return exponent < -14 ? (ushort)kept : (ushort)(kept + ((ulong)(exponent + 14) << 10));
}

#define HALF_OF(S, SIGNED)                                                               \
  static __attribute__((overloadable, always_inline)) ushort half_rte(S x) {           \
    return (SIGNED(x) < 0 ? 0x8000 : 0) | half_of_magnitude(as_ulong(fabs((double)x)), 0); \
  }                                                                                    \
  static __attribute__((overloadable, always_inline)) ushort half_rtz(S x) {           \
    return (SIGNED(x) < 0 ? 0x8000 : 0) | half_of_magnitude(as_ulong(fabs((double)x)), 1); \
  }                                                                                    \
  static __attribute__((overloadable, always_inline)) ushort half_rtp(S x) {           \
    bool negative = SIGNED(x) < 0;                                                       \
    return (negative ? 0x8000 : 0) |                                                   \
           half_of_magnitude(as_ulong(fabs((double)x)), negative ? 1 : 2);             \
  }                                                                                    \
  static __attribute__((overloadable, always_inline)) ushort half_rtn(S x) {           \
    bool negative = SIGNED(x) < 0;                                                       \
    return (negative ? 0x8000 : 0) |                                                   \
           half_of_magnitude(as_ulong(fabs((double)x)), negative ? 2 : 1);             \
  }
HALF_OF(float, as_int)
HALF_OF(double, as_long)

#define HALF_LOAD_N(N, Q)                                                    \
  float##N BUILTIN vload_half##N(size_t offset, const Q half *p) {           \
    const Q ushort *bits = (const Q ushort *)p + offset * N;                 \
    float##N result;                                                         \
    for (int i = 0; i < N; ++i)                                              \
      result[i] = float_of_half(bits[i]);                                    \
    return result;                                                           \
  }                                                                          \
  float##N BUILTIN vloada_half##N(size_t offset, const Q half *p) {          \
    const Q ushort *bits = (const Q ushort *)p + offset * (N == 3 ? 4 : N);  \
    float##N result;                                                         \
    for (int i = 0; i < N; ++i)                                              \
      result[i] = float_of_half(bits[i]);                                    \
    return result;                                                           \
  }
#define HALF_LOADS(Q)                                                        \
  float BUILTIN vload_half(size_t offset, const Q half *p) {                 \
    return float_of_half(((const Q ushort *)p)[offset]);                     \
  }                                                                          \
  float BUILTIN vloada_half(size_t offset, const Q half *p) {                \
    return float_of_half(((const Q ushort *)p)[offset]);                     \
  }                                                                          \
  EACH_WIDTH(HALF_LOAD_N, Q)
HALF_LOADS(__global)
HALF_LOADS(__local)
HALF_LOADS(__constant)
HALF_LOADS(__private)

#define HALF_STORE_N(N, S, Q, SUFFIX, CONVERT)                                     \
  void BUILTIN vstore_half##N##SUFFIX(S##N data, size_t offset, Q half *p) {       \
    Q ushort *bits = (Q ushort *)p + offset * N;                                   \
    for (int i = 0; i < N; ++i)                                                    \
      bits[i] = CONVERT(data[i]);                                                  \
  }                                                                                \
  void BUILTIN vstorea_half##N##SUFFIX(S##N data, size_t offset, Q half *p) {      \
    Q ushort *bits = (Q ushort *)p + offset * (N == 3 ? 4 : N);                    \
    for (int i = 0; i < N; ++i)                                                    \
      bits[i] = CONVERT(data[i]);                                                  \
  }
#define HALF_STORE(S, Q, SUFFIX, CONVERT)                                          \
  void BUILTIN vstore_half##SUFFIX(S data, size_t offset, Q half *p) {             \
    ((Q ushort *)p)[offset] = CONVERT(data);                                       \
  }                                                                                \
  void BUILTIN vstorea_half##SUFFIX(S data, size_t offset, Q half *p) {            \
    ((Q ushort *)p)[offset] = CONVERT(data);                                       \
  }                                                                                \
  EACH_WIDTH(HALF_STORE_N, S, Q, SUFFIX, CONVERT)
#define HALF_STORES(S, Q)              \
  HALF_STORE(S, Q, , half_rte)         \
  HALF_STORE(S, Q, _rte, half_rte)     \
  HALF_STORE(S, Q, _rtz, half_rtz)     \
  HALF_STORE(S, Q, _rtp, half_rtp)     \
  HALF_STORE(S, Q, _rtn, half_rtn)
HALF_STORES(float, __global)
HALF_STORES(float, __local)
HALF_STORES(float, __private)
HALF_STORES(double, __global)
HALF_STORES(double, __local)
HALF_STORES(double, __private)

// Shuffles: element type, mask element type, mask width, source width.
#define SHUFFLE(S, U, M, N)                                                   \
  S##M BUILTIN shuffle(S##N x, U##M mask) {                                   \
    S##M result;                                                              \
    for (int i = 0; i < M; ++i)                                               \
      result[i] = x[mask[i] & (N - 1)];                                       \
    return result;                                                            \
  }                                                                           \
  S##M BUILTIN shuffle2(S##N x, S##N y, U##M mask) {                          \
    S##M result;                                                              \
    for (int i = 0; i < M; ++i) {                                             \
      uint at = mask[i] & (2 * N - 1);                                        \
      result[i] = at < N ? x[at & (N - 1)] : y[at & (N - 1)];                 \
    }                                                                         \
    return result;                                                            \
  }
#define SHUFFLE_TO(S, U, M) \
  SHUFFLE(S, U, M, 2)       \
  SHUFFLE(S, U, M, 4)       \
  SHUFFLE(S, U, M, 8)       \
  SHUFFLE(S, U, M, 16)
#define SHUFFLES(S, U)  \
  SHUFFLE_TO(S, U, 2)   \
  SHUFFLE_TO(S, U, 4)   \
  SHUFFLE_TO(S, U, 8)   \
  SHUFFLE_TO(S, U, 16)
SHUFFLES(char, uchar)
SHUFFLES(uchar, uchar)
SHUFFLES(short, ushort)
SHUFFLES(ushort, ushort)
SHUFFLES(int, uint)
SHUFFLES(uint, uint)
SHUFFLES(long, ulong)
SHUFFLES(ulong, ulong)
SHUFFLES(float, uint)
SHUFFLES(double, ulong)
