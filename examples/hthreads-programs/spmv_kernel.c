/* y = A x for a sparse matrix in rows. x is in GSM; DMA gathers its elements for some rows at once. */
#include "kernel.h"

/* Rows that are done at once, and the most elements that they have. */
#define ROWS 32UL
#define MOST 2048UL
#define MOST_COLUMNS 65536UL

static __gsm__ double x_in_gsm[MOST_COLUMNS];

__global__ void spmv(ulong barrier, ulong *spans, ulong rows, ulong columns, long *begins, int *offsets, double *values,
                     double *x, double *y)
{
    long *begin = scalar_malloc((ROWS + 1) * 8);
    int *offset = scalar_malloc(MOST * 4);
    double *sums = scalar_malloc(ROWS * 8);
    double *value = vector_malloc(MOST * 8), *gathered = vector_malloc(MOST * 8);
    lvector double *product = (lvector double *)value, *factor = (lvector double *)gathered;
    if (get_thread_id() == 0)
        dma_wait(start(x, x_in_gsm, columns * 8));
    BEGIN(barrier, spans);
    for (ulong batch = first_of(rows / ROWS); batch < last_of(rows / ROWS); batch++) {
        scalar_load(begins + batch * ROWS, begin, (ROWS + 1) * 8);
        long base = begin[0], count = begin[ROWS] - base;
        unsigned int load = start(values + base, value, count * 8);
        scalar_load(offsets + base, offset, count * 4);
        dma_wait(dma_sg(x_in_gsm, offset, 1, count * 8, 0, gathered, 1, count * 8, 0));
        dma_wait(load);
        for (long v = 0; v < count / LANES; v++)
            product[v] *= factor[v];
        for (ulong row = 0; row < ROWS; row++) {
            double sum = 0;
            for (long i = begin[row] - base; i < begin[row + 1] - base; i++)
                sum += value[i];
            sums[row] = sum;
        }
        scalar_store(sums, y + batch * ROWS, ROWS * 8);
    }
    END(spans);
    vector_free(gathered);
    vector_free(value);
    scalar_free(sums);
    scalar_free(offset);
    scalar_free(begin);
}
