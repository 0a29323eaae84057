/* C = A B. A thread has 64 rows of C in AM for as many columns as fit; parts of A pass through SM and
 * parts of B through GSM, which the threads fill together, and AM. All transfers have two buffers, so
 * that they overlap with the computation: while a part is multiplied, the next one moves into the core
 * and the one after it into GSM. */
#include "kernel.h"

#define ROWS 64UL
#define DEPTH 32UL
#define WIDTH 512UL
/* The block of C that is in registers. */
#define BLOCK 8
#define VECTORS 4

static __gsm__ double panel[2][DEPTH * WIDTH];

/* c += a b for `rows` rows. */
static void multiply(ulong rows, ulong vectors, double *a, lvector double *b, lvector double *c)
{
    for (ulong row = 0; row < rows; row += BLOCK)
        for (ulong column = 0; column < vectors; column += VECTORS) {
            lvector double sum[BLOCK][VECTORS];
            lvector double *to = c + row * vectors + column, *right = b + column;
            double *left = a + row * DEPTH;
            for (int i = 0; i < BLOCK; i++)
                for (int v = 0; v < VECTORS; v++)
                    sum[i][v] = to[i * vectors + v];
            for (ulong k = 0; k < DEPTH; k++, left++, right += vectors)
                for (int i = 0; i < BLOCK; i++)
                    for (int v = 0; v < VECTORS; v++)
                        sum[i][v] += left[i * DEPTH] * right[v];
            for (int i = 0; i < BLOCK; i++)
                for (int v = 0; v < VECTORS; v++)
                    to[i * vectors + v] = sum[i][v];
        }
}

/* Starts this thread's part of the copy of a part of B to GSM. */
static unsigned int share(ulong n, double *B, ulong width, double *to)
{
    ulong first = first_of(DEPTH), rows = last_of(DEPTH) - first;
    unsigned int bytes = width * 8;
    if (!rows)
        return ~0u;
    return dma_p2p(B + first * n, rows, bytes, (n - width) * 8, to + first * width, rows, bytes, 0, false, 0);
}

static void finish(unsigned int transfer)
{
    if (transfer != ~0u)
        dma_wait(transfer);
}

/* Of square matrices. */
__global__ void dgemm(ulong barrier, ulong *spans, ulong n, ulong columns, ulong products, double *A, double *B, double *C)
{
    ulong width = n < WIDTH ? n : WIDTH;
    while (n % width)
        width -= VECTORS * LANES;
    ulong vectors = width / LANES, steps = n / DEPTH;
    lvector double *c = vector_malloc(ROWS * width * 8);
    lvector double *b[2] = {vector_malloc(DEPTH * width * 8), vector_malloc(DEPTH * width * 8)};
    double *a[2] = {scalar_malloc(ROWS * DEPTH * 8), scalar_malloc(ROWS * DEPTH * 8)};
    unsigned int part = DEPTH * 8;
    BEGIN(barrier, spans);
    for (ulong base = 0; base < n; base += ROWS * get_group_size()) {
        ulong row = base + get_thread_id() * ROWS;
        ulong rows = row >= n ? 0 : n - row < ROWS ? n - row : ROWS;
        for (ulong j = 0; j < n; j += width) {
            unsigned int to_a = ~0u, to_b = ~0u, to_gsm;
            for (ulong v = 0; v < rows * vectors; v++)
                c[v] = 0.0;
            finish(share(n, B + j, width, panel[0]));
            group_barrier(barrier);
            to_gsm = share(n, B + DEPTH * n + j, width, panel[1]);
            if (rows) {
                finish(dma_p2p(A + row * n, rows, part, (n - DEPTH) * 8, a[0], rows, part, 0, false, 0));
                finish(start(panel[0], b[0], DEPTH * width * 8));
            }
            finish(to_gsm);
            group_barrier(barrier);
            for (ulong step = 0; step < steps; step++) {
                ulong next = step + 1, k = next * DEPTH;
                if (next < steps && rows) {
                    to_a = dma_p2p(A + row * n + k, rows, part, (n - DEPTH) * 8, a[next % 2], rows, part, 0, false, 0);
                    to_b = start(panel[next % 2], b[next % 2], DEPTH * width * 8);
                }
                to_gsm = next + 1 < steps ? share(n, B + (k + DEPTH) * n + j, width, panel[step % 2]) : ~0u;
                multiply(rows, vectors, a[step % 2], b[step % 2], c);
                if (next < steps && rows) {
                    finish(to_a);
                    finish(to_b);
                }
                finish(to_gsm);
                group_barrier(barrier);
            }
            if (rows)
                finish(dma_p2p(c, rows, width * 8, 0, C + row * n + j, rows, width * 8, (n - width) * 8, false, 0));
        }
    }
    END(spans);
    vector_free(c);
    for (int i = 0; i < 2; i++) {
        vector_free(b[i]);
        scalar_free(a[i]);
    }
}
