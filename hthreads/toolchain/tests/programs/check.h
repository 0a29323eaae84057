/* What the host programs of the tests share. The kernels write the line of their first failure to
 * `failed[thread]`. A program has cases: blocks `CASE(name) { ... }`, and the kernels that `run` starts
 * outside of such blocks. If HT_CASES is set, it prints how each has ended. */
#ifndef CHECK_H
#define CHECK_H

#include "hthread_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 24

static int failures;
static int *failed;

/* The case that runs, and the failures before it. */
static const char *current_case;
static int failures_before;

static inline int begin_case(const char *name)
{
    current_case = name;
    failures_before = failures;
    return 1;
}

static inline int end_case(void)
{
    if (getenv("HT_CASES"))
        printf("case %s: %s\n", current_case, failures > failures_before ? "failed" : "passed");
    fflush(stdout);
    current_case = NULL;
    return 0;
}

#define CASE(name) for (int open_case = begin_case(name); open_case; open_case = end_case())

#define EXPECT(condition)                                             \
    do {                                                              \
        if (!(condition)) {                                           \
            failures++;                                               \
            printf("host line %d: %s\n", __LINE__, #condition);       \
        }                                                             \
    } while (0)

static inline void open_cluster(int cluster)
{
    int is_case = !current_case && begin_case("open_cluster");
    EXPECT(hthread_dev_open(cluster) == 0);
    EXPECT(hthread_dat_load(cluster, "kernel.dat") == 0);
    failed = hthread_malloc(cluster, THREADS * sizeof *failed, HT_MEM_RW);
    memset(failed, 0, THREADS * sizeof *failed);
    if (is_case)
        end_case();
}

static inline void expect_no_failure(const char *kernel)
{
    for (int thread = 0; thread < THREADS; thread++)
        if (failed[thread]) {
            failures++;
            printf("%s, thread %d: device line %d\n", kernel, thread, failed[thread]);
            failed[thread] = 0;
        }
}

/* Runs a kernel to its end on a new group; its arguments are `failed` and then those of the array. */
static inline void run(int threads, const char *kernel, int count, const uint64_t *more)
{
    int is_case = !current_case && begin_case(kernel);
    uint64_t arguments[30] = {(uint64_t)failed};
    memcpy(arguments + 1, more, count * sizeof *more);
    int group = hthread_group_create(0, threads, kernel, 0, count + 1, arguments);
    EXPECT(hthread_group_wait(group) == 0);
    EXPECT(hthread_group_get_status(group) == 0);
    EXPECT(hthread_group_destroy(group) == 0);
    expect_no_failure(kernel);
    if (is_case)
        end_case();
}

#define RUN(threads, kernel, ...)                                              \
    do {                                                                       \
        const uint64_t more[] = {__VA_ARGS__};                                 \
        run(threads, kernel, sizeof more / sizeof *more, more);                \
    } while (0)

static inline int finish(void)
{
    printf("%d failures\n", failures);
    return failures != 0;
}

#endif
