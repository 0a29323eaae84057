#include "program.h"

#define KEYS (24 * 1024)

static int compare(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    begin(argc, argv, "sort_kernel.dat");
    unsigned long wrong = 0;
    long *keys = array(KEYS * 8), *other = array(KEYS * 8), *expected = malloc(KEYS * 8);
    spans = array((2 * THREADS + 1) * 8);
    for (long i = 0; i < KEYS; i++)
        keys[i] = expected[i] = i * 2654435761l % 1000003 - 500000;
    qsort(expected, KEYS, 8, compare);
    double seconds = RUN("sort", KEYS, (uint64_t)keys, (uint64_t)other);
    const long *sorted = (const long *)spans[2 * THREADS];
    for (int i = 0; i < KEYS; i++)
        wrong += sorted[i] != expected[i];
    figure("sort", KEYS / seconds / 1e6, "million keys/s");
    free(expected);
    return end("sort", wrong);
}
