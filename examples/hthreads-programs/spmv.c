#include "program.h"

/* Rows are done in batches; the last row of each is filled up to whole vectors with zeros. */
#define ROWS 3072
#define COLUMNS 20000
#define BATCH 32

int main(int argc, char **argv)
{
    begin(argc, argv, "spmv_kernel.dat");
    unsigned long wrong = 0, count = 0;
    long *begins = array((ROWS + 1) * 8);
    int *offsets = array(ROWS * 64 * 4);
    double *values = array(ROWS * 64 * 8), *x = array(COLUMNS * 8), *y = array(ROWS * 8);
    for (int i = 0; i < COLUMNS; i++)
        x[i] = 1 + i % 19 * 0.125;
    for (int row = 0; row < ROWS; row++) {
        begins[row] = count;
        int elements = 3 + row * 37 % 50;
        for (int i = 0; i < elements; i++, count++) {
            offsets[count] = (int)((row * 211l + i * i * 53l) % COLUMNS) * 8;
            values[count] = (double)(count % 64) / 16 - 1;
        }
        for (; row % BATCH == BATCH - 1 && count % 16; count++)
            offsets[count] = 0, values[count] = 0;
    }
    begins[ROWS] = count;
    double seconds = RUN("spmv", ROWS, COLUMNS, (uint64_t)begins, (uint64_t)offsets, (uint64_t)values, (uint64_t)x, (uint64_t)y);
    for (int row = 0; row < ROWS; row++) {
        double sum = 0;
        for (long i = begins[row]; i < begins[row + 1]; i++)
            sum += values[i] * x[offsets[i] / 8];
        wrong += y[row] != sum;
    }
    figure("spmv", 2.0 * count / seconds / 1e9, "GFLOP/s");
    return end("spmv", wrong);
}
