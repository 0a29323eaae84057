// A handle of a released object crashed the loader, which reads the object's memory before it
// calls the platform. However old it is, the handle gives its error code.
// fixed by: 522c998
// only on: MOCL3

#include "common.h"
#include <string.h>

enum { STALE = 100, LATER = 300000, BLOCKS = 200000 };

int main(void)
{
    cl_mem stale[STALE];
    cl_int code;
    set_up();
    for (int number = 0; number < STALE; ++number) {
        stale[number] = clCreateBuffer(context, 0, 64, NULL, &code);
        OK(code);
    }
    for (int number = 0; number < STALE; ++number)
        OK(clReleaseMemObject(stale[number]));
    for (int number = 0; number < LATER; ++number) {
        cl_event event = clCreateUserEvent(context, &code);
        OK(code);
        OK(clReleaseEvent(event));
    }
    /* What the C library has freed it gives again. */
    void **blocks = malloc(BLOCKS * sizeof *blocks);
    for (int number = 0; number < BLOCKS; ++number)
        blocks[number] = memset(malloc(16), 0x41, 16);
    for (int number = 0; number < STALE; ++number) {
        if (clRetainMemObject(stale[number]) != CL_INVALID_MEM_OBJECT
            || clReleaseMemObject(stale[number]) != CL_INVALID_MEM_OBJECT
            || clSetKernelArg(kernel, 0, sizeof(cl_mem), &stale[number]) == CL_SUCCESS)
            abort();
    }
    for (int number = 0; number < BLOCKS; ++number)
        free(blocks[number]);
    free(blocks);
    tear_down();
    return 0;
}
