// Atomic functions (6.12.11) and those of cl_khr_int64_base_atomics and
// cl_khr_int64_extended_atomics. Relaxed: OpenCL 1.2 requires no ordering.

#include "types.h"

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define RELAXED __ATOMIC_RELAXED

#define TWO_OPERANDS(NAME, OPERATION, T, Q) \
  T BUILTIN NAME(volatile Q T *p, T value) { return __atomic_##OPERATION(p, value, RELAXED); }
#define NO_OPERAND(NAME, OPERATION, T, Q) \
  T BUILTIN NAME(volatile Q T *p) { return __atomic_##OPERATION(p, (T)1, RELAXED); }
#define COMPARE_EXCHANGE(NAME, T, Q)                                                \
  T BUILTIN NAME(volatile Q T *p, T expected, T value) {                            \
    __atomic_compare_exchange_n(p, &expected, value, false, RELAXED, RELAXED);      \
    return expected;                                                                \
  }
#define BASE(PREFIX, T, Q)                                \
  TWO_OPERANDS(PREFIX##_add, fetch_add, T, Q)             \
  TWO_OPERANDS(PREFIX##_sub, fetch_sub, T, Q)             \
  TWO_OPERANDS(PREFIX##_xchg, exchange_n, T, Q)           \
  NO_OPERAND(PREFIX##_inc, fetch_add, T, Q)               \
  NO_OPERAND(PREFIX##_dec, fetch_sub, T, Q)               \
  COMPARE_EXCHANGE(PREFIX##_cmpxchg, T, Q)
#define EXTENDED(PREFIX, T, Q)                            \
  TWO_OPERANDS(PREFIX##_min, fetch_min, T, Q)             \
  TWO_OPERANDS(PREFIX##_max, fetch_max, T, Q)             \
  TWO_OPERANDS(PREFIX##_and, fetch_and, T, Q)             \
  TWO_OPERANDS(PREFIX##_or, fetch_or, T, Q)               \
  TWO_OPERANDS(PREFIX##_xor, fetch_xor, T, Q)
#define ALL(PREFIX, T)           \
  BASE(PREFIX, T, __global)      \
  BASE(PREFIX, T, __local)       \
  EXTENDED(PREFIX, T, __global)  \
  EXTENDED(PREFIX, T, __local)
ALL(atomic, int)
ALL(atomic, uint)
// The names of cl_khr_{global,local}_int32_{base,extended}_atomics.
ALL(atom, int)
ALL(atom, uint)
ALL(atom, long)
ALL(atom, ulong)

#define FLOAT_EXCHANGE(Q)                                                           \
  float BUILTIN atomic_xchg(volatile Q float *p, float value) {                     \
    return as_float(                                                                \
        __atomic_exchange_n((volatile Q int *)p, as_int(value), RELAXED));          \
  }
FLOAT_EXCHANGE(__global)
FLOAT_EXCHANGE(__local)
