/* The mask of lanes: what disabled lanes keep, for variables, memory, sums in loops, selections, calls,
 * and each size of element. */
#include <compiler/m3000.h>
#include "hthread_device.h"

static lvector double plus_one(lvector double v)
{
    v += 1.0;
    return v;
}

__global__ void assigns(unsigned long mask, double *in, double *out)
{
    lvector double *am = vector_malloc(4 * 128), a, b, c;
    vector_load(in, am, 128);
    a = am[0];
    b = 5.0;
    c = a;
    mov_to_vlr(mask);
    b = a * 2.0;
    c += b;
    am[1] = -1.0;
    vec_st(a, 32, am);
    mov_to_vlr(0xffff);
    am[3] = b + c;
    vector_store(am, out, 512);
    vector_free(am);
}

/* The usual tail of a row: the last elements are added under a mask. */
__global__ void tail(unsigned long count, double *in, double *out)
{
    lvector double *am = vector_malloc(16 * 128), sum;
    vector_load(in, am, 16 * 128);
    sum = 0.0;
    for (unsigned long at = 0; at < count; at += 16) {
        if (count - at < 16)
            mov_to_vlr((1UL << (count - at)) - 1);
        sum += am[at / 16];
    }
    mov_to_vlr(0xffff);
    mov_to_svr_v16df(sum);
    sum = 0.0;
    vector_store(&sum, out + 16, 128);
    sum = mov_from_svr_v16df();
    vector_store(&sum, out, 128);
    vector_free(am);
}

__global__ void sizes(unsigned long mask, int *in, int *out)
{
    lvector int a, b;
    lvector float f;
    lvector short s;
    vector_load(in, &a, 128);
    b = 1;
    f = 1.0f;
    s = 1;
    mov_to_vlr(mask);
    b = a + 3;
    f = vec_itf(a);
    s = (lvector short)a;
    mov_to_vlr(0xffff);
    vector_store(&b, out, 128);
    vector_store(&f, out + 32, 128);
    vector_store(&s, out + 64, 128);
}

/* Functions get and return whole vectors; what they assign obeys the mask. */
__global__ void calls(unsigned long mask, double *in, double *out)
{
    lvector double a, b;
    vector_load(in, &a, 128);
    b = 0.5;
    mov_to_vlr(mask);
    b = plus_one(a);
    mov_to_vlr(0xffff);
    vector_store(&b, out, 128);
}

/* Each thread has its own mask, with which a kernel starts: all lanes. */
__global__ void threads(unsigned long barrier, double *out)
{
    int me = get_thread_id();
    lvector double a;
    a = 1.0;
    group_barrier(barrier);
    mov_to_vlr(1UL << me % 16);
    group_barrier(barrier);
    a = 2.0;
    group_barrier(barrier);
    mov_to_vlr(0xffff);
    vector_store(&a, out + 16 * me, 128);
    mov_to_vlr(0);
}
