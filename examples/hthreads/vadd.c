/* Vector addition, after Figure 5 of the MOCL3 paper (docs/hthreads.md names the differences). */
#include "hthread_host.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int dev_id = 0;
    int num_threads = argc > 1 ? atoi(argv[1]) : 24;
    unsigned long length = 64 * 1024; /* of each thread, elements */
    unsigned long size = num_threads * length * sizeof(long);

    hthread_dev_open(dev_id);
    hthread_dat_load(dev_id, "vadd_kernel.dat");
    long *A = hthread_malloc(dev_id, size, HT_MEM_RO);
    long *B = hthread_malloc(dev_id, size, HT_MEM_RO);
    long *C = hthread_malloc(dev_id, size, HT_MEM_WO);
    if (!A || !B || !C) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    for (unsigned long i = 0; i < num_threads * length; i++) {
        A[i] = i;
        B[i] = 3 * i + 1;
        C[i] = 0;
    }

    uint64_t args[] = {length, (uint64_t)A, (uint64_t)B, (uint64_t)C};
    int tg_id = hthread_group_create(dev_id, num_threads, "add_vector", 1, 3, args);
    hthread_group_wait(tg_id);
    hthread_group_destroy(tg_id);

    unsigned long wrong = 0;
    for (unsigned long i = 0; i < num_threads * length; i++)
        wrong += C[i] != (long)(4 * i + 1);
    printf("%d threads, %lu elements, %lu wrong\n", num_threads, num_threads * length, wrong);

    hthread_free(A);
    hthread_free(B);
    hthread_free(C);
    hthread_dev_close(dev_id);
    return wrong != 0;
}
