/* C = A B for square matrices of doubles in five versions, after the study of the MOCL3 paper (section
 * 6.3.1): threads read DDR, or tiles of one or two dimensions that DMA brings into SM or AM. n is a
 * multiple of 64, and each thread has blocks of rows. */
#include "hthread_device.h"

#define LANES 16

/* Blocks of rows of this thread: thread t has blocks t, t + threads, ... */
#define FOR_BLOCKS(row, rows)                                                            \
    for (unsigned long row = get_thread_id() * (rows); row < n; row += get_group_size() * (rows))

/* `rows` rows of `bytes` bytes, `stride` bytes apart, into a buffer of the core. */
static void load(void *from, unsigned long rows, unsigned int bytes, unsigned long stride, void *to)
{
    unsigned int transfer = dma_p2p(from, rows, bytes, stride - bytes, to, rows, bytes, 0, false, 0);
    dma_wait(transfer);
}

static void store(void *from, unsigned long rows, unsigned int bytes, unsigned long stride, void *to)
{
    unsigned int transfer = dma_p2p(from, rows, bytes, 0, to, rows, bytes, stride - bytes, false, 0);
    dma_wait(transfer);
}

/* The control core alone, in DDR. */
__global__ void gemm_naive(unsigned long n, double *A, double *B, double *C)
{
    FOR_BLOCKS(i, 1)
        for (unsigned long j = 0; j < n; j++) {
            double sum = 0;
            for (unsigned long k = 0; k < n; k++)
                sum += A[i * n + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
}

/* Tiles of one dimension, k: a part of a row of A, and the rows of B for it, in SM. */
#define SM_DEPTH 8
__global__ void gemm_sm_1d(unsigned long n, double *A, double *B, double *C)
{
    double *a = scalar_malloc(SM_DEPTH * sizeof *a);
    double *b = scalar_malloc(SM_DEPTH * n * sizeof *b);
    double *c = scalar_malloc(n * sizeof *c);
    FOR_BLOCKS(i, 1) {
        for (unsigned long j = 0; j < n; j++)
            c[j] = 0;
        for (unsigned long k = 0; k < n; k += SM_DEPTH) {
            load(&A[i * n + k], 1, SM_DEPTH * sizeof *a, SM_DEPTH * sizeof *a, a);
            load(&B[k * n], 1, SM_DEPTH * n * sizeof *b, SM_DEPTH * n * sizeof *b, b);
            for (unsigned long j = 0; j < n; j++) {
                double sum = c[j];
                for (unsigned long l = 0; l < SM_DEPTH; l++)
                    sum += a[l] * b[l * n + j];
                c[j] = sum;
            }
        }
        store(c, 1, n * sizeof *c, n * sizeof *c, &C[i * n]);
    }
    scalar_free(c);
    scalar_free(b);
    scalar_free(a);
}

/* Tiles of two dimensions: a block of C in SM, of which each element of A and B is used several times. */
#define SM_ROWS 16
#define SM_COLUMNS 64
#define SM_TILE 32
__global__ void gemm_sm_2d(unsigned long n, double *A, double *B, double *C)
{
    double *a = scalar_malloc(SM_ROWS * SM_TILE * sizeof *a);
    double *b = scalar_malloc(SM_TILE * SM_COLUMNS * sizeof *b);
    double *c = scalar_malloc(SM_ROWS * SM_COLUMNS * sizeof *c);
    FOR_BLOCKS(i, SM_ROWS)
        for (unsigned long j = 0; j < n; j += SM_COLUMNS) {
            for (unsigned long at = 0; at < SM_ROWS * SM_COLUMNS; at++)
                c[at] = 0;
            for (unsigned long k = 0; k < n; k += SM_TILE) {
                load(&A[i * n + k], SM_ROWS, SM_TILE * sizeof *a, n * sizeof *A, a);
                load(&B[k * n + j], SM_TILE, SM_COLUMNS * sizeof *b, n * sizeof *B, b);
                for (unsigned long row = 0; row < SM_ROWS; row++)
                    for (unsigned long column = 0; column < SM_COLUMNS; column++) {
                        double sum = c[row * SM_COLUMNS + column];
                        for (unsigned long l = 0; l < SM_TILE; l++)
                            sum += a[row * SM_TILE + l] * b[l * SM_COLUMNS + column];
                        c[row * SM_COLUMNS + column] = sum;
                    }
            }
            store(c, SM_ROWS, SM_COLUMNS * sizeof *c, n * sizeof *C, &C[i * n + j]);
        }
    scalar_free(c);
    scalar_free(b);
    scalar_free(a);
}

/* As in SM, with vectors: a row of C and the rows of B for a part of k in AM. */
#define AM_DEPTH 64
__global__ void gemm_am_1d(unsigned long n, double *A, double *B, double *C)
{
    unsigned long vectors = n / LANES;
    double *a = scalar_malloc(AM_DEPTH * sizeof *a);
    lvector double *b = vector_malloc(AM_DEPTH * n * sizeof(double));
    lvector double *c = vector_malloc(n * sizeof(double));
    FOR_BLOCKS(i, 1) {
        for (unsigned long v = 0; v < vectors; v++)
            c[v] = (lvector double)(0.0);
        for (unsigned long k = 0; k < n; k += AM_DEPTH) {
            load(&A[i * n + k], 1, AM_DEPTH * sizeof *a, AM_DEPTH * sizeof *a, a);
            load(&B[k * n], 1, AM_DEPTH * n * sizeof *B, AM_DEPTH * n * sizeof *B, b);
            for (unsigned long l = 0; l < AM_DEPTH; l++)
                for (unsigned long v = 0; v < vectors; v++)
                    c[v] += a[l] * b[l * vectors + v];
        }
        store(c, 1, n * sizeof *C, n * sizeof *C, &C[i * n]);
    }
    vector_free(c);
    vector_free(b);
    scalar_free(a);
}

/* Blocks of C of 8 rows and 4 vectors, which stay in registers while a part of k passes. */
#define AM_ROWS 8
#define AM_VECTORS 4
#define AM_TILE 256
__global__ void gemm_am_2d(unsigned long n, double *A, double *B, double *C)
{
    unsigned long tile = n < AM_TILE ? n : AM_TILE;
    unsigned int columns = AM_VECTORS * LANES * sizeof(double);
    double *a = scalar_malloc(AM_ROWS * tile * sizeof *a);
    lvector double *b = vector_malloc(tile * columns);
    lvector double *c = vector_malloc(AM_ROWS * columns);
    for (unsigned long j = 0; j < n; j += AM_VECTORS * LANES)
        for (unsigned long k = 0; k < n; k += tile) {
            load(&B[k * n + j], tile, columns, n * sizeof *B, b);
            FOR_BLOCKS(i, AM_ROWS) {
                load(&A[i * n + k], AM_ROWS, tile * sizeof *a, n * sizeof *A, a);
                if (k == 0)
                    for (int at = 0; at < AM_ROWS * AM_VECTORS; at++)
                        c[at] = (lvector double)(0.0);
                else
                    load(&C[i * n + j], AM_ROWS, columns, n * sizeof *C, c);
                lvector double sum[AM_ROWS * AM_VECTORS];
                for (int at = 0; at < AM_ROWS * AM_VECTORS; at++)
                    sum[at] = c[at];
                for (unsigned long l = 0; l < tile; l++)
                    for (int row = 0; row < AM_ROWS; row++)
                        for (int v = 0; v < AM_VECTORS; v++)
                            sum[row * AM_VECTORS + v] += a[row * tile + l] * b[l * AM_VECTORS + v];
                for (int at = 0; at < AM_ROWS * AM_VECTORS; at++)
                    c[at] = sum[at];
                store(c, AM_ROWS, columns, n * sizeof *C, &C[i * n + j]);
            }
        }
    vector_free(c);
    vector_free(b);
    scalar_free(a);
}
