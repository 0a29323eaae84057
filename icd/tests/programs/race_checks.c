/* Runs kernels whose bodies are given, one after another, as 32 work-items in groups of 16. */
#include "checked.h"

static void run(char *body)
{
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
    const cl_mem_flags flags = CL_MEM_READ_WRITE;
    cl_mem out = numbers(flags);
    /* Two arguments are the same buffer. */
    cl_mem buffers[8] = {numbers(flags), out,           NULL, numbers(flags),
                         numbers(flags), numbers(flags), out,  numbers(flags)};
    for (cl_uint argument = 0; argument < 8; ++argument) {
        if (buffers[argument])
            OK(clSetKernelArg(kernel, argument, sizeof(cl_mem), &buffers[argument]));
        else
            OK(clSetKernelArg(kernel, argument, GROUP * sizeof(int), NULL));
    }
    launch_and_print(out);
}
