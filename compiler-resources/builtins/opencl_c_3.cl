// The supported functions of OpenCL C 3.0 that 1.2 lacks: work-item functions (6.15.1), the group
// barrier (6.15.8) and C11 atomics (6.15.12). Compiled as OpenCL C 3.0.

#include "types.h"

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// Groups are uniform: each has the size that was enqueued.
size_t BUILTIN get_enqueued_local_size(uint dimension) { return get_local_size(dimension); }

size_t BUILTIN get_global_linear_id(void) {
  return ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) +
          get_global_id(1) - get_global_offset(1)) *
             get_global_size(0) +
         get_global_id(0) - get_global_offset(0);
}

size_t BUILTIN get_local_linear_id(void) {
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) +
         get_local_id(0);
}

__attribute__((convergent)) void BUILTIN work_group_barrier(cl_mem_fence_flags flags) {
  barrier(flags);
}
__attribute__((convergent)) void BUILTIN work_group_barrier(cl_mem_fence_flags flags,
                                                            memory_scope scope) {
  barrier(flags);
}

// Host atomics are valid in every scope. Orders other than relaxed are fences around a relaxed
// operation.
#define RELAXED __ATOMIC_RELAXED
#define FENCE(ORDER)                         \
  if (ORDER == memory_order_seq_cst)         \
    __atomic_thread_fence(__ATOMIC_SEQ_CST); \
  else if (ORDER != memory_order_relaxed)    \
    __atomic_thread_fence(__ATOMIC_ACQ_REL)

void BUILTIN atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                    memory_scope scope) {
  FENCE(order);
}

// M(suffix of the name, parameters after the operands, order, ...) for the forms of an
// operation: with order and scope, with the order, and sequentially consistent.
#define EACH_FORM(M, ...)                      \
  M(_explicit, WITH_SCOPE, order, __VA_ARGS__) \
  M(_explicit, WITH_ORDER, order, __VA_ARGS__) \
  M(, WITHOUT, memory_order_seq_cst, __VA_ARGS__)
#define WITH_ORDER , memory_order order
#define WITH_SCOPE WITH_ORDER, memory_scope scope
#define WITHOUT

// The same for compare-exchange, which has a second order for failure.
#define EACH_FORM_OF_TWO(M, ...)                          \
  M(_explicit, WITH_ORDERS_AND_SCOPE, order, __VA_ARGS__) \
  M(_explicit, WITH_ORDERS, order, __VA_ARGS__)           \
  M(, WITHOUT, memory_order_seq_cst, __VA_ARGS__)
#define WITH_ORDERS WITH_ORDER, memory_order failure
#define WITH_ORDERS_AND_SCOPE WITH_ORDERS, memory_scope scope

// The object of atomic type `volatile Q A *p` as one of type T.
#define PLAIN(Q, T, p) ((volatile Q T *)p)

#define LOAD(SUFFIX, PARAMETERS, ORDER, A, T, I, Q)           \
  T BUILTIN atomic_load##SUFFIX(volatile Q A *p PARAMETERS) { \
    FENCE(ORDER);                                             \
    I value = __atomic_load_n(PLAIN(Q, I, p), RELAXED);       \
    FENCE(ORDER);                                             \
    return __builtin_astype(value, T);                        \
  }

#define STORE(SUFFIX, PARAMETERS, ORDER, A, T, I, Q)                       \
  void BUILTIN atomic_store##SUFFIX(volatile Q A *p, T value PARAMETERS) { \
    FENCE(ORDER);                                                          \
    __atomic_store_n(PLAIN(Q, I, p), __builtin_astype(value, I), RELAXED); \
    FENCE(ORDER);                                                          \
  }

#define EXCHANGE(SUFFIX, PARAMETERS, ORDER, A, T, I, Q)                           \
  T BUILTIN atomic_exchange##SUFFIX(volatile Q A *p, T value PARAMETERS) {        \
    FENCE(ORDER);                                                                 \
    I before =                                                                    \
        __atomic_exchange_n(PLAIN(Q, I, p), __builtin_astype(value, I), RELAXED); \
    FENCE(ORDER);                                                                 \
    return __builtin_astype(before, T);                                           \
  }

#define COMPARE_EXCHANGE(SUFFIX, PARAMETERS, ORDER, STRENGTH, A, T, I, Q, E)          \
  bool BUILTIN atomic_compare_exchange_##STRENGTH##SUFFIX(volatile Q A *p,            \
                                                          E T *expected,              \
                                                          T value PARAMETERS) {       \
    I found = __builtin_astype(*expected, I);                                         \
    FENCE(ORDER);                                                                     \
    bool same = __atomic_compare_exchange_n(                                          \
        PLAIN(Q, I, p), &found, __builtin_astype(value, I), false, RELAXED, RELAXED); \
    FENCE(ORDER);                                                                     \
    if (!same)                                                                        \
      *expected = __builtin_astype(found, T);                                         \
    return same;                                                                      \
  }
#define COMPARE_EXCHANGES(A, T, I, Q, E)                    \
  EACH_FORM_OF_TWO(COMPARE_EXCHANGE, strong, A, T, I, Q, E) \
  EACH_FORM_OF_TWO(COMPARE_EXCHANGE, weak, A, T, I, Q, E)

#define EXCHANGES(A, T, I, Q)                                                     \
  void BUILTIN atomic_init(volatile Q A *p, T value) { *PLAIN(Q, T, p) = value; } \
  EACH_FORM(LOAD, A, T, I, Q)                                                     \
  EACH_FORM(STORE, A, T, I, Q)                                                    \
  EACH_FORM(EXCHANGE, A, T, I, Q)                                                 \
  COMPARE_EXCHANGES(A, T, I, Q, __global)                                         \
  COMPARE_EXCHANGES(A, T, I, Q, __local)                                          \
  COMPARE_EXCHANGES(A, T, I, Q, __private)

#define FETCH(SUFFIX, PARAMETERS, ORDER, OPERATION, A, T, V, Q)                     \
  T BUILTIN atomic_fetch_##OPERATION##SUFFIX(volatile Q A *p, V value PARAMETERS) { \
    FENCE(ORDER);                                                                   \
    T before = __atomic_fetch_##OPERATION(PLAIN(Q, T, p), (T)value, RELAXED);       \
    FENCE(ORDER);                                                                   \
    return before;                                                                  \
  }
#define SUMS(A, T, V, Q)            \
  EACH_FORM(FETCH, add, A, T, V, Q) \
  EACH_FORM(FETCH, sub, A, T, V, Q)
#define FETCHES(A, T, Q)            \
  SUMS(A, T, T, Q)                  \
  EACH_FORM(FETCH, or, A, T, T, Q)  \
  EACH_FORM(FETCH, xor, A, T, T, Q) \
  EACH_FORM(FETCH, and, A, T, T, Q) \
  EACH_FORM(FETCH, min, A, T, T, Q) \
  EACH_FORM(FETCH, max, A, T, T, Q)

#define INTEGER(A, T)          \
  EXCHANGES(A, T, T, __global) \
  EXCHANGES(A, T, T, __local)  \
  FETCHES(A, T, __global)      \
  FETCHES(A, T, __local)
#define FLOATING(A, T, I)      \
  EXCHANGES(A, T, I, __global) \
  EXCHANGES(A, T, I, __local)
INTEGER(atomic_int, int)
INTEGER(atomic_uint, uint)
INTEGER(atomic_long, long)
INTEGER(atomic_ulong, ulong)
FLOATING(atomic_float, float, int)
FLOATING(atomic_double, double, long)

// atomic_uintptr_t, to which a ptrdiff_t is added.
SUMS(atomic_ulong, ulong, long, __global)
SUMS(atomic_ulong, ulong, long, __local)

#define FLAG(SUFFIX, PARAMETERS, ORDER, Q)                                              \
  bool BUILTIN atomic_flag_test_and_set##SUFFIX(volatile Q atomic_flag *p PARAMETERS) { \
    FENCE(ORDER);                                                                       \
    bool before = __atomic_exchange_n(PLAIN(Q, int, p), 1, RELAXED);                    \
    FENCE(ORDER);                                                                       \
    return before;                                                                      \
  }                                                                                     \
  void BUILTIN atomic_flag_clear##SUFFIX(volatile Q atomic_flag *p PARAMETERS) {        \
    FENCE(ORDER);                                                                       \
    __atomic_store_n(PLAIN(Q, int, p), 0, RELAXED);                                     \
    FENCE(ORDER);                                                                       \
  }
EACH_FORM(FLAG, __global)
EACH_FORM(FLAG, __local)
