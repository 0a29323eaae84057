#include "hthread_device.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

__global__ void print(unsigned int barrier)
{
    int me = get_thread_id();
    hthread_printf("thread %d of %d\n", me, get_group_size());
    group_barrier(barrier);
    if (me == 1)
        hthread_printf("%d %ld %lu %u %x %lx %s|%-5s|%5.1lf %f %e %le %c%%\n", -1, -2l, 3ul, 4u, 255,
                       1l << 40, "text", "ab", 2.25, 0.5, 1e10, -1e-300, 'z');
    char text[64];
    int length = hthread_sprintf(text, "%03d", me);
    if (length != 3 || hthread_snprintf(text + 3, 4, "%s", "abcdef") != 6)
        hthread_printf("wrong\n");
    group_barrier(barrier);
    if (me == 0) {
        hthread_printf("%s\n", text);
        snprintf(text, sizeof text, "%.3f", sqrt(2.0) + fabs(-1.0));
        hthread_printf("%s\n", text);
        fflush(stdout);
        char many[2000];
        memset(many, 'x', sizeof many);
        many[1999] = 0;
        hthread_printf("%s", many);
        hthread_printf("\n");
    }
}

static int formatted(char *text, const char *fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    int length = hthread_vsnprintf(text, 8, fmt, arguments);
    va_end(arguments);
    return length;
}

__global__ void times(long *results)
{
    char text[8];
    struct timeval start, end;
    hthread_gettimeofday(&start);
    unsigned long clock = get_clk();
    dsp_sleep(2000);
    results[0] = get_clk() - clock;
    hthread_gettimeofday(&end);
    results[1] = (end.tv_sec - start.tv_sec) * 1000000 + end.tv_usec - start.tv_usec;
    results[2] = formatted(text, "%d-%d", 1234, 5678);
    assert(results[2] == 9);
    results[3] = strcmp(text, "1234-56");
}

__global__ void triggers(void)
{
    trigger_cpu(0x10 + get_thread_id());
}
