#include "program.h"

/* The second argument is the number of rows and columns: a multiple of 64. */
int main(int argc, char **argv)
{
    begin(argc, argv, "dgemm_kernel.dat");
    unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 1536, wrong = 0;
    double *A = array(n * n * 8), *B = array(n * n * 8), *C = array(n * n * 8);
    for (unsigned long i = 0; i < n * n; i++)
        A[i] = (double)(i * 7 % 31) - 15, B[i] = (double)(i * 11 % 37) - 18, C[i] = NAN;
    double seconds = RUN("dgemm", n, (uint64_t)A, (uint64_t)B, (uint64_t)C);
    /* Whole numbers, whose sums are exact: some rows in full, the others at one place. */
    for (unsigned long i = 0; i < n; i++)
        for (unsigned long j = 0; j < n; j += i % 97 ? n / 2 + i % 13 : 1) {
            double sum = 0;
            for (unsigned long k = 0; k < n; k++)
                sum += A[i * n + k] * B[k * n + j];
            wrong += C[i * n + j] != sum;
        }
    figure("dgemm", 2.0 * n * n * n / seconds / 1e9, "GFLOP/s");
    return end("dgemm", wrong);
}
