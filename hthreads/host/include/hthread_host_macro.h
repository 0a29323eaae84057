/* The macros of hthreads for host programs. */
#ifndef HTHREAD_HOST_MACRO_H
#define HTHREAD_HOST_MACRO_H

#include <stdint.h>

/* States of a group. */
#define HT_STAT_BUSY 0
#define HT_STAT_IDLE 1
#define HT_STAT_FAIL 2

/* Results of calls. */
#define HT_SUCCESS 0
#define HT_FAIL_UNKNOWN (-1)
#define HT_OUT_OF_RANGE (-2)
#define HT_NOT_INITIALIZED (-3)
#define HT_DEV_OPEN_FAILED (-4)
#define HT_PROGRAM_UNLOADED (-5)
#define HT_TIMEOUT (-6)
#define HT_LAST_KERNEL_EXCP (-7)

/* Modes of memory. */
#define HT_MEM_RO 1
#define HT_MEM_WO 2
#define HT_MEM_RW 3
#define HT_MEM_CACHE 4

/* hthread_group_create has 2 or 6 arguments; their number becomes a part of the name. */
#define HT_ARGUMENT_11(a, b, c, d, e, f, g, h, i, j, k, ...) k
#define HT_ARGUMENT_COUNT(...) HT_ARGUMENT_11(__VA_ARGS__, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define HT_JOIN(a, b) a##b
#define HT_JOIN_EXPANDED(a, b) HT_JOIN(a, b)
#define hthread_group_create(...) \
    HT_JOIN_EXPANDED(hthread_group_create, HT_ARGUMENT_COUNT(__VA_ARGS__))(__VA_ARGS__)

#endif
