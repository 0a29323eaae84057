/* Runs kernels whose bodies are given, one after another, as 32 work-items in groups of 16. */
#include "common.h"
#include <string.h>

enum { ITEMS = 32, GROUP = 16, COUNT = 64 };

static cl_mem numbers(void)
{
    int values[COUNT];
    cl_int code;
    for (int i = 0; i < COUNT; ++i)
        values[i] = i;
    cl_mem made = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
    OK(code);
    return made;
}

static void run(const char *body)
{
    const size_t global = ITEMS, local = GROUP;
    int results[COUNT];
    char source[4096];
    snprintf(source, sizeof source,
             "typedef struct { int number; char tag; } Record;\n"
             "kernel void k(global int *in, global int *out, local int *tile, global uchar *bytes,\n"
             "              global float4 *points, global Record *records, global int *same,\n"
             "              volatile global int *flag) {\n"
             "  int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);\n"
             "%s\n"
             "}\n",
             body);
    build(source, "k");
    cl_mem out = numbers();
    /* Two arguments may be the same buffer. */
    cl_mem buffers[8] = {numbers(), out, NULL, numbers(), numbers(), numbers(), out, numbers()};
    for (cl_uint argument = 0; argument < 8; ++argument) {
        if (buffers[argument])
            OK(clSetKernelArg(kernel, argument, sizeof(cl_mem), &buffers[argument]));
        else
            OK(clSetKernelArg(kernel, argument, GROUP * sizeof(int), NULL));
    }
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
