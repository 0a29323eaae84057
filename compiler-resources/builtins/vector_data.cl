// Vector data load and store (6.12.7) and shuffles (6.12.12).

#include "single_halves.h"
#include "types.h"

// vloadn and vstoren require only the alignment of an element.
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

// Loads and stores of half in memory.
#define HALF_LOAD(N, Q)                                                      \
  float##N BUILTIN vload_half##N(size_t offset, const Q half *p) {           \
    return convert_float##N(vload##N(offset, p));                            \
  }                                                                          \
  float##N BUILTIN vloada_half##N(size_t offset, const Q half *p) {          \
    return vload_half##N(0, p + offset * (N == 3 ? 4 : N));                  \
  }
#define HALF_LOADS(Q)                                                        \
  float BUILTIN vload_half(size_t offset, const Q half *p) { return (float)p[offset]; } \
  float BUILTIN vloada_half(size_t offset, const Q half *p) { return (float)p[offset]; } \
  EACH_WIDTH(HALF_LOAD, Q)
HALF_LOADS(__global)
HALF_LOADS(__local)
HALF_LOADS(__constant)
HALF_LOADS(__private)

#define HALF_STORE_N(N, S, Q, SUFFIX)                                                \
  void BUILTIN vstore_half##N##SUFFIX(S##N data, size_t offset, Q half *p) {         \
    vstore##N(convert_half##N##SUFFIX(data), offset, p);                             \
  }                                                                                  \
  void BUILTIN vstorea_half##N##SUFFIX(S##N data, size_t offset, Q half *p) {        \
    vstore_half##N##SUFFIX(data, 0, p + offset * (N == 3 ? 4 : N));                  \
  }
#define HALF_STORE(S, Q, SUFFIX)                                                     \
  void BUILTIN vstore_half##SUFFIX(S data, size_t offset, Q half *p) {               \
    p[offset] = convert_half##SUFFIX(data);                                          \
  }                                                                                  \
  void BUILTIN vstorea_half##SUFFIX(S data, size_t offset, Q half *p) {              \
    p[offset] = convert_half##SUFFIX(data);                                          \
  }                                                                                  \
  EACH_WIDTH(HALF_STORE_N, S, Q, SUFFIX)
#define HALF_STORES(S, Q)    \
  HALF_STORE(S, Q, )         \
  HALF_STORE(S, Q, _rte)     \
  HALF_STORE(S, Q, _rtz)     \
  HALF_STORE(S, Q, _rtp)     \
  HALF_STORE(S, Q, _rtn)
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
SHUFFLES(half, ushort)
SHUFFLES(float, uint)
SHUFFLES(double, ulong)
