#include "hthread_device.h"

#define CHECK(condition)                                    \
    do {                                                    \
        if (!(condition) && !failed[get_thread_id()])       \
            failed[get_thread_id()] = __LINE__;             \
    } while (0)

/* Not marked: each global function can be started. */
void all_types(char c, unsigned char uc, short s, unsigned int u, long l, int *failed, double d,
               float f, _Bool b, double *values)
{
    CHECK(c == -3 && uc == 253 && s == -30000 && u == 4000000000u && l == -5000000000000);
    CHECK(d == -0.1 && f == 1.5f && b);
    values[get_thread_id()] = d + f;
}

__global__ void add_one(int *failed, long *words)
{
    words[get_thread_id()]++;
    (void)failed;
}

__global__ int whoami(int *failed, long *words)
{
    (void)failed;
    words[get_core_id()] = 100 * get_thread_id() + get_group_size();
    return 3;
}

static int calls_others(int depth)
{
    return depth ? 1 + calls_others(depth - 1) : 0;
}

__global__ void recursion(int *failed)
{
    int (*function)(int) = calls_others;
    CHECK(function(50) == 50);
}
