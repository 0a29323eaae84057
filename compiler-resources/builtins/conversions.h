// Macros shared by conversions to integers and to floating-point types.

#include "types.h"

#define FROM_ALL_INTEGERS(M, R) \
  M(R, char)                    \
  M(R, uchar)                   \
  M(R, short)                   \
  M(R, ushort)                  \
  M(R, int)                     \
  M(R, uint)                    \
  M(R, long)                    \
  M(R, ulong)
#define FROM_ALL(M, R)       \
  FROM_ALL_INTEGERS(M, R)    \
  M(R, half)                 \
  M(R, float)                \
  M(R, double)

// Vectors: as a whole without rounding mode and saturation, else by component.
#define WHOLE(N, R, S) \
  R##N BUILTIN convert_##R##N(S##N x) { return __builtin_convertvector(x, R##N); }
#define PARTS(R, S, SUFFIX)                                                           \
  NAMED_BY_COMPONENT_1(R, S, convert_##R##SUFFIX, convert_##R##2##SUFFIX,             \
                       convert_##R##3##SUFFIX, convert_##R##4##SUFFIX,                \
                       convert_##R##8##SUFFIX, convert_##R##16##SUFFIX)
#define ROUNDED(R, S)  \
  PARTS(R, S, _rte)    \
  PARTS(R, S, _rtz)    \
  PARTS(R, S, _rtp)    \
  PARTS(R, S, _rtn)
