/* Kernels of fortran.f90. */
#include "hthread_device.h"

/* values[i] = factor i + addend, on thread i, and the size of the group. */
__global__ void fill(double factor, int addend, double *values, long *size)
{
    values[get_thread_id()] = factor * get_thread_id() + addend;
    if (get_thread_id() == 0)
        *size = get_group_size();
}

/* One word is its only argument. */
__global__ void negate(long *place)
{
    *place = -*place;
}

static volatile int taken;

static void take(int number)
{
    taken = number;
}

/* Thread 0 takes an interrupt. Threads meet at a barrier and add under a lock; each then interrupts the host with the sum. */
__global__ void meet(int barrier, int lock, volatile long *sum)
{
    if (get_thread_id() == 0) {
        intr_handler_register(take);
        while (taken != 17)
            ;
    }
    rwlock_wrlock(lock);
    *sum += 1;
    rwlock_unlock(lock);
    group_barrier(barrier);
    cpu_interrupt(*sum);
}
