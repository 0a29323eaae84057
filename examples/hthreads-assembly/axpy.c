/* y = a x + y, computed by a function in assembly (docs/hthreads.md#assembly). */
#include "hthread_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int dev_id = 0;
    int num_threads = argc > 1 ? atoi(argv[1]) : 24;
    unsigned long length = 64 * 1024; /* of each thread, elements */
    unsigned long count = num_threads * length;

    hthread_dev_open(dev_id);
    hthread_dat_load(dev_id, "axpy_kernel.dat");
    double *x = hthread_malloc(dev_id, count * sizeof(double), HT_MEM_RO);
    double *y = hthread_malloc(dev_id, count * sizeof(double), HT_MEM_RW);
    if (!x || !y) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    for (unsigned long i = 0; i < count; i++) {
        x[i] = i;
        y[i] = 1;
    }

    double a = 0.5;
    uint64_t args[] = {length, 0, (uint64_t)x, (uint64_t)y};
    memcpy(&args[1], &a, sizeof a);
    int tg_id = hthread_group_create(dev_id, num_threads, "axpy_all", 2, 2, args);
    hthread_group_wait(tg_id);
    hthread_group_destroy(tg_id);

    unsigned long wrong = 0;
    for (unsigned long i = 0; i < count; i++)
        wrong += y[i] != 0.5 * i + 1;
    printf("%d threads, %lu elements, %lu wrong\n", num_threads, count, wrong);

    hthread_free(x);
    hthread_free(y);
    hthread_dev_close(dev_id);
    return wrong != 0;
}
