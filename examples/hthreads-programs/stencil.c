#include "program.h"

#define ROWS 258
#define COLUMNS 512
#define BORDER 16
#define PITCH (COLUMNS + 2 * BORDER)
#define STEPS 6

int main(int argc, char **argv)
{
    begin(argc, argv, "stencil_kernel.dat");
    unsigned long wrong = 0, bytes = ROWS * PITCH * 8ul;
    double *a = array(bytes), *b = array(bytes), *from = malloc(bytes), *to = malloc(bytes);
    for (int i = 0; i < ROWS * PITCH; i++)
        a[i] = b[i] = from[i] = to[i] = i * 7 % 101 * 0.25;
    double seconds = RUN("stencil", ROWS, COLUMNS, STEPS, (uint64_t)a, (uint64_t)b);
    for (int step = 0; step < STEPS; step++) {
        for (int row = 1; row < ROWS - 1; row++)
            for (int column = BORDER; column < BORDER + COLUMNS; column++) {
                const double *p = from + row * PITCH + column;
                to[row * PITCH + column] = 0.5 * p[0] + 0.125 * ((p[-1] + p[1]) + (p[-PITCH] + p[PITCH]));
            }
        double *other = from;
        from = to;
        to = other;
    }
    const double *result = STEPS % 2 ? b : a;
    for (int i = 0; i < ROWS * PITCH; i++)
        wrong += differ(result[i], from[i], 1e-13);
    figure("stencil", 6.0 * (ROWS - 2) * COLUMNS * STEPS / seconds / 1e9, "GFLOP/s");
    figure("stencil", 16.0 * (ROWS - 2) * COLUMNS * STEPS / seconds / 1e9, "GB/s");
    free(from);
    free(to);
    return end("stencil", wrong);
}
