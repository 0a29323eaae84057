/* Programs that do something wrong; `errors.txt` has what the host's standard error shows. */
#include "hthread_device.h"
#include <assert.h>

/* Ends all threads but the first. */
#define ONE_THREAD() \
    if (get_thread_id() > 0) \
    return

__global__ void nothing(void) {}

__global__ void misaligned(char *data)
{
    ONE_THREAD();
    vector_load(data + 4, vector_malloc(64), 64);
}

__global__ void sizes_differ(char *data)
{
    ONE_THREAD();
    dma_p2p(data, 2, 64, 0, vector_malloc(64), 1, 64, 0, false, 0);
}

__global__ void no_rows(char *data)
{
    ONE_THREAD();
    dma_p2p(data, 0, 64, 0, vector_malloc(64), 0, 64, 0, false, 0);
}

__global__ void overstep(char *data)
{
    ONE_THREAD();
    vector_load(data, (char *)vector_malloc(64) + 768 * 1024 - 8, 64);
}

__global__ void in_core(char *data)
{
    ONE_THREAD();
    (void)data;
    vector_load(scalar_malloc(64), vector_malloc(64), 64);
}

__global__ void too_many_transfers(char *data)
{
    ONE_THREAD();
    char *am = vector_malloc(64);
    for (int i = 0; i < 21; i++)
        vector_load_async(data, am, 64);
}

__global__ void busy_channel(char *data)
{
    ONE_THREAD();
    char *am = vector_malloc(64);
    for (int i = 0; i < 2; i++)
        raw_dma_p2p(data, 1, 64, 0, am, 1, 64, 0, false, 0, 0, 3);
}

__global__ void aborts(char *data)
{
    (void)data;
    if (get_thread_id() == 2)
        dsp_abort(22);
}

__global__ void asserts(char *data)
{
    ONE_THREAD();
    assert(!data);
}

__global__ void mismatched_barrier(char *data)
{
    (void)data;
    core_barrier(3, get_thread_id() == 1 ? 3 : 2);
}

__global__ void late(char *data)
{
    (void)data;
    if (get_thread_id() == 1)
        core_barrier_wait(3, 2, 100);
}

__global__ void deadlock(char *data)
{
    (void)data;
    int me = get_thread_id();
    if (me < 3)
        rwlock_wrlock(5);
    else if (me == 3)
        dsp_halt();
    else if (me < 6)
        group_barrier(7);
}
