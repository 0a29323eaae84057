/* A product of matrices, and its check. */
#ifndef DGEMM_H
#define DGEMM_H

#include "program.h"

/* C = A B by a kernel, with `m` rows, `n` columns and `k` products for each element; the exit code. */
static inline int multiply(const char *kernel, unsigned long m, unsigned long n, unsigned long k)
{
    unsigned long wrong = 0;
    double *A = array(m * k * 8), *B = array(k * n * 8), *C = array(m * n * 8);
    for (unsigned long i = 0; i < m * k; i++)
        A[i] = (double)(i * 7 % 31) - 15;
    for (unsigned long i = 0; i < k * n; i++)
        B[i] = (double)(i * 11 % 37) - 18;
    for (unsigned long i = 0; i < m * n; i++)
        C[i] = NAN;
    double seconds = RUN(kernel, m, n, k, (uint64_t)A, (uint64_t)B, (uint64_t)C);
    /* Whole numbers, whose sums are exact: some rows in full, the others at a few places. */
    for (unsigned long i = 0; i < m; i++)
        for (unsigned long j = i % 13; j < n; j += i % 97 ? n / 5 : 1) {
            double sum = 0;
            for (unsigned long l = 0; l < k; l++)
                sum += A[i * k + l] * B[l * n + j];
            wrong += C[i * n + j] != sum;
        }
    figure(kernel, 2.0 * m * n * k / seconds / 1e9, "GFLOP/s");
    return end(kernel, wrong);
}

#endif
