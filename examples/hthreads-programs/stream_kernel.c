/* STREAM over the memories. Rows of arrays outside the core pass through AM in two sets of buffers, so
 * that transfers and computation overlap. */
#include "kernel.h"

/* Elements of a row. */
#define ROW 2048UL
#define SCALAR 3.0

enum { COPY, SCALE, ADD, TRIAD };

static void vectors(int what, lvector double *a, lvector double *b, lvector double *c, ulong elements)
{
    ulong n = elements / LANES;
    if (what == COPY)
        for (ulong i = 0; i < n; i++)
            c[i] = a[i];
    else if (what == SCALE)
        for (ulong i = 0; i < n; i++)
            c[i] = SCALAR * a[i];
    else if (what == ADD)
        for (ulong i = 0; i < n; i++)
            c[i] = a[i] + b[i];
    else
        for (ulong i = 0; i < n; i++)
            c[i] = a[i] + SCALAR * b[i];
}

static void stream(int what, ulong n, double *a, double *b, double *c)
{
    lvector double *in[2], *more[2], *out[2];
    unsigned int loads[2], others[2], stores[2];
    ulong first = first_of(n / ROW), last = last_of(n / ROW);
    int two = what == ADD || what == TRIAD;
    for (int set = 0; set < 2; set++) {
        in[set] = vector_malloc(ROW * 8);
        more[set] = vector_malloc(ROW * 8);
        out[set] = vector_malloc(ROW * 8);
    }
    for (ulong row = first; row < last + 1; row++) {
        int set = row % 2;
        if (row < last) {
            loads[set] = start(&a[row * ROW], in[set], ROW * 8);
            if (two)
                others[set] = start(&b[row * ROW], more[set], ROW * 8);
        }
        if (row == first)
            continue;
        set = !set;
        dma_wait(loads[set]);
        if (two)
            dma_wait(others[set]);
        if (row > first + 2)
            dma_wait(stores[set]);
        vectors(what, in[set], more[set], out[set], ROW);
        stores[set] = start(out[set], &c[(row - 1) * ROW], ROW * 8);
    }
    for (ulong row = last > first + 2 ? last - 2 : first; row < last; row++)
        dma_wait(stores[row % 2]);
    for (int set = 0; set < 2; set++) {
        vector_free(in[set]);
        vector_free(more[set]);
        vector_free(out[set]);
    }
}

__global__ void stream_ddr(ulong barrier, ulong *spans, int what, ulong n, double *a, double *b, double *c)
{
    BEGIN(barrier, spans);
    stream(what, n, a, b, c);
    group_barrier(barrier);
    END(spans);
}

/* Arrays on the chip, filled from those in DDR; the result goes back there. */
static void elsewhere(ulong barrier, ulong *spans, int what, ulong n, double *a, double *b, double *c, double *place)
{
    double *x = place, *y = place + n, *z = place + 2 * n;
    stream(COPY, n, a, a, x);
    stream(COPY, n, b, b, y);
    BEGIN(barrier, spans);
    stream(what, n, x, y, z);
    group_barrier(barrier);
    END(spans);
    stream(COPY, n, z, z, c);
    group_barrier(barrier);
}

static __gsm__ double in_gsm[3 * 245760];
__global__ void stream_gsm(ulong barrier, ulong *spans, int what, ulong n, double *a, double *b, double *c)
{
    elsewhere(barrier, spans, what, n, a, b, c, in_gsm);
}

static __share__ double *volatile in_hbsm;
__global__ void stream_hbsm(ulong barrier, ulong *spans, int what, ulong n, double *a, double *b, double *c)
{
    if (get_thread_id() == 0)
        in_hbsm = hbm_malloc(3 * n * sizeof(double));
    group_barrier(barrier);
    double *place = in_hbsm;
    elsewhere(barrier, spans, what, n, a, b, c, place);
    if (get_thread_id() == 0)
        hbm_free(place);
}

/* Each thread has `rounds` times its own rows in AM; the first ones are those of DDR. */
__global__ void stream_am(ulong barrier, ulong *spans, int what, ulong rounds, double *a, double *b, double *c)
{
    ulong at = get_thread_id() * ROW;
    lvector double *x = vector_malloc(ROW * 8), *y = vector_malloc(ROW * 8), *z = vector_malloc(ROW * 8);
    vector_load(&a[at], x, ROW * 8);
    vector_load(&b[at], y, ROW * 8);
    BEGIN(barrier, spans);
    for (ulong i = 0; i < rounds; i++)
        vectors(what, x, y, z, ROW);
    END(spans);
    vector_store(z, &c[at], ROW * 8);
    vector_free(x);
    vector_free(y);
    vector_free(z);
}

/* The same of the control core in SM. */
__global__ void stream_sm(ulong barrier, ulong *spans, int what, ulong rounds, double *a, double *b, double *c)
{
    ulong at = get_thread_id() * ROW;
    double *x = scalar_malloc(ROW * 8), *y = scalar_malloc(ROW * 8), *z = scalar_malloc(ROW * 8);
    scalar_load(&a[at], x, ROW * 8);
    scalar_load(&b[at], y, ROW * 8);
    BEGIN(barrier, spans);
    for (ulong round = 0; round < rounds; round++) {
        if (what == COPY)
            for (ulong i = 0; i < ROW; i++)
                z[i] = x[i];
        else if (what == SCALE)
            for (ulong i = 0; i < ROW; i++)
                z[i] = SCALAR * x[i];
        else if (what == ADD)
            for (ulong i = 0; i < ROW; i++)
                z[i] = x[i] + y[i];
        else
            for (ulong i = 0; i < ROW; i++)
                z[i] = x[i] + SCALAR * y[i];
    }
    END(spans);
    scalar_store(z, &c[at], ROW * 8);
    scalar_free(x);
    scalar_free(y);
    scalar_free(z);
}
