/* Chases of pointers: each load needs the result of the one before. */
#include "kernel.h"

#define MOST 32768
static __gsm__ long in_gsm[MOST];
static __share__ long *volatile in_hbsm;

static long chase(long *next, long at, ulong steps)
{
    for (ulong i = 0; i < steps; i++)
        at = next[at];
    return at;
}

enum { DDR, GSM, HBSM, SM };

__global__ void run_chase(ulong barrier, ulong *spans, int memory, ulong n, ulong steps, long *next, long *ends)
{
    long *place = next;
    if (memory == GSM)
        place = in_gsm;
    if (memory == HBSM) {
        if (get_thread_id() == 0)
            in_hbsm = hbm_malloc(n * sizeof(long));
        group_barrier(barrier);
        place = in_hbsm;
    }
    if ((memory == GSM || memory == HBSM) && get_thread_id() == 0)
        dma_wait(start(next, place, n * sizeof(long)));
    long *near = scalar_malloc(n < 4096 ? n * sizeof(long) : 8);
    if (memory == SM)
        scalar_load(next, near, n * sizeof(long));
    BEGIN(barrier, spans);
    long at = get_thread_id();
    /* Each memory has a loop of its own: the compiler knows what it reads. */
    switch (memory) {
    case DDR: at = chase(next, at, steps); break;
    case GSM: at = chase(in_gsm, at, steps); break;
    case HBSM: at = chase(in_hbsm, at, steps); break;
    default: at = chase(near, at, steps);
    }
    ends[get_thread_id()] = at;
    END(spans);
    scalar_free(near);
    group_barrier(barrier);
    if (memory == HBSM && get_thread_id() == 0)
        hbm_free(place);
}
