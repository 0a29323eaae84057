#include "program.h"

#define POINTS 256
#define BLOCKS 48

int main(int argc, char **argv)
{
    begin(argc, argv, "fft_kernel.dat");
    unsigned long wrong = 0, count = BLOCKS * POINTS * 32ul;
    double *data = array(count * 8), *before = malloc(count * 8), *roots = array(POINTS * 8);
    for (unsigned long i = 0; i < count; i++)
        data[i] = before[i] = (double)(i * 2654435761u % 1000) / 500 - 1;
    for (int i = 0; i < POINTS / 2; i++) {
        roots[2 * i] = cos(-2 * M_PI * i / POINTS);
        roots[2 * i + 1] = sin(-2 * M_PI * i / POINTS);
    }
    double seconds = RUN("fft", BLOCKS, (uint64_t)roots, (uint64_t)data);
    double cosine[POINTS], sine[POINTS];
    for (int i = 0; i < POINTS; i++)
        cosine[i] = cos(-2 * M_PI * i / POINTS), sine[i] = sin(-2 * M_PI * i / POINTS);
    for (int block = 0; block < BLOCKS; block++)
        for (int lane = block % 16; lane < 16; lane += 16)
            for (int k = 0; k < POINTS; k++) {
                double real = 0, imaginary = 0;
                for (int j = 0; j < POINTS; j++) {
                    const double *z = before + (block * POINTS + j) * 32 + lane;
                    int angle = j * k % POINTS;
                    real += z[0] * cosine[angle] - z[16] * sine[angle];
                    imaginary += z[0] * sine[angle] + z[16] * cosine[angle];
                }
                const double *found = data + (block * POINTS + k) * 32 + lane;
                wrong += differ(found[0], real, 1e-11) || differ(found[16], imaginary, 1e-11);
            }
    figure("fft", 5.0 * POINTS * 8 * 16 * BLOCKS / seconds / 1e9, "GFLOP/s");
    free(before);
    return end("fft", wrong);
}
