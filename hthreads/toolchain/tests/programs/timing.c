#include "hthread_device.h"

#define BYTES 4096

__gsm__ static long on_chip[BYTES / sizeof(long)];

__global__ void nothing(int *failed) {}

/* One transfer, of which nothing is done meanwhile. */
__global__ void load_from_ddr(int *failed, long *source)
{
    void *buffer = vector_malloc(BYTES);
    vector_load(source, buffer, BYTES);
    vector_free(buffer);
}

__global__ void load_from_gsm(int *failed)
{
    void *buffer = vector_malloc(BYTES);
    vector_load(on_chip, buffer, BYTES);
    vector_free(buffer);
}

__global__ void meet(int *failed)
{
    group_barrier(0);
}

__global__ void lock_alone(int *failed, unsigned int lock)
{
    rwlock_wrlock(lock);
    rwlock_unlock(lock);
}

/* All request the lock at the same time. */
__global__ void lock_together(int *failed, unsigned int lock)
{
    group_barrier(0);
    rwlock_wrlock(lock);
    rwlock_unlock(lock);
}

/* A chain of multiply-adds. */
__global__ void dependent(int *failed, unsigned long n)
{
    lvector double *buffer = vector_malloc(3 * sizeof(lvector double));
    lvector double sum = buffer[0], a = buffer[1], b = buffer[2];
    for (unsigned long i = 0; i < n; i++)
        sum = a * sum + b;
    buffer[0] = sum;
    vector_free(buffer);
}

/* Multiply-adds of AM: three loads and a store of each, on two units. */
__global__ void independent(int *failed, unsigned long n)
{
    lvector double *a = vector_malloc(n * sizeof *a);
    lvector double *b = vector_malloc(n * sizeof *b);
    lvector double *c = vector_malloc(n * sizeof *c);
    for (unsigned long i = 0; i < n; i++)
        c[i] += a[i] * b[i];
    vector_free(c);
    vector_free(b);
    vector_free(a);
}

/* Vectors in memory that nothing is known of but that it holds vectors. */
__global__ void clear(int *failed, unsigned long n, lvector double *volatile *kept)
{
    *kept = vector_malloc(n * sizeof **kept);
    lvector double *vectors = *kept;
    for (unsigned long i = 0; i < n; i++)
        vectors[i] = 0.0;
    vector_free(vectors);
}

/* Scalars, one after the other. */
__global__ void sum_ddr(int *failed, unsigned long n, long *source, long *sum)
{
    long all = 0;
    for (unsigned long i = 0; i < n; i++)
        all += source[i];
    *sum = all;
}

__global__ void sum_gsm(int *failed, unsigned long n, long *sum)
{
    long all = 0;
    for (unsigned long i = 0; i < n; i++)
        all += on_chip[i];
    *sum = all;
}

static __attribute__((noinline)) long sum_of(const long *values, unsigned long n)
{
    long all = 0;
    for (unsigned long i = 0; i < n; i++)
        all += values[i];
    return all;
}

/* What a pointer refers to is what the caller passes. */
__global__ void sum_sm(int *failed, unsigned long n, long *sum)
{
    long *values = scalar_malloc(BYTES);
    *sum = sum_of(values, n);
    scalar_free(values);
}

__global__ void clock(int *failed, unsigned long *cycles)
{
    unsigned long before = get_clk();
    dsp_sleep(5);
    cycles[get_thread_id()] = get_clk() - before;
}

/* The transfer is in flight at first. */
__global__ void query(int *failed, long *source, unsigned long *asked)
{
    void *buffer = vector_malloc(BYTES);
    unsigned int transfer = vector_load_async(source, buffer, BYTES);
    unsigned long times = 1;
    while (!dma_query(transfer))
        times++;
    dma_wait(transfer);
    *asked = times;
    vector_free(buffer);
}

/* One thread writes what the others wait for. */
__global__ void hand_over(int *failed, volatile int *flag)
{
    if (get_thread_id() == get_group_size() - 1) {
        dsp_sleep(1);
        *flag = 1;
    }
    while (!*flag)
        ;
}

__global__ void too_late(int *failed)
{
    if (get_thread_id() == 0)
        core_barrier_wait(3, 2, 1200);
}
