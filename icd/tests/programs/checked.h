/* What programs with kernels to be checked share: `run` gets bodies, one after another, as kernels of
   32 work-items in groups of 16, and prints what they write to a buffer of 64 ints. */
#include "common.h"

enum { ITEMS = 32, GROUP = 16, COUNT = 64 };

static void run(char *body);

static cl_mem numbers(cl_mem_flags flags)
{
    int values[COUNT];
    cl_int code;
    for (int i = 0; i < COUNT; ++i)
        values[i] = i;
    cl_mem made = clCreateBuffer(context, flags | CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
    OK(code);
    return made;
}

/* Launches the kernel, whose arguments are set. */
__attribute__((unused)) static void launch_and_print(cl_mem out)
{
    const size_t global = ITEMS, local = GROUP;
    int results[COUNT];
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    for (int i = 0; i < COUNT; ++i)
        printf("%d ", results[i]);
    printf("\n");
}

int main(int count, char **bodies)
{
    for (int at = 1; at < count; ++at)
        run(bodies[at]);
    return 0;
}
