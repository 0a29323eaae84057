#include "hthread_device.h"

/* Writes what the thread is, and the sum of its arguments. */
__global__ void identify(long *results, int a, long b)
{
    int me = get_thread_id();
    results[4 * me] = get_core_id();
    results[4 * me + 1] = get_group_size();
    results[4 * me + 2] = get_group_cores();
    results[4 * me + 3] = a + b;
}

__global__ void again(long *results)
{
    results[get_thread_id()] += 1;
}

__global__ void forever(volatile long *results)
{
    results[0] = 1;
    while (results[0])
        ;
}

__global__ void fails(void)
{
    if (get_thread_id() == 1)
        dsp_abort(22);
}

static volatile int taken[24];

static void take(int number)
{
    taken[get_thread_id()] = number;
}

/* Waits for an interrupt. */
__global__ void answers(long *results)
{
    int me = get_thread_id();
    taken[me] = 0;
    intr_handler_register(take);
    while (!taken[me])
        ;
    results[me] = taken[me];
}
