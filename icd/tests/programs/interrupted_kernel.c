/* Gets SIGINT while a kernel runs; with an argument it has a handler for it. */
#include "common.h"
#include <sched.h>
#include <signal.h>
#include <unistd.h>

static void handle(int number)
{
    (void)number;
    _exit(42);
}

int main(int count, char **arguments)
{
    static cl_int begun __attribute__((aligned(128)));
    size_t global[2] = {6, 4}, local[2] = {3, 2};
    cl_int code;
    (void)arguments;
    /* Commands in the background of a shell script inherit that it is ignored. */
    signal(SIGINT, count > 1 ? handle : SIG_DFL);
    /* The first launch takes long enough that the second is not run within the call that flushes it. */
    build("kernel void turn(volatile global int *x, int ends)"
          "{ for (int i = 0; i < 10000; ++i) *x = 1; while (!ends && *x) ; }",
          "turn");
    OK(clReleaseMemObject(buffer));
    buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof begun, &begun, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    for (cl_int ends = 1; ends >= 0; --ends) {
        __atomic_store_n(&begun, 0, __ATOMIC_SEQ_CST);
        OK(clSetKernelArg(kernel, 1, sizeof ends, &ends));
        OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
        OK(clFlush(queue));
        if (ends)
            OK(clFinish(queue));
    }
    while (!__atomic_load_n(&begun, __ATOMIC_SEQ_CST))
        sched_yield();
    raise(SIGINT);
    return 0;
}
