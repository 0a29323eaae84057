// Relational functions (6.12.6). Scalars give 0 or 1, vectors 0 or -1 per component.

#include "types.h"

#define COMPARISONS(T, R)                                                    \
  R BUILTIN isequal(T x, T y) { return x == y; }                             \
  R BUILTIN isnotequal(T x, T y) { return x != y; }                          \
  R BUILTIN isgreater(T x, T y) { return x > y; }                            \
  R BUILTIN isgreaterequal(T x, T y) { return x >= y; }                      \
  R BUILTIN isless(T x, T y) { return x < y; }                               \
  R BUILTIN islessequal(T x, T y) { return x <= y; }                         \
  R BUILTIN islessgreater(T x, T y) { return (x < y) | (x > y); }            \
  R BUILTIN isordered(T x, T y) { return (x == x) & (y == y); }              \
  R BUILTIN isunordered(T x, T y) { return (x != x) | (y != y); }            \
  R BUILTIN isnan(T x) { return x != x; }                                    \
  R BUILTIN isinf(T x) { return fabs(x) == (T)INFINITY; }                    \
  R BUILTIN isfinite(T x) { return fabs(x) < (T)INFINITY; }
#define COMPARISON_VECTORS(N, S, R) COMPARISONS(S##N, R##N)
COMPARISONS(half, int)
EACH_WIDTH(COMPARISON_VECTORS, half, short)
COMPARISONS(float, int)
EACH_WIDTH(COMPARISON_VECTORS, float, int)
COMPARISONS(double, int)
EACH_WIDTH(COMPARISON_VECTORS, double, long)

// Classified by bits: B is the integer type of that size.
#define CLASSES(T, R, B, LEAST_NORMAL)                                       \
  R BUILTIN isnormal(T x) {                                                  \
    return (fabs(x) < (T)INFINITY) & (fabs(x) >= (T)LEAST_NORMAL);           \
  }                                                                          \
  R BUILTIN signbit(T x) { return __builtin_astype(x, B) < (B)0; }
#define CLASS_VECTORS(N, S, R, B, LEAST_NORMAL) CLASSES(S##N, R##N, B##N, LEAST_NORMAL)
CLASSES(half, int, short, HALF_MIN)
EACH_WIDTH(CLASS_VECTORS, half, short, short, HALF_MIN)
CLASSES(float, int, int, FLT_MIN)
EACH_WIDTH(CLASS_VECTORS, float, int, int, FLT_MIN)
CLASSES(double, int, long, DBL_MIN)
EACH_WIDTH(CLASS_VECTORS, double, long, long, DBL_MIN)

// any and all test the most significant bits.
#define ANY_ALL(S, ...)                                                                  \
  int BUILTIN any(S x) { return x < 0; }                                                 \
  int BUILTIN all(S x) { return x < 0; }                                                 \
  int BUILTIN any(S##2 x) { return (S)(x.x | x.y) < 0; }                                 \
  int BUILTIN all(S##2 x) { return (S)(x.x & x.y) < 0; }                                 \
  int BUILTIN any(S##3 x) { return (S)(x.x | x.y | x.z) < 0; }                           \
  int BUILTIN all(S##3 x) { return (S)(x.x & x.y & x.z) < 0; }                           \
  int BUILTIN any(S##4 x) { return any(x.lo | x.hi); }                                   \
  int BUILTIN all(S##4 x) { return all(x.lo & x.hi); }                                   \
  int BUILTIN any(S##8 x) { return any(x.lo | x.hi); }                                   \
  int BUILTIN all(S##8 x) { return all(x.lo & x.hi); }                                   \
  int BUILTIN any(S##16 x) { return any(x.lo | x.hi); }                                  \
  int BUILTIN all(S##16 x) { return all(x.lo & x.hi); }
ANY_ALL(char)
ANY_ALL(short)
ANY_ALL(int)
ANY_ALL(long)

// bitselect: on the representation, of type B.
#define BITSELECT(T, B)                                                      \
  T BUILTIN bitselect(T a, T b, T c) {                                       \
    B mask = __builtin_astype(c, B);                                         \
    return __builtin_astype(                                                 \
        (B)((__builtin_astype(a, B) & ~mask) | (__builtin_astype(b, B) & mask)), T); \
  }
#define BITSELECT_VECTORS(N, S, B) BITSELECT(S##N, B##N)
#define BITSELECTS(S, B) BITSELECT(S, B) EACH_WIDTH(BITSELECT_VECTORS, S, B)
BITSELECTS(char, char)
BITSELECTS(uchar, uchar)
BITSELECTS(short, short)
BITSELECTS(ushort, ushort)
BITSELECTS(int, int)
BITSELECTS(uint, uint)
BITSELECTS(long, long)
BITSELECTS(ulong, ulong)
BITSELECTS(half, short)
BITSELECTS(float, int)
BITSELECTS(double, long)

// select: a scalar selects if it is not 0, a vector's component by its most significant bit. C is the signed
// integer type of that size.
#define SELECT_SCALAR(S, C) \
  S BUILTIN select(S a, S b, C c) { return c ? b : a; }
#define SELECT_VECTOR(N, S, C, SIGNED) \
  S##N BUILTIN select(S##N a, S##N b, C##N c) { return __builtin_astype(c, SIGNED##N) < (SIGNED##N)0 ? b : a; }
#define SELECTS(S, SIGNED)                      \
  SELECT_SCALAR(S, SIGNED)                      \
  SELECT_SCALAR(S, u##SIGNED)                   \
  EACH_WIDTH(SELECT_VECTOR, S, SIGNED, SIGNED)  \
  EACH_WIDTH(SELECT_VECTOR, S, u##SIGNED, SIGNED)
SELECTS(char, char)
SELECTS(uchar, char)
SELECTS(short, short)
SELECTS(ushort, short)
SELECTS(int, int)
SELECTS(uint, int)
SELECTS(long, long)
SELECTS(ulong, long)
SELECTS(half, short)
SELECTS(float, int)
SELECTS(double, long)
