// Explicit conversions (6.2.3) to vectors of integers: all types, widths, saturation and roundings. A
// part of its own: it is large, and most programs convert scalars only.

#include "conversions.h"

#define SATURATED(R, S)    \
  PARTS(R, S, _sat)        \
  PARTS(R, S, _sat_rte)    \
  PARTS(R, S, _sat_rtz)    \
  PARTS(R, S, _sat_rtp)    \
  PARTS(R, S, _sat_rtn)
#define TO_INTEGER_VECTOR(R, S) EACH_WIDTH(WHOLE, R, S) ROUNDED(R, S) SATURATED(R, S)
FROM_ALL(TO_INTEGER_VECTOR, char)
FROM_ALL(TO_INTEGER_VECTOR, uchar)
FROM_ALL(TO_INTEGER_VECTOR, short)
FROM_ALL(TO_INTEGER_VECTOR, ushort)
FROM_ALL(TO_INTEGER_VECTOR, int)
FROM_ALL(TO_INTEGER_VECTOR, uint)
FROM_ALL(TO_INTEGER_VECTOR, long)
FROM_ALL(TO_INTEGER_VECTOR, ulong)
