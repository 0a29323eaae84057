/* Runs the versions of gemm_kernel.c and compares what they compute. Arguments: n, threads, image. */
#include <stdio.h>
#include <stdlib.h>

#include "hthread_host.h"

static const char *const versions[] = {"gemm_naive", "gemm_sm_1d", "gemm_sm_2d", "gemm_am_1d",
                                       "gemm_am_2d"};

int main(int argc, char **argv)
{
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 512;
    int threads = argc > 2 ? atoi(argv[2]) : 24;
    if (n == 0 || n % 64 != 0 || n > 768) {
        fprintf(stderr, "n is a multiple of 64 up to 768\n");
        return 1;
    }
    hthread_dev_open(0);
    hthread_dat_load(0, argc > 3 ? argv[3] : "gemm_kernel.dat");
    unsigned long bytes = n * n * sizeof(double);
    double *A = hthread_malloc(0, bytes, HT_MEM_RO), *B = hthread_malloc(0, bytes, HT_MEM_RO);
    double *C = hthread_malloc(0, bytes, HT_MEM_WO), *expected = malloc(bytes);
    /* Small integers, whose sums are exact in any order. */
    for (unsigned long i = 0; i < n * n; i++) {
        A[i] = (double)(i * 7 % 13) - 6;
        B[i] = (double)(i * 5 % 11) - 5;
    }
    int group = hthread_group_create(0, threads), wrong = 0;
    for (unsigned long version = 0; version < sizeof versions / sizeof *versions; version++) {
        uint64_t arguments[] = {n, (uint64_t)A, (uint64_t)B, (uint64_t)C};
        for (unsigned long i = 0; i < n * n; i++)
            C[i] = -1;
        hthread_group_exec(group, versions[version], 1, 3, arguments);
        if (hthread_group_wait(group) != 0)
            return 1;
        unsigned long different = 0;
        for (unsigned long i = 0; i < n * n; i++) {
            if (version == 0)
                expected[i] = C[i];
            different += C[i] != expected[i];
        }
        printf("%s: %lu of %lu elements differ\n", versions[version], different, n * n);
        wrong |= different != 0;
    }
    hthread_group_destroy(group);
    free(expected);
    hthread_free(A);
    hthread_free(B);
    hthread_free(C);
    hthread_dev_close(0);
    return wrong;
}
