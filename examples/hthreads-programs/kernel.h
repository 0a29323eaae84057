/* What the kernels share. */
#ifndef KERNEL_H
#define KERNEL_H

#include <compiler/m3000.h>
#include "hthread_device.h"

typedef unsigned long ulong;
#define LANES 16

/* All threads begin together; each notes its first and its last cycle. */
#define BEGIN(barrier, spans)                \
    group_barrier(barrier);                  \
    (spans)[2 * get_thread_id()] = get_clk()
#define END(spans) (spans)[2 * get_thread_id() + 1] = get_clk()

/* This thread's part of `n` pieces of equal size. */
static inline ulong first_of(ulong n) { return n * get_thread_id() / get_group_size(); }
static inline ulong last_of(ulong n) { return n * (get_thread_id() + 1) / get_group_size(); }

/* Starts the copy of a row. */
static inline unsigned int start(void *from, void *to, unsigned int bytes)
{
    return dma_p2p(from, 1, bytes, 0, to, 1, bytes, 0, false, 0);
}

#endif
