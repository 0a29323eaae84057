#include "program.h"

#define BODIES 768
#define SOFTENING 0.01

int main(int argc, char **argv)
{
    begin(argc, argv, "nbody_kernel.dat");
    unsigned long wrong = 0;
    double *bodies = array(4 * BODIES * 8), *found = array(3 * BODIES * 8);
    for (int i = 0; i < 4 * BODIES; i++)
        bodies[i] = (double)(i * 7919l % 1009) / 1009;
    double seconds = RUN("nbody", BODIES, (uint64_t)bodies, (uint64_t)found);
    const double *x = bodies, *y = x + BODIES, *z = y + BODIES, *mass = z + BODIES;
    for (int i = 0; i < BODIES; i++) {
        double sum[3] = {0};
        for (int j = 0; j < BODIES; j++) {
            double d[3] = {x[j] - x[i], y[j] - y[i], z[j] - z[i]};
            double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + SOFTENING;
            for (int k = 0; k < 3; k++)
                sum[k] += d[k] * mass[j] / (square * sqrt(square));
        }
        for (int k = 0; k < 3; k++)
            wrong += differ(found[k * BODIES + i], sum[k], 1e-11);
    }
    figure("nbody", 1.0 * BODIES * BODIES / seconds / 1e6, "million interactions/s");
    return end("nbody", wrong);
}
