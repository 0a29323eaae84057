// Builds, launches and waits overflowed the stack of host threads that have 64 KiB.
// fixed by: de18bc1
// only on: MOCL3

#define _GNU_SOURCE
#include "common.h"
#include <pthread.h>
#include <string.h>

enum { ITEMS = 1 << 12, STACK = 64 << 10 };

static const char *source =
    "kernel void k(global uint *x, uint n) {"
    "  uint a[20000];" /* 80 KB */
    "  for (uint i = 0; i < 20000; ++i) a[i] = i * n;"
    "  x[get_global_id(0)] = a[(get_global_id(0) * 7919u) % 20000u];"
    "}"
    "kernel void prints(double x) { printf(\"%f %v4f\\n\", x, (float4)(1, 2, 3, 4)); }";

static void *all(void *unused)
{
    static const cl_uint three = 3;
    const double half = 0.5;
    size_t items = ITEMS;
    cl_uint *values = malloc(ITEMS * sizeof *values);
    (void)unused;
    build(source, "k");
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(kernel, 1, sizeof three, &three));
    for (int repeat = 0; repeat < 20; ++repeat) {
        memset(values, 0, ITEMS * sizeof *values);
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, ITEMS * sizeof *values, values, 0, NULL,
                               NULL));
        for (cl_uint item = 0; item < ITEMS; ++item)
            if (values[item] != item * 7919u % 20000u * 3) {
                fprintf(stderr, "item %u\n", (unsigned)item);
                abort();
            }
    }
    cl_int code;
    cl_kernel prints = clCreateKernel(program, "prints", &code);
    OK(code);
    OK(clSetKernelArg(prints, 0, sizeof half, &half));
    OK(clEnqueueTask(queue, prints, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(prints));
    tear_down();
    free(values);
    return NULL;
}

int main(void)
{
    for (int repeat = 0; repeat < 3; ++repeat) {
        pthread_attr_t attributes;
        pthread_t thread;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, STACK);
        if (pthread_create(&thread, &attributes, all, NULL) != 0)
            abort();
        pthread_join(thread, NULL);
    }
    return 0;
}
