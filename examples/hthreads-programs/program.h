/* What the host programs share. A program has the number of threads as its argument, says how many
 * results are wrong, and, from the device's clock, what it has achieved: under `mocl3 stat` in
 * simulated time. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "hthread_host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 24
/* The device's clock. */
#define HERTZ 1.2e9

static int threads;
static int group;
static uint64_t barrier;
/* The first and the last cycle of each thread. */
static unsigned long *spans;
/* What `array` has given. */
#define ARRAYS 32
static void *arrays[ARRAYS];
static int array_count;

static inline void *array(unsigned long bytes)
{
    void *block = array_count < ARRAYS ? hthread_malloc(0, bytes, HT_MEM_RW) : NULL;
    if (!block) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    arrays[array_count++] = block;
    return block;
}

static inline void begin(int argc, char **argv, const char *image)
{
    threads = argc > 1 ? atoi(argv[1]) : THREADS;
    hthread_dev_open(0);
    hthread_dat_load(0, image);
    group = hthread_group_create(0, threads);
    barrier = hthread_barrier_create(0);
    spans = array(2 * THREADS * sizeof *spans);
}

/* Runs a kernel, whose first arguments are the barrier and the spans; seconds on the device. */
static inline double run(const char *kernel, int count, const uint64_t *more)
{
    uint64_t arguments[30] = {barrier, (uint64_t)spans};
    memcpy(arguments + 2, more, count * sizeof *more);
    hthread_group_exec(group, kernel, 1, count + 1, arguments);
    if (hthread_group_wait(group) != 0)
        exit(2);
    unsigned long first = spans[0], last = spans[1];
    for (int thread = 1; thread < threads; thread++) {
        first = spans[2 * thread] < first ? spans[2 * thread] : first;
        last = spans[2 * thread + 1] > last ? spans[2 * thread + 1] : last;
    }
    return (last - first) / HERTZ;
}

#define RUN(kernel, ...) \
    run(kernel, sizeof((uint64_t[]){__VA_ARGS__}) / 8, (uint64_t[]){__VA_ARGS__})

static inline void figure(const char *what, double value, const char *unit)
{
    printf("%s: %.4g %s\n", what, value, unit);
}

static inline int end(const char *program, unsigned long wrong)
{
    hthread_barrier_destroy(barrier);
    hthread_group_destroy(group);
    while (array_count > 0)
        hthread_free(arrays[--array_count]);
    hthread_dev_close(0);
    printf("%s, %d threads: %lu wrong\n", program, threads, wrong);
    return wrong != 0;
}

/* Whether two numbers differ by more than rounding does. */
static inline int differ(double found, double expected, double tolerance)
{
    return !(fabs(found - expected) <= tolerance * (fabs(expected) + 1));
}

#endif
