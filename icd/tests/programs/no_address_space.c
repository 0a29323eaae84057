/* Large buffers where the system gives no more memory: each fails, and leaves the device as
   it was. */
#include "common.h"
#include <sys/resource.h>

int main(void)
{
    set_up();
    launch(1);
    OK(clFinish(queue));
    size_t large = (size_t)4 << 30;
    struct rlimit limit = {(rlim_t)3 << 30, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return 1;
    /* More often than the device's capacity would allow if anything were left behind. */
    for (int i = 0; i < 20; ++i) {
        cl_int code = 12345;
        cl_mem refused = clCreateBuffer(context, CL_MEM_READ_WRITE, large, NULL, &code);
        if (refused != NULL || code != CL_MEM_OBJECT_ALLOCATION_FAILURE) {
            fprintf(stderr, "attempt %d: %p, %d\n", i, (void *)refused, (int)code);
            return 1;
        }
    }
    limit.rlim_cur = RLIM_INFINITY;
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return 1;
    cl_int code;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, large, NULL, &code);
    OK(code);
    OK(clReleaseMemObject(made));
    launch(1);
    OK(clFinish(queue));
    tear_down();
    return 0;
}
