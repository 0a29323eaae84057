// Common functions (6.12.4) and geometric functions (6.12.5).

#include "types.h"

#define COMMON(T, S, ...)                                                    \
  T BUILTIN clamp(T x, T low, T high) { return fmin(fmax(x, low), high); }   \
  T BUILTIN max(T x, T y) { return x < y ? y : x; }                          \
  T BUILTIN min(T x, T y) { return y < x ? y : x; }                          \
  T BUILTIN step(T edge, T x) { return x < edge ? (T)0 : (T)1; }             \
  T BUILTIN sign(T x) {                                                      \
    T one = copysign((T)1, x);                                               \
    T zero_or_one = x == (T)0 ? x : one;                                     \
    return x != x ? (T)0 : zero_or_one;                                      \
  }
EACH_FLOATING(COMMON)

#define WIDER_COMMON(T, S, ...)                                              \
  T BUILTIN degrees(T x) { return x * (T)(S)57.295779513082320876798154814105; } \
  T BUILTIN radians(T x) { return x * (T)(S)0.017453292519943295769236907684886; } \
  T BUILTIN mix(T x, T y, T a) { return x + (y - x) * a; }                   \
  T BUILTIN smoothstep(T low, T high, T x) {                                 \
    T t = clamp((x - low) / (high - low), (T)0, (T)1);                       \
    return t * t * ((T)3 - (T)2 * t);                                        \
  }
FLOAT_AND_DOUBLE(WIDER_COMMON)

// Computed in float: no difference of halves overflows, and only the result is rounded.
#define HALF_COMMON(N, ...)                                                  \
  half##N BUILTIN degrees(half##N x) {                                       \
    return convert_half##N(degrees(convert_float##N(x)));                    \
  }                                                                          \
  half##N BUILTIN radians(half##N x) {                                       \
    return convert_half##N(radians(convert_float##N(x)));                    \
  }                                                                          \
  half##N BUILTIN mix(half##N x, half##N y, half##N a) {                     \
    return convert_half##N(                                                  \
        mix(convert_float##N(x), convert_float##N(y), convert_float##N(a))); \
  }                                                                          \
  half##N BUILTIN smoothstep(half##N low, half##N high, half##N x) {         \
    return convert_half##N(smoothstep(convert_float##N(low), convert_float##N(high), \
                                      convert_float##N(x)));                 \
  }
SCALAR_AND_WIDTHS(HALF_COMMON)

#define WITH_SCALARS(T, S, ...)                                              \
  T BUILTIN clamp(T x, S low, S high) { return clamp(x, (T)low, (T)high); }  \
  T BUILTIN max(T x, S y) { return max(x, (T)y); }                           \
  T BUILTIN min(T x, S y) { return min(x, (T)y); }                           \
  T BUILTIN mix(T x, T y, S a) { return mix(x, y, (T)a); }                   \
  T BUILTIN step(S edge, T x) { return step((T)edge, x); }                   \
  T BUILTIN smoothstep(S low, S high, T x) { return smoothstep((T)low, (T)high, x); }
ONLY_VECTORS(WITH_SCALARS, half)
ONLY_VECTORS(WITH_SCALARS, float)
ONLY_VECTORS(WITH_SCALARS, double)

#define GEOMETRIC(S)                                                         \
  S##3 BUILTIN cross(S##3 a, S##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; } \
  S##4 BUILTIN cross(S##4 a, S##4 b) { return (S##4)(cross(a.xyz, b.xyz), (S)0); } \
  S BUILTIN dot(S a, S b) { return a * b; }                                  \
  S BUILTIN dot(S##2 a, S##2 b) { return a.x * b.x + a.y * b.y; }            \
  S BUILTIN dot(S##3 a, S##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; } \
  S BUILTIN dot(S##4 a, S##4 b) {                                            \
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;                    \
  }
GEOMETRIC(float)
GEOMETRIC(double)

// Scales the coordinates if the square of the length would overflow or underflow.
#define LENGTHS(T, S, LEAST_SQUARE, LARGE, SMALL)                                      \
  S BUILTIN length(T x) {                                                    \
    S square = dot(x, x);                                                    \
    if (square < (S)INFINITY && square > (S)LEAST_SQUARE)                         \
      return sqrt(square);                                                   \
    S scale = square < (S)1 ? (S)LARGE : (S)SMALL;                           \
    T scaled = x * scale;                                                    \
    return sqrt(dot(scaled, scaled)) / scale;                                \
  }                                                                          \
  S BUILTIN distance(T x, T y) { return length(x - y); }                     \
  T BUILTIN normalize(T x) {                                                 \
    S square = dot(x, x);                                                    \
    if (square < (S)INFINITY && square > (S)LEAST_SQUARE)                         \
      return x * rsqrt(square);                                              \
    if (square == (S)0 && all_zero(x))                                       \
      return x;                                                              \
    if (square == (S)INFINITY && any_infinite(x))                            \
      x = infinite_to_one(x);                                                \
    else                                                                     \
      x *= square < (S)1 ? (S)LARGE : (S)SMALL;                              \
    return x * rsqrt(dot(x, x));                                           \
  }
#define NORMAL_CASES(T, ANY, ALL)                                            \
  static __attribute__((overloadable)) bool all_zero(T x) { return ALL(x == (T)0); } \
  static __attribute__((overloadable)) bool any_infinite(T x) {              \
    return ANY(fabs(x) == (T)INFINITY);                                      \
  }                                                                          \
  static __attribute__((overloadable)) T infinite_to_one(T x) {              \
    return copysign(fabs(x) == (T)INFINITY ? (T)1 : (T)0, x);                \
  }
#define EACH_LENGTH(S, LEAST_SQUARE, LARGE, SMALL) \
  NORMAL_CASES(S, , )                        \
  NORMAL_CASES(S##2, any, all)               \
  NORMAL_CASES(S##3, any, all)               \
  NORMAL_CASES(S##4, any, all)               \
  LENGTHS(S, S, LEAST_SQUARE, LARGE, SMALL)                \
  LENGTHS(S##2, S, LEAST_SQUARE, LARGE, SMALL)             \
  LENGTHS(S##3, S, LEAST_SQUARE, LARGE, SMALL)             \
  LENGTHS(S##4, S, LEAST_SQUARE, LARGE, SMALL)
EACH_LENGTH(float, 0x1p-96, 0x1p+86, 0x1p-66)
EACH_LENGTH(double, 0x1p-900, 0x1p+563, 0x1p-513)

#define FAST(T)                                                              \
  float BUILTIN fast_length(T x) { return sqrt(dot(x, x)); }                 \
  float BUILTIN fast_distance(T x, T y) { return fast_length(x - y); }       \
  T BUILTIN fast_normalize(T x) {                                            \
    float square = dot(x, x);                                                \
    return square == 0.0f ? x : x * rsqrt(square);                            \
  }
FAST(float)
FAST(float2)
FAST(float3)
FAST(float4)

// half is computed in float, which represents the square of every half.
#define HALF_GEOMETRIC(N)                                                    \
  half BUILTIN dot(half##N a, half##N b) {                                   \
    return (half)dot(convert_float##N(a), convert_float##N(b));              \
  }                                                                          \
  half BUILTIN length(half##N x) { return (half)length(convert_float##N(x)); } \
  half BUILTIN distance(half##N x, half##N y) {                              \
    return (half)distance(convert_float##N(x), convert_float##N(y));         \
  }                                                                          \
  half##N BUILTIN normalize(half##N x) {                                     \
    return convert_half##N(normalize(convert_float##N(x)));                  \
  }
HALF_GEOMETRIC()
HALF_GEOMETRIC(2)
HALF_GEOMETRIC(3)
HALF_GEOMETRIC(4)
#define HALF_CROSS(N)                                                        \
  half##N BUILTIN cross(half##N a, half##N b) {                              \
    return convert_half##N(cross(convert_float##N(a), convert_float##N(b))); \
  }
HALF_CROSS(3)
HALF_CROSS(4)
