#include "hthread_device.h"

volatile int taken[24];

static void take(int number)
{
    taken[get_thread_id()] = number;
}

/* How long it takes until the host's answer is there, in cycles. */
__global__ void round_trip(unsigned long *cycles)
{
    int me = get_thread_id();
    taken[me] = 0;
    intr_handler_register(take);
    unsigned long begin = get_clk();
    cpu_interrupt(16);
    while (!taken[me])
        ;
    cycles[me] = get_clk() - begin;
}

/* The same in a wait. */
__global__ void in_barrier(unsigned long *cycles, unsigned int barrier)
{
    int me = get_thread_id();
    taken[me] = 0;
    intr_handler_register(take);
    unsigned long begin = get_clk();
    if (me == 0) {
        cpu_interrupt(16);
        group_barrier(barrier);
        cycles[0] = taken[0] ? get_clk() - begin : 0;
    } else {
        dsp_sleep(1000);
        group_barrier(barrier);
    }
}

/* When what the host sends after it has started the kernel is there, in cycles. */
__global__ void from_host(unsigned long *cycles)
{
    int me = get_thread_id();
    taken[me] = 0;
    unsigned long begin = get_clk();
    intr_handler_register(take);
    while (!taken[me])
        ;
    cycles[me] = get_clk() - begin;
}
