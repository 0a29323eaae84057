/* Several threads call routines at the same time: the first call of the process, on arrays of their own, and on rows of
 * one matrix, whose elements are between those of the others. */

#include <cblas.h>

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8, ROUNDS = 20, SIZE = 24 };

/* Row r of the matrix by columns is that of thread r. */
static double shared[THREADS * SIZE];
static pthread_barrier_t all_started;

static void *run(void *number)
{
    size_t own = (size_t)number;
    double a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE];
    long wrong = 0;
    for (int i = 0; i < SIZE * SIZE; ++i) {
        a[i] = (double)((i + 3 * own) % 11);
        b[i] = (double)((i * 5 + own) % 7);
    }
    pthread_barrier_wait(&all_started);
    for (int round = 0; round < ROUNDS; ++round) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, SIZE, SIZE, SIZE, 1, a, SIZE, b, SIZE, 0, c, SIZE);
        for (int i = 0; i < SIZE; ++i) {
            double sum = 0, dot = cblas_ddot(SIZE, a + i * SIZE, 1, b, 1);
            for (int k = 0; k < SIZE; ++k)
                sum += a[i * SIZE + k] * b[k];
            wrong += sum != dot || sum != c[i * SIZE];
        }
        cblas_daxpy(SIZE, 1, a, 1, shared + own, THREADS);
        for (int i = 0; i < SIZE; ++i)
            wrong += shared[own + (size_t)i * THREADS] != (round + 1) * a[i];
    }
    return (void *)wrong;
}

int main(void)
{
    pthread_t threads[THREADS];
    long wrong = 0;
    pthread_barrier_init(&all_started, NULL, THREADS);
    for (size_t i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (size_t i = 0; i < THREADS; ++i) {
        void *result;
        pthread_join(threads[i], &result);
        wrong += (long)result;
    }
    printf("%ld wrong results\n", wrong);
    return wrong != 0;
}
