/* Counters of the performance monitor. */
#include <compiler/m3000.h>
#include "hthread_device.h"

#define EVENTS 26

/* Starts all events, runs a loop, and reads them. */
__global__ void profiled(int *failed, unsigned long n, unsigned long *counts)
{
    (void)failed;
    lvector double *a = vector_malloc(4 * 128), sum[3];
    for (int event = 0; event < EVENTS; event++)
        prof_start(event);
    sum[0] = 0.0, sum[1] = 1.0, sum[2] = 2.0;
    for (unsigned long i = 0; i < n; i++)
        for (int v = 0; v < 3; v++)
            sum[v] += a[0] * a[1 + v];
    a[0] = sum[0] + sum[1] + sum[2];
    for (int event = 0; event < EVENTS; event++)
        counts[event] = prof_read(event);
    for (int event = 0; event < EVENTS; event++)
        counts[EVENTS + event] = prof_end(event);
    counts[2 * EVENTS] = prof_read(0);
}

#define COUNT_EVENTS(code)                                  \
    do {                                                    \
        for (int event = 0; event < EVENTS; event++)        \
            prof_start(event);                              \
        code;                                               \
        for (int event = 0; event < EVENTS; event++)        \
            counts[event] = prof_end(event);                \
    } while (0)

void steps(long n, const long *data);

/* Assembly: profile.s. */
__global__ void assembled(int *failed, long n, const long *data, unsigned long *counts)
{
    (void)failed;
    COUNT_EVENTS(steps(n, data));
}

/* A load from a new line, an addition, a comparison and a branch in each iteration. */
__global__ void loads(int *failed, long n, const long *data, unsigned long *counts)
{
    long sum = 0;
    COUNT_EVENTS(for (long i = 0; i < n; i++) sum += data[8 * i]);
    *failed = sum != 0;
}

static volatile long called;

static __attribute__((noinline)) void call(void)
{
    called++;
}

/* A call in each fourth iteration. */
__global__ void branches(int *failed, long n, const long *data, unsigned long *counts)
{
    (void)failed;
    (void)data;
    COUNT_EVENTS(for (long i = 0; i < n; i++) if (i % 4 == 0) call());
}

static volatile int taken;

static void take(int number)
{
    taken += number;
}

/* Counts the interrupts that it takes. */
__global__ void interrupted(int *failed, unsigned long *counts)
{
    (void)failed;
    taken = 0;
    intr_handler_register(take);
    prof_start(2);
    cpu_interrupt(16);
    cpu_interrupt(17);
    while (taken < 33)
        ;
    counts[0] = prof_read(2);
    counts[1] = prof_end(2);
}
