/* Transforms of 256 complex numbers: a lane has one, and 16 are done at once in AM. */
#include "kernel.h"

#define POINTS 256UL
/* Vectors of a block: real and imaginary parts of each point. */
#define BLOCK (2 * POINTS)

__global__ void fft(ulong barrier, ulong *spans, ulong blocks, double *roots, lvector double *data)
{
    double *root = scalar_malloc(POINTS * 8);
    lvector double *buffers[3];
    ulong first = first_of(blocks), last = last_of(blocks);
    unsigned int load = 0;
    scalar_load(roots, root, POINTS * 8);
    for (int i = 0; i < 3; i++)
        buffers[i] = vector_malloc(BLOCK * 128);
    lvector double *x = buffers[0], *y = buffers[1], *next = buffers[2];
    BEGIN(barrier, spans);
    if (first < last)
        load = start(data + first * BLOCK, x, BLOCK * 128);
    for (ulong block = first; block < last; block++) {
        dma_wait(load);
        if (block + 1 < last)
            load = start(data + (block + 1) * BLOCK, next, BLOCK * 128);
        /* Stockham's form: results are in order without a permutation. */
        for (ulong half = POINTS / 2, stride = 1; half >= 1; half /= 2, stride *= 2) {
            for (ulong p = 0; p < half; p++) {
                lvector double real = vec_svbcast(root[2 * p * stride]);
                lvector double imaginary = vec_svbcast(root[2 * p * stride + 1]);
                for (ulong q = 0; q < stride; q++) {
                    lvector double *a = x + 2 * (q + stride * p), *b = x + 2 * (q + stride * (p + half));
                    lvector double *to = y + 2 * (q + stride * 2 * p), *then = to + 2 * stride;
                    lvector double re = a[0] - b[0], im = a[1] - b[1];
                    to[0] = a[0] + b[0];
                    to[1] = a[1] + b[1];
                    then[0] = vec_mulb(re, real, im * imaginary);
                    then[1] = vec_mula(re, imaginary, im * real);
                }
            }
            lvector double *other = x;
            x = y;
            y = other;
        }
        vector_store(x, data + block * BLOCK, BLOCK * 128);
        lvector double *other = x;
        x = next;
        next = other;
    }
    END(spans);
    for (int i = 0; i < 3; i++)
        vector_free(buffers[i]);
    scalar_free(root);
}
