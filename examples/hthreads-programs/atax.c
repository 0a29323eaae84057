#include "program.h"

int main(int argc, char **argv)
{
    begin(argc, argv, "atax_kernel.dat");
    unsigned long rows = 500, n = 512, wrong = 0;
    double *A = array(rows * n * 8), *x = array(n * 8), *y = array(n * 8), *parts = array(THREADS * n * 8);
    double *expected = calloc(n, 8);
    for (unsigned long i = 0; i < rows * n; i++)
        A[i] = (double)(i % 97) / 97 - 0.3;
    for (unsigned long i = 0; i < n; i++)
        x[i] = 1 + (double)i / n;
    for (unsigned long i = 0; i < rows; i++) {
        double dot = 0;
        for (unsigned long j = 0; j < n; j++)
            dot += A[i * n + j] * x[j];
        for (unsigned long j = 0; j < n; j++)
            expected[j] += A[i * n + j] * dot;
    }
    double seconds = RUN("atax", rows, n, (uint64_t)A, (uint64_t)x, (uint64_t)y, (uint64_t)parts);
    for (unsigned long i = 0; i < n; i++)
        wrong += differ(y[i], expected[i], 1e-10);
    figure("atax", 4.0 * rows * n / seconds / 1e9, "GFLOP/s");
    free(expected);
    return end("atax", wrong);
}
