#include "program.h"

#define ROW 2048
#define ON_CHIP (120 * ROW)
#define ROUNDS 4

static const char *const kinds[] = {"copy", "scale", "add", "triad"};

static double expected(int kind, double a, double b)
{
    switch (kind) {
    case 0: return a;
    case 1: return 3 * a;
    case 2: return a + b;
    default: return fma(3, b, a);
    }
}

int main(int argc, char **argv)
{
    begin(argc, argv, "stream_kernel.dat");
    unsigned long wrong = 0, most = 480 * ROW;
    double *a = array(most * 8), *b = array(most * 8), *c = array(most * 8);
    for (unsigned long i = 0; i < most; i++)
        a[i] = i % 1000, b[i] = i % 77 * 0.5;
    const struct {
        const char *memory, *kernel;
        unsigned long n;
    } memories[] = {{"DDR", "stream_ddr", most}, {"GSM", "stream_gsm", ON_CHIP}, {"HBSM", "stream_hbsm", ON_CHIP},
                    {"SM", "stream_sm", 0}, {"AM", "stream_am", 0}};
    for (int memory = 0; memory < 5; memory++)
        for (int kind = 0; kind < 4; kind++) {
            unsigned long n = memories[memory].n;
            unsigned long results = n ? n : (unsigned long)threads * ROW;
            memset(c, 0, most * 8);
            double seconds = RUN(memories[memory].kernel, kind, n ? n : ROUNDS, (uint64_t)a, (uint64_t)b, (uint64_t)c);
            for (unsigned long i = 0; i < results; i++)
                wrong += c[i] != expected(kind, a[i], b[i]);
            char name[40];
            snprintf(name, sizeof name, "%s %s", memories[memory].memory, kinds[kind]);
            double elements = (double)results * (n ? 1 : ROUNDS);
            figure(name, elements * 8 * (kind < 2 ? 2 : 3) / seconds / 1e9, "GB/s");
        }
    return end("stream", wrong);
}
