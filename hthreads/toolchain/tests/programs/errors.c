/* Programs that do something wrong; `errors.txt` has what the host's standard error shows. */
#include <compiler/m3000.h>
#include "hthread_device.h"
#include <assert.h>
#include <string.h>

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

__global__ void no_channel(char *data)
{
    ONE_THREAD();
    raw_dma_p2p(data, 1, 64, 0, vector_malloc(64), 1, 64, 0, false, 0, 0, 20);
}

/* Divides bytes among cores, of which the group has 8. */
static void divide(char *data, int bytes, int count, int step)
{
    dma_segment(data, 1, bytes, 0, vector_malloc(64), 1, 64, 0, 0, count, step, 0);
}

__global__ void segment_step(char *data)
{
    divide(data, 128, 2, 25);
}

__global__ void segment_parts(char *data)
{
    divide(data, 136, 3, 1);
}

__global__ void segment_none(char *data)
{
    divide(data, 128, 0, 1);
}

__global__ void segment_sizes(char *data)
{
    divide(data, 256, 2, 1);
}

__global__ void gathers_in_core(char *data)
{
    ONE_THREAD();
    dma_sg(scalar_malloc(64), data, 1, 64, 0, vector_malloc(64), 1, 64, 0);
}

__global__ void gathers_more(char *data)
{
    ONE_THREAD();
    dma_sg(data, data + 64, 1, 64, 0, vector_malloc(128), 1, 128, 0);
}

__global__ void aborts_oddly(char *data)
{
    ONE_THREAD();
    (void)data;
    dsp_abort(77);
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

/* What no thread sets; loops may have several variables, and functions. */
static volatile int go, stop;
static __attribute__((noinline)) int is_over(volatile int *one)
{
    return go || *one;
}

__global__ void busy_waits(char *data)
{
    (void)data;
    int me = get_thread_id();
    double stack[50] = {me};
    stack[me] += 1;
    if (me < 2)
        while (!go)
            ;
    else if (me == 2)
        while (!is_over(&stop))
            ;
    else if (me < 5) {
        while (!rwlock_try_wrlock(5))
            ;
        core_barrier(7, 2);
    } else if (me == 5)
        dsp_halt();
    data[0] = stack[1] + stack[0];
}

/* They wait long, but not for ever. */
__global__ void waits_long(char *data)
{
    volatile long *words = (volatile long *)data;
    int me = get_thread_id();
    if (me == 0) {
        for (long i = 0; i < 300000; i++)
            words[1] = i;
        words[0] = 1;
    } else if (me == 1) {
        for (unsigned long start = get_clk(); get_clk() - start < 120000000 && !words[2];)
            ;
        words[3] = 1;
    } else {
        while (!words[0] || !words[3])
            ;
    }
}

__global__ void interrupts(char *data)
{
    ONE_THREAD();
    (void)data;
    cpu_interrupt(5);
}

__global__ void stuck(char *data)
{
    (void)data;
    core_barrier(3, 9);
}

/* Accesses of memory that is not there, and what else the host's processor refuses. */
static __attribute__((noinline)) long read_from(volatile long *place)
{
    return *place + 1;
}

__global__ void wild_pointer(char *data)
{
    ONE_THREAD();
    data[0] = (char)read_from((long *)0x1234560);
}

__global__ void null_pointer(char *data)
{
    ONE_THREAD();
    data[0] = (char)read_from(NULL);
}

__global__ void beyond_ddr(char *data)
{
    ONE_THREAD();
    data[(1 << 20) + 20000] = 1;
}

__global__ void beyond_am(char *data)
{
    ONE_THREAD();
    char *am = vector_malloc(768 * 1024);
    am[768 * 1024 + 8192] = data[0];
}

__global__ void beyond_sm(char *data)
{
    ONE_THREAD();
    char *sm = scalar_malloc(63 * 1024);
    sm[63 * 1024 + 8192] = data[0];
}

__global__ void no_buffer(char *data)
{
    ONE_THREAD();
    vector_load(data, vector_malloc(1024 * 1024), 64);
}

__global__ void divides_by_zero(char *data)
{
    ONE_THREAD();
    volatile int zero = 0;
    data[0] = (char)(100 / zero);
}

static __attribute__((noinline)) int recurses(volatile char *data, int depth)
{
    volatile char frame[4096];
    frame[depth % 4096] = data[0];
    return depth < 0 ? 0 : frame[depth % 4096] + recurses(data, depth + 1);
}

__global__ void stack_overflow(char *data)
{
    ONE_THREAD();
    data[0] = (char)recurses(data, 0);
}

__global__ void wild_text(char *data)
{
    ONE_THREAD();
    data[0] = (char)strlen((char *)0x1234560);
}

/* In assembly. */
void conflicts(long x);
void conflicts_in_lanes(long x);
long loads(void *place);
void loads_lanes(void *place);
void jumps(void *place);
void waits(void);

__global__ void scalar_conflict(char *data)
{
    ONE_THREAD();
    conflicts(data != 0);
}

__global__ void vector_conflict(char *data)
{
    ONE_THREAD();
    conflicts_in_lanes(data != 0);
}

__global__ void misaligned_word(char *data)
{
    ONE_THREAD();
    data[0] = (char)loads(data + 4);
}

__global__ void wild_word(char *data)
{
    ONE_THREAD();
    data[0] = (char)loads((long *)0x1234560);
}

__global__ void misaligned_lanes(char *data)
{
    ONE_THREAD();
    (void)data;
    loads_lanes((char *)vector_malloc(256) + 4);
}

__global__ void lanes_outside(char *data)
{
    ONE_THREAD();
    loads_lanes(data);
}

__global__ void no_code(char *data)
{
    ONE_THREAD();
    (void)data;
    jumps((void *)0x1234560);
}

/* Of C code, by memory. */
__global__ void misaligned_store(char *data)
{
    ONE_THREAD();
    *(double *)(data + 4) = 1;
}

static long sum(const int *values, int count)
{
    long sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

__global__ void misaligned_loop(char *data)
{
    ONE_THREAD();
    *(long *)data = sum((int *)(data + 2), 100 + data[0]);
}

__global__ void misaligned_branch(char *data)
{
    int *values = (int *)(data + 1);
    ONE_THREAD();
    for (int i = 0; i < 100; i++)
        if (data[1000 + i] == 0)
            values[i] += i;
}

__global__ void misaligned_in_sm(char *data)
{
    ONE_THREAD();
    short *values = (short *)((char *)scalar_malloc(64) + 3);
    values[1] = data[0];
    data[1] = (char)values[1];
}

__global__ void misaligned_vector(char *data)
{
    ONE_THREAD();
    lvector double *values = (void *)((char *)vector_malloc(512) + 4);
    values[1] = values[0] * data[0];
    vector_store(values + 1, data, 128);
}

__global__ void misaligned_copy(char *data)
{
    struct values {
        long all[20];
    };
    ONE_THREAD();
    *(struct values *)(data + 512) = *(struct values *)(data + 4);
}

__global__ void misaligned_atomic(char *data)
{
    ONE_THREAD();
    __atomic_fetch_add((int *)(data + 6), 1, __ATOMIC_SEQ_CST);
}

/* No exceptions: what is not accessed, what C's types say of, and what functions of the C library copy. */
__global__ void aligned_enough(char *data)
{
    struct __attribute__((packed)) packed {
        char first;
        double second;
    };
    double *odd = (double *)(data + 1);
    double copy;
    for (int i = 0; i < 100; i++)
        if (data[1000 + i] != 0)
            odd[i] += i;
    for (int i = 0; i < data[1000]; i++)
        odd[i] = i;
    ((struct packed *)data)->second += 1;
    memcpy(&copy, data + 3, sizeof copy);
    lvector double *lanes = (void *)((char *)vector_malloc(512) + 8);
    lanes[1] = lanes[0] + copy;
    vector_store(lanes + 1, data + 8, 128);
}

__global__ void no_interrupt(char *data)
{
    ONE_THREAD();
    (void)data;
    waits();
}

__global__ void saturates(char *data)
{
    ONE_THREAD();
    set_sata_mode(0);
    data[0] = 1;
    set_sata_mode(1);
    data[0] = 2;
}

/* Exceptions of arithmetic, which HTHREAD_DEBUG shows: `values` are 1e300, 0, -1 and 0.1. */
__global__ void arithmetic(volatile double *values)
{
    int me = get_thread_id();
    if (me == 0) {
        values[4] = values[0] * values[0];
    } else if (me == 1) {
        values[5] = values[3] / values[1];
    } else if (me == 2) {
        values[6] = values[1] / values[1];
        values[6] = 1 / (values[0] * values[0] * values[0]);
    } else if (me == 3) {
        values[7] = values[3] / values[0] / values[0];
    } else if (me == 4) {
        clear_ecr(ECR_OV);
        values[8] = values[0] * values[0];
        set_ecr(ECR_INEXACT);
        values[8] = values[3] * values[3];
    } else if (me == 5) {
        clear_ecr(ECR_INF);
        values[9] = values[3] / values[1];
        set_ecr(ECR_DEN);
        set_ecr(ECR_SAT);
    } else if (me == 6) {
        lvector double *lanes = vector_malloc(256);
        lanes[0] = values[0];
        lanes[1] = lanes[0] * lanes[0];
        values[10] = values[3] * values[3];
    }
}
