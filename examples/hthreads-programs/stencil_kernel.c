/* Jacobi's iteration for the heat equation, with five points. A row has a border of 16 elements on both
 * sides; four rows are in AM, of which one is being loaded. */
#include "kernel.h"

#define BORDER 16UL

__global__ void stencil(ulong barrier, ulong *spans, ulong rows, ulong columns, ulong steps, double *a, double *b)
{
    ulong pitch = columns + 2 * BORDER, vectors = columns / LANES;
    ulong first = 1 + first_of(rows - 2), last = 1 + last_of(rows - 2);
    double *ring[4];
    lvector double *result[2] = {vector_malloc(columns * 8), vector_malloc(columns * 8)};
    for (int i = 0; i < 4; i++)
        ring[i] = vector_malloc(pitch * 8);
    BEGIN(barrier, spans);
    for (ulong step = 0; step < steps; step++) {
        unsigned int load = 0, store = 0;
        if (first < last) {
            vector_load(a + (first - 1) * pitch, ring[(first - 1) % 4], pitch * 8);
            vector_load(a + first * pitch, ring[first % 4], pitch * 8);
            load = start(a + (first + 1) * pitch, ring[(first + 1) % 4], pitch * 8);
        }
        for (ulong row = first; row < last; row++) {
            dma_wait(load);
            if (row + 1 < last)
                load = start(a + (row + 2) * pitch, ring[(row + 2) % 4], pitch * 8);
            lvector double *above = (lvector double *)(ring[(row - 1) % 4] + BORDER);
            lvector double *here = (lvector double *)(ring[row % 4] + BORDER);
            lvector double *below = (lvector double *)(ring[(row + 1) % 4] + BORDER);
            lvector double *to = result[row % 2];
            for (ulong v = 0; v < vectors; v++) {
                lvector double sides = vec_ld(-1, here + v) + vec_ld(1, here + v);
                to[v] = 0.5 * here[v] + 0.125 * (sides + (above[v] + below[v]));
            }
            if (row > first)
                dma_wait(store);
            store = start(to, b + row * pitch + BORDER, columns * 8);
        }
        if (first < last)
            dma_wait(store);
        double *other = a;
        a = b;
        b = other;
        group_barrier(barrier);
    }
    END(spans);
    for (int i = 0; i < 4; i++)
        vector_free(ring[i]);
    vector_free(result[0]);
    vector_free(result[1]);
}
