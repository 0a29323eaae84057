#include "program.h"

int main(int argc, char **argv)
{
    begin(argc, argv, "chase_kernel.dat");
    const char *const memories[] = {"DDR", "GSM", "HBSM", "SM"};
    const unsigned long sizes[] = {1 << 18, 32768, 32768, 4000};
    unsigned long wrong = 0, steps = 2000;
    long *next = array(sizes[0] * sizeof *next), *ends = array(THREADS * sizeof *ends);
    for (int memory = 0; memory < 4; memory++) {
        unsigned long n = sizes[memory];
        /* A cycle through all elements, far from one to the next. */
        for (unsigned long i = 0; i < n; i++)
            next[i] = (i * 5 + 3) % n == i ? (long)((i + 1) % n) : (long)((i * 5 + 3) % n);
        double seconds = RUN("run_chase", memory, n, steps, (uint64_t)next, (uint64_t)ends);
        for (int thread = 0; thread < threads; thread++) {
            long at = thread;
            for (unsigned long i = 0; i < steps; i++)
                at = next[at];
            wrong += ends[thread] != at;
        }
        figure(memories[memory], seconds * HERTZ / steps, "cycles a load");
    }
    return end("chase", wrong);
}
