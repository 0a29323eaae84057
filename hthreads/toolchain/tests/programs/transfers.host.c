#include "check.h"

int main(void)
{
    open_cluster(0);
    long *data = hthread_malloc(0, THREADS * 8192, HT_MEM_RO);
    long *out = hthread_malloc(0, THREADS * 8192, HT_MEM_WO);
    int barrier = hthread_barrier_create(0);
    int sizes[] = {1, 7, 24};
    for (int i = 0; i < THREADS * 1024; i++)
        data[i] = 1000003l * i;
    for (int i = 0; i < 3; i++) {
        memset(out, 0, THREADS * 8192);
        RUN(sizes[i], "rows", (uint64_t)data, (uint64_t)out);
        RUN(sizes[i], "channels", (uint64_t)data);
        RUN(sizes[i], "to_all", (uint64_t)data, barrier);
        RUN(sizes[i], "gather", (uint64_t)data);
    }
    hthread_barrier_destroy(barrier);
    hthread_dev_close(0);
    return finish();
}
