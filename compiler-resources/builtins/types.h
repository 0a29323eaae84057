// Shared by all files of the library: the attribute of a builtin, and lists of types over which
// definitions are repeated.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable

#define BUILTIN __attribute__((overloadable, always_inline))

// Limits of an integer type.
#define IS_SIGNED(S) ((S)-1 < (S)1)
#define BITS(S) (8 * (int)sizeof(S))
#define LEAST(S) (IS_SIGNED(S) ? (S)((S)1 << (BITS(S) - 1)) : (S)0)
#define MOST(S) ((S)~LEAST(S))

// M(width, ...) for each vector width.
#define EACH_WIDTH(M, ...) \
  M(2, __VA_ARGS__)        \
  M(3, __VA_ARGS__)        \
  M(4, __VA_ARGS__)        \
  M(8, __VA_ARGS__)        \
  M(16, __VA_ARGS__)

// M(scalar type, ...) for each integer type.
#define EACH_INTEGER(M, ...) \
  M(char, __VA_ARGS__)       \
  M(uchar, __VA_ARGS__)      \
  M(short, __VA_ARGS__)      \
  M(ushort, __VA_ARGS__)     \
  M(int, __VA_ARGS__)        \
  M(uint, __VA_ARGS__)       \
  M(long, __VA_ARGS__)       \
  M(ulong, __VA_ARGS__)

// M(type, unsigned type of that size, ...).
#define EACH_SIGNED(M, ...)      \
  M(char, uchar, __VA_ARGS__)    \
  M(short, ushort, __VA_ARGS__)  \
  M(int, uint, __VA_ARGS__)      \
  M(long, ulong, __VA_ARGS__)

#define EACH_SCALAR(M, ...)     \
  EACH_INTEGER(M, __VA_ARGS__)  \
  M(half, __VA_ARGS__)          \
  M(float, __VA_ARGS__)         \
  M(double, __VA_ARGS__)

// M(type, scalar, ...) for a scalar type and its vectors.
#define WITH_VECTORS(M, S, ...) \
  M(S, S, __VA_ARGS__)          \
  M(S##2, S, __VA_ARGS__)       \
  M(S##3, S, __VA_ARGS__)       \
  M(S##4, S, __VA_ARGS__)       \
  M(S##8, S, __VA_ARGS__)       \
  M(S##16, S, __VA_ARGS__)

#define ONLY_VECTORS(M, S, ...) \
  M(S##2, S, __VA_ARGS__)       \
  M(S##3, S, __VA_ARGS__)       \
  M(S##4, S, __VA_ARGS__)       \
  M(S##8, S, __VA_ARGS__)       \
  M(S##16, S, __VA_ARGS__)

// M(type, scalar, ...) for float, double and their vectors.
#define FLOAT_AND_DOUBLE(M, ...)     \
  WITH_VECTORS(M, float, __VA_ARGS__) \
  WITH_VECTORS(M, double, __VA_ARGS__)

// And for half: functions that are as accurate if each step is rounded to half.
#define EACH_FLOATING(M, ...)         \
  WITH_VECTORS(M, half, __VA_ARGS__)  \
  FLOAT_AND_DOUBLE(M, __VA_ARGS__)

// M(N, ...) for a scalar, with N empty, and for each vector width.
#define SCALAR_AND_WIDTHS(M, ...) \
  M(, __VA_ARGS__)                \
  EACH_WIDTH(M, __VA_ARGS__)

// M(type, scalar, ...) for all integer types and their vectors.
#define EACH_INTEGER_TYPE(M, ...)     \
  WITH_VECTORS(M, char, __VA_ARGS__)   \
  WITH_VECTORS(M, uchar, __VA_ARGS__)  \
  WITH_VECTORS(M, short, __VA_ARGS__)  \
  WITH_VECTORS(M, ushort, __VA_ARGS__) \
  WITH_VECTORS(M, int, __VA_ARGS__)    \
  WITH_VECTORS(M, uint, __VA_ARGS__)   \
  WITH_VECTORS(M, long, __VA_ARGS__)   \
  WITH_VECTORS(M, ulong, __VA_ARGS__)

// Vector overloads of a function that is defined for scalars: result type, name, argument
// types.
#define BY_COMPONENT_1(R, F, A) NAMED_BY_COMPONENT_1(R, A, F, F, F, F, F, F)

// The same where the name differs with the width.
#define NAMED_BY_COMPONENT_1(R, A, F, F2, F3, F4, F8, F16)                           \
  R##2 BUILTIN F2(A##2 a) { return (R##2)(F(a.x), F(a.y)); }                         \
  R##3 BUILTIN F3(A##3 a) { return (R##3)(F(a.x), F(a.y), F(a.z)); }                 \
  R##4 BUILTIN F4(A##4 a) { return (R##4)(F2(a.lo), F2(a.hi)); }                     \
  R##8 BUILTIN F8(A##8 a) { return (R##8)(F4(a.lo), F4(a.hi)); }                     \
  R##16 BUILTIN F16(A##16 a) { return (R##16)(F8(a.lo), F8(a.hi)); }

#define BY_COMPONENT_2(R, F, A, B)                                                   \
  R##2 BUILTIN F(A##2 a, B##2 b) { return (R##2)(F(a.x, b.x), F(a.y, b.y)); }        \
  R##3 BUILTIN F(A##3 a, B##3 b) {                                                   \
    return (R##3)(F(a.x, b.x), F(a.y, b.y), F(a.z, b.z));                            \
  }                                                                                  \
  R##4 BUILTIN F(A##4 a, B##4 b) { return (R##4)(F(a.lo, b.lo), F(a.hi, b.hi)); }    \
  R##8 BUILTIN F(A##8 a, B##8 b) { return (R##8)(F(a.lo, b.lo), F(a.hi, b.hi)); }    \
  R##16 BUILTIN F(A##16 a, B##16 b) { return (R##16)(F(a.lo, b.lo), F(a.hi, b.hi)); }

// As BY_COMPONENT_1 and 2 with one more argument that points to a result of type P in
// address space Q.
#define BY_COMPONENT_1_OUT(R, F, A, P, Q)                                            \
  R##2 BUILTIN F(A##2 a, Q P##2 *out) {                                              \
    P out0, out1;                                                                    \
    R##2 result = (R##2)(F(a.x, &out0), F(a.y, &out1));                              \
    *out = (P##2)(out0, out1);                                                       \
    return result;                                                                   \
  }                                                                                  \
  R##3 BUILTIN F(A##3 a, Q P##3 *out) {                                              \
    P out0, out1, out2;                                                              \
    R##3 result = (R##3)(F(a.x, &out0), F(a.y, &out1), F(a.z, &out2));               \
    *out = (P##3)(out0, out1, out2);                                                 \
    return result;                                                                   \
  }                                                                                  \
  BY_HALVES_1_OUT(R, F, A, P, Q, 4, 2)                                               \
  BY_HALVES_1_OUT(R, F, A, P, Q, 8, 4)                                               \
  BY_HALVES_1_OUT(R, F, A, P, Q, 16, 8)

#define BY_HALVES_1_OUT(R, F, A, P, Q, N, H)                                         \
  R##N BUILTIN F(A##N a, Q P##N *out) {                                              \
    P##H low, high;                                                                  \
    R##N result = (R##N)(F(a.lo, &low), F(a.hi, &high));                             \
    *out = (P##N)(low, high);                                                        \
    return result;                                                                   \
  }

#define BY_COMPONENT_2_OUT(R, F, A, B, P, Q)                                         \
  R##2 BUILTIN F(A##2 a, B##2 b, Q P##2 *out) {                                      \
    P out0, out1;                                                                    \
    R##2 result = (R##2)(F(a.x, b.x, &out0), F(a.y, b.y, &out1));                    \
    *out = (P##2)(out0, out1);                                                       \
    return result;                                                                   \
  }                                                                                  \
  R##3 BUILTIN F(A##3 a, B##3 b, Q P##3 *out) {                                      \
    P out0, out1, out2;                                                              \
    R##3 result =                                                                    \
        (R##3)(F(a.x, b.x, &out0), F(a.y, b.y, &out1), F(a.z, b.z, &out2));          \
    *out = (P##3)(out0, out1, out2);                                                 \
    return result;                                                                   \
  }                                                                                  \
  BY_HALVES_2_OUT(R, F, A, B, P, Q, 4, 2)                                            \
  BY_HALVES_2_OUT(R, F, A, B, P, Q, 8, 4)                                            \
  BY_HALVES_2_OUT(R, F, A, B, P, Q, 16, 8)

#define BY_HALVES_2_OUT(R, F, A, B, P, Q, N, H)                                      \
  R##N BUILTIN F(A##N a, B##N b, Q P##N *out) {                                      \
    P##H low, high;                                                                  \
    R##N result = (R##N)(F(a.lo, b.lo, &low), F(a.hi, b.hi, &high));                 \
    *out = (P##N)(low, high);                                                        \
    return result;                                                                   \
  }

// 1 / X with an error of about 1 ulp: marked for `passes::reciprocal_estimates`.
#define RECIPROCAL(X) ({ _Pragma("clang fp reciprocal(on)") 1 / (X); })

// Of the type that float_type.h or double_type.h sets.
#define INFINITE ((R)(C)INFINITY)
#define UNDEFINED ((R)(C)NAN)
#define POWER_OF_2(E) AS(R, ((E) + BIAS) << MANTISSA)
