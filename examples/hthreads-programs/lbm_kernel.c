/* The lattice Boltzmann method in two dimensions, periodic. Each step reads the nine distributions from
 * the nodes that they come from (pull), and relaxes them. A row of each is in AM, with a border. */
#include "kernel.h"
#include "lbm.h"
#include <vector_math.h>

#define BORDER 16UL

__global__ void lbm(ulong barrier, ulong *spans, ulong rows, ulong columns, ulong steps, double *a, double *b)
{
    ulong pitch = columns + 2 * BORDER, plane = rows * columns;
    double *in[9];
    lvector double *out[9];
    unsigned int transfers[9];
    for (int q = 0; q < 9; q++) {
        in[q] = vector_malloc(pitch * 8);
        out[q] = vector_malloc(columns * 8);
    }
    BEGIN(barrier, spans);
    for (ulong step = 0; step < steps; step++) {
        for (ulong row = first_of(rows); row < last_of(rows); row++) {
            for (int q = 0; q < 9; q++) {
                ulong from = (row + rows - velocity_y[q]) % rows;
                transfers[q] = start(a + q * plane + from * columns, in[q] + BORDER, columns * 8);
            }
            for (int q = 0; q < 9; q++) {
                dma_wait(transfers[q]);
                in[q][BORDER - 1] = in[q][BORDER + columns - 1];
                in[q][BORDER + columns] = in[q][BORDER];
            }
            for (ulong v = 0; v < columns / LANES; v++) {
                lvector double f[9];
                for (int q = 0; q < 9; q++)
                    f[q] = vec_ld(-velocity_x[q], (lvector double *)(in[q] + BORDER) + v);
                COLLIDE(lvector double, f, vm_frecd16)
                for (int q = 0; q < 9; q++)
                    out[q][v] = f[q];
            }
            for (int q = 0; q < 9; q++)
                transfers[q] = start(out[q], b + q * plane + row * columns, columns * 8);
            for (int q = 0; q < 9; q++)
                dma_wait(transfers[q]);
        }
        double *other = a;
        a = b;
        b = other;
        group_barrier(barrier);
    }
    END(spans);
    for (int q = 0; q < 9; q++) {
        vector_free(in[q]);
        vector_free(out[q]);
    }
}
