#include "program.h"
#include "lbm.h"

#define ROWS 96
#define COLUMNS 256
#define STEPS 3
#define INVERSE(number) (1 / (number))

int main(int argc, char **argv)
{
    begin(argc, argv, "lbm_kernel.dat");
    unsigned long wrong = 0, plane = ROWS * COLUMNS, bytes = 9 * plane * 8;
    double *a = array(bytes), *b = array(bytes), *from = malloc(bytes), *to = malloc(bytes);
    for (int q = 0; q < 9; q++)
        for (unsigned long i = 0; i < plane; i++)
            a[q * plane + i] = from[q * plane + i] = weight[q] * (1 + (i * 31 + q) % 17 * 0.01);
    double seconds = RUN("lbm", ROWS, COLUMNS, STEPS, (uint64_t)a, (uint64_t)b);
    for (int step = 0; step < STEPS; step++) {
        for (int y = 0; y < ROWS; y++)
            for (int x = 0; x < COLUMNS; x++) {
                double f[9];
                for (int q = 0; q < 9; q++) {
                    int row = (y + ROWS - velocity_y[q]) % ROWS, column = (x + COLUMNS - velocity_x[q]) % COLUMNS;
                    f[q] = from[q * plane + row * COLUMNS + column];
                }
                COLLIDE(double, f, INVERSE)
                for (int q = 0; q < 9; q++)
                    to[q * plane + y * COLUMNS + x] = f[q];
            }
        double *other = from;
        from = to;
        to = other;
    }
    const double *result = STEPS % 2 ? b : a;
    for (unsigned long i = 0; i < 9 * plane; i++)
        wrong += differ(result[i], from[i], 1e-13);
    figure("lbm", 1.0 * plane * STEPS / seconds / 1e6, "million updates/s");
    figure("lbm", 144.0 * plane * STEPS / seconds / 1e9, "GB/s");
    free(from);
    free(to);
    return end("lbm", wrong);
}
