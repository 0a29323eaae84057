// What OpenCL C 3.0 has in every device beyond 1.2: work-item functions (6.15.1), the
// group barrier (6.15.8) and C11 atomics (6.15.12). Compiled as OpenCL C 3.0.

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

// Orders but relaxed are fences around a relaxed operation; the host's atomics hold in
// every scope.
#define RELAXED __ATOMIC_RELAXED
#define FENCE(ORDER) \
  if (ORDER != memory_order_relaxed) __atomic_thread_fence(__ATOMIC_ACQ_REL)

void BUILTIN atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order,
                                    memory_scope scope) {
  FENCE(order);
}

// An operation without a scope, for which the device's stands, is declared only where
// there is that scope.
#define SCOPED memory_scope scope
#define PLAIN(Q, T, p) ((volatile Q T *)p)

#define LOAD_AND_STORE(A, T, I, Q)                                                      \
  void BUILTIN atomic_init(volatile Q A *p, T value) { *PLAIN(Q, T, p) = value; }       \
  T BUILTIN atomic_load_explicit(volatile Q A *p, memory_order order, SCOPED) {         \
    I value = __atomic_load_n(PLAIN(Q, I, p), RELAXED);                                 \
    FENCE(order);                                                                       \
    return __builtin_astype(value, T);                                                  \
  }                                                                                     \
  void BUILTIN atomic_store_explicit(volatile Q A *p, T value, memory_order order,      \
                                     SCOPED) {                                          \
    FENCE(order);                                                                       \
    __atomic_store_n(PLAIN(Q, I, p), __builtin_astype(value, I), RELAXED);              \
  }                                                                                     \
  T BUILTIN atomic_exchange_explicit(volatile Q A *p, T value, memory_order order,      \
                                     SCOPED) {                                          \
    FENCE(order);                                                                       \
    I before = __atomic_exchange_n(PLAIN(Q, I, p), __builtin_astype(value, I), RELAXED); \
    FENCE(order);                                                                       \
    return __builtin_astype(before, T);                                                 \
  }

#define COMPARE_EXCHANGE(NAME, A, T, I, Q, E)                                           \
  bool BUILTIN NAME(volatile Q A *p, E T *expected, T value, memory_order success,      \
                    memory_order failure, SCOPED) {                                     \
    I found = __builtin_astype(*expected, I);                                           \
    FENCE(success);                                                                     \
    bool same = __atomic_compare_exchange_n(                                            \
        PLAIN(Q, I, p), &found, __builtin_astype(value, I), false, RELAXED, RELAXED);   \
    FENCE(success);                                                                     \
    if (!same)                                                                          \
      *expected = __builtin_astype(found, T);                                           \
    return same;                                                                        \
  }
#define COMPARE_EXCHANGES(A, T, I, Q, E)                                                \
  COMPARE_EXCHANGE(atomic_compare_exchange_strong_explicit, A, T, I, Q, E)              \
  COMPARE_EXCHANGE(atomic_compare_exchange_weak_explicit, A, T, I, Q, E)

#define EXCHANGES(A, T, I, Q)                                                           \
  LOAD_AND_STORE(A, T, I, Q)                                                            \
  COMPARE_EXCHANGES(A, T, I, Q, __global)                                               \
  COMPARE_EXCHANGES(A, T, I, Q, __local)                                                \
  COMPARE_EXCHANGES(A, T, I, Q, __private)

#define FETCH(NAME, A, T, Q)                                                            \
  T BUILTIN atomic_##NAME##_explicit(volatile Q A *p, T value, memory_order order,      \
                                     SCOPED) {                                          \
    FENCE(order);                                                                       \
    T before = __atomic_##NAME(PLAIN(Q, T, p), value, RELAXED);                         \
    FENCE(order);                                                                       \
    return before;                                                                      \
  }
#define FETCHES(A, T, Q)                                                                \
  FETCH(fetch_add, A, T, Q)                                                             \
  FETCH(fetch_sub, A, T, Q)                                                             \
  FETCH(fetch_or, A, T, Q)                                                              \
  FETCH(fetch_xor, A, T, Q)                                                             \
  FETCH(fetch_and, A, T, Q)                                                             \
  FETCH(fetch_min, A, T, Q)                                                             \
  FETCH(fetch_max, A, T, Q)

#define INTEGER(A, T)               \
  EXCHANGES(A, T, T, __global)      \
  EXCHANGES(A, T, T, __local)       \
  FETCHES(A, T, __global)           \
  FETCHES(A, T, __local)
#define FLOATING(A, T, I)           \
  EXCHANGES(A, T, I, __global)      \
  EXCHANGES(A, T, I, __local)
INTEGER(atomic_int, int)
INTEGER(atomic_uint, uint)
INTEGER(atomic_long, long)
INTEGER(atomic_ulong, ulong)
FLOATING(atomic_float, float, int)
FLOATING(atomic_double, double, long)

#define FLAG(Q)                                                                         \
  bool BUILTIN atomic_flag_test_and_set_explicit(volatile Q atomic_flag *p,             \
                                                 memory_order order, SCOPED) {          \
    FENCE(order);                                                                       \
    bool before = __atomic_exchange_n(PLAIN(Q, int, p), 1, RELAXED);                    \
    FENCE(order);                                                                       \
    return before;                                                                      \
  }                                                                                     \
  void BUILTIN atomic_flag_clear_explicit(volatile Q atomic_flag *p, memory_order order, \
                                          SCOPED) {                                     \
    FENCE(order);                                                                       \
    __atomic_store_n(PLAIN(Q, int, p), 0, RELAXED);                                     \
  }
FLAG(__global)
FLAG(__local)
