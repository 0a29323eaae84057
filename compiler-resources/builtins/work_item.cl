// Work-item functions (6.12.1), synchronisation (6.12.8, 6.12.9), asynchronous copies
// and prefetch (6.12.10).

#include "types.h"

uint __mocl3_work_dim(void);
#define QUERY(NAME) size_t __mocl3_##NAME(uint dimension);
QUERY(global_id)
QUERY(local_id)
QUERY(group_id)
QUERY(global_size)
QUERY(local_size)
QUERY(num_groups)
QUERY(global_offset)
#undef QUERY
void __mocl3_barrier(cl_mem_fence_flags flags) __attribute__((convergent));
// Returns the transfer's event: `event`, or a new one if `event` is 0.
event_t __mocl3_dma_transfer(void *destination, ulong destination_stride, const void *source,
                             ulong source_stride, ulong row_bytes, ulong rows, event_t event)
    __attribute__((convergent));
void __mocl3_wait_group_events(int count, event_t *events) __attribute__((convergent));

uint BUILTIN get_work_dim(void) { return __mocl3_work_dim(); }

// The intrinsics take literal dimensions. The switch folds if the program's is a constant.
#define QUERY(NAME, INTRINSIC, OUTSIDE)                                              \
  size_t BUILTIN NAME(uint dimension) {                                              \
    switch (dimension) {                                                             \
    case 0:                                                                          \
      return __mocl3_##INTRINSIC(0);                                                 \
    case 1:                                                                          \
      return __mocl3_##INTRINSIC(1);                                                 \
    case 2:                                                                          \
      return __mocl3_##INTRINSIC(2);                                                 \
    default:                                                                         \
      return OUTSIDE;                                                                \
    }                                                                                \
  }
QUERY(get_global_id, global_id, 0)
QUERY(get_local_id, local_id, 0)
QUERY(get_group_id, group_id, 0)
QUERY(get_global_size, global_size, 1)
QUERY(get_local_size, local_size, 1)
QUERY(get_num_groups, num_groups, 1)
QUERY(get_global_offset, global_offset, 0)

__attribute__((convergent)) void BUILTIN barrier(cl_mem_fence_flags flags) {
  __mocl3_barrier(flags);
}

// One host thread runs the work-items of a group, so fences only order global memory between
// groups, with C11's acquire and release.
void BUILTIN mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
void BUILTIN read_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
void BUILTIN write_mem_fence(cl_mem_fence_flags flags) { __atomic_thread_fence(__ATOMIC_RELEASE); }

// The host completes transfers at once, so that only simulated time waits. The function is still
// a barrier of the work-group.
__attribute__((convergent)) void BUILTIN wait_group_events(int count, event_t *events) {
  __mocl3_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  __mocl3_wait_group_events(count, events);
}

#define ADDRESS(POINTER) ((void *)(size_t)(POINTER))

#define ASYNC(T, DESTINATION, SOURCE, SPREAD)                                          \
  __attribute__((convergent)) event_t BUILTIN async_work_group_copy(                   \
      DESTINATION T *destination, const SOURCE T *source, size_t count, event_t event) { \
    ulong bytes = count * sizeof(T);                                                   \
    return __mocl3_dma_transfer(ADDRESS(destination), bytes, ADDRESS(source), bytes,   \
                                bytes, 1, event);                                      \
  }                                                                                    \
  __attribute__((convergent)) event_t BUILTIN async_work_group_strided_copy(           \
      DESTINATION T *destination, const SOURCE T *source, size_t count, size_t stride, \
      event_t event) {                                                                 \
    ulong bytes = sizeof(T);                                                           \
    ulong spread = stride * bytes;                                                     \
    return __mocl3_dma_transfer(ADDRESS(destination), SPREAD ? spread : bytes,         \
                                ADDRESS(source), SPREAD ? bytes : spread, bytes,       \
                                count, event);                                         \
  }
// The stride applies to the pointer to global memory.
#define BOTH_DIRECTIONS(T, S, ...)                \
  ASYNC(T, __local, __global, 0)                  \
  ASYNC(T, __global, __local, 1)                  \
  void BUILTIN prefetch(const __global T *pointer, size_t count) {}
EACH_INTEGER_TYPE(BOTH_DIRECTIONS)
EACH_FLOATING(BOTH_DIRECTIONS)
