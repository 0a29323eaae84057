#include <compiler/m3000.h>
#include "hthread_device.h"

#define CHECK(condition)                                    \
    do {                                                    \
        if (!(condition) && !failed[get_thread_id()])       \
            failed[get_thread_id()] = __LINE__;             \
    } while (0)

__gsm__ long in_gsm[4096];

__global__ void rows(int *failed, long *data, long *out)
{
    int me = get_thread_id();
    long *am = vector_malloc(64 * 1024), *sm = scalar_malloc(8 * 1024);
    data += 1024 * me;
    out += 1024 * me;
    /* Each second word of 16 rows. */
    unsigned int handle = dma_p2p(data, 16, 8, 8, am, 1, 128, 0, false, 0);
    CHECK(dma_query(handle) == 1);
    dma_wait(handle);
    for (int i = 0; i < 16; i++)
        CHECK(am[i] == data[2 * i]);
    /* The order of rows reversed, by a negative gap. */
    handle = dma_p2p(data + 15, 16, 8, -16, am, 4, 32, 32, true, get_group_cores());
    dma_wait(handle);
    for (int i = 0; i < 16; i++)
        CHECK(am[i / 4 * 8 + i % 4] == data[15 - i]);
    handle = raw_dma_p2p(data, 1, 1024, 0, am, 1, 1024, 0, false, 0, 1, 13);
    raw_dma_wait(handle);
    set_prir(0x3ff);
    CHECK(dma_p2p_opt(am, 1, 1024, 0, out, 1, 1024, 0, false, 0, 9) == 9);
    dma_wait_p2p(9);
    for (int i = 0; i < 128; i++)
        CHECK(out[i] == data[i]);
    /* All kinds of memory outside. */
    handle = dma_p2p(data, 1, 256, 0, in_gsm + 32 * me, 1, 256, 0, false, 0);
    dma_wait(handle);
    CHECK(scalar_load(in_gsm + 32 * me, sm, 256) == 256 && sm[31] == data[31]);
    CHECK(scalar_store(sm, out + 128, 256) == 256 && out[159] == data[31]);
    dma_wait(scalar_load_async(data + 8, sm, 64));
    dma_wait(scalar_store_async(sm, out + 160, 64));
    CHECK(out[160] == data[8]);
    dma_wait(vector_load_async(data + 16, am, 64));
    dma_wait(vector_store_async(am, out + 168, 64));
    CHECK(vector_store(am, out + 176, 64) == 64);
    CHECK(out[168] == data[16] && out[183] == data[23]);
    /* A local array is on the stack in SM. */
    long local[8];
    scalar_load(data, local, sizeof local);
    CHECK(local[7] == data[7]);
}

__global__ void channels(int *failed, long *data)
{
    long *am = vector_malloc(1024);
    unsigned int handles[20];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20; i++)
            handles[i] = dma_p2p(data, 1, 8, 0, am + i, 1, 8, 0, false, 0);
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < i; j++)
                CHECK(handles[i] != handles[j]);
        if (round < 2)
            for (int i = 0; i < 20; i++)
                dma_wait(handles[i]);
        else
            dma_clear();
    }
    dma_wait(dma_p2p(data, 1, 8, 0, am, 1, 8, 0, false, 0));
}

__global__ void to_all(int *failed, long *data, unsigned long barrier)
{
    int size = get_group_size();
    long *am = vector_malloc(1024), *sm = scalar_malloc(1024);
    dma_wait(dma_broadcast(data, 2, 256, 256, am, 1, 512, 0, 0, barrier));
    for (int i = 0; i < 64; i++)
        CHECK(am[i] == data[i < 32 ? i : i + 32]);
    raw_dma_wait(raw_dma_broadcast(data + 5, 1, 64, 0, sm, 1, 64, 0, size - 1, barrier, size, 0, 3));
    CHECK(sm[7] == data[12]);
    group_barrier(barrier);
    dma_wait(dma_segment(data, 1, 64 * size, 0, am, 1, 64, 0, 0, size, 1, barrier));
    for (int i = 0; i < 8; i++)
        CHECK(am[i] == data[8 * get_core_id() + i]);
    raw_dma_wait(raw_dma_segment(data, size, 64, 0, am, 2, 32, 0, 0, size, 1, barrier, 1, 4));
    CHECK(am[7] == data[8 * get_core_id() + 7]);
}

__global__ void gather(int *failed, double *data)
{
    int *index = scalar_malloc(64 * sizeof *index);
    double *am = vector_malloc(1024);
    for (int i = 0; i < 64; i++)
        index[i] = 8 * (i * 37 % 101);
    dma_wait(dma_sg(data, index, 1, 8 * 64, 0, am, 1, 8 * 64, 0));
    for (int i = 0; i < 64; i++)
        CHECK(am[i] == data[i * 37 % 101]);
    raw_dma_wait(raw_dma_sg(data + 1, index, 1, 64, 0, am, 2, 32, 32, 0, 5));
    CHECK(am[11] == data[7 * 37 % 101 + 1]);
    CHECK(dma_sg_opt(data, index, 1, 8, 0, am, 1, 8, 0, 7) == 7);
    dma_wait_sg(7);
    CHECK(am[0] == data[0]);
}
