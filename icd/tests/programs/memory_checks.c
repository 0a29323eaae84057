/* Runs kernels with the bodies that are given, one after another, and prints what they write to `out`. */
#include "checked.h"

static void run(char *body)
{
    const cl_buffer_region region = {128, 64};
    cl_int code;
    char source[4096];
    snprintf(source, sizeof source,
             "constant int primes[4] = {2, 3, 5, 7};\n"
             "kernel void k(global int *in, global int *out, local int *tile, global int *none,\n"
             "              constant int *table, global int *ro, global int *wo, global int *part,\n"
             "              const global int *fixed) {\n"
             "  int i = get_global_id(0), l = get_local_id(0);\n"
             "%s\n"
             "}\n",
             body);
    build(source, "k");
    cl_mem in = numbers(CL_MEM_READ_WRITE), out = numbers(CL_MEM_READ_WRITE);
    cl_mem read_only = numbers(CL_MEM_READ_ONLY), write_only = numbers(CL_MEM_WRITE_ONLY);
    cl_mem whole = numbers(CL_MEM_READ_WRITE);
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof in, &in));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    OK(clSetKernelArg(kernel, 2, GROUP * sizeof(int), NULL));
    OK(clSetKernelArg(kernel, 3, sizeof in, NULL));
    OK(clSetKernelArg(kernel, 4, sizeof in, &in));
    OK(clSetKernelArg(kernel, 5, sizeof read_only, &read_only));
    OK(clSetKernelArg(kernel, 6, sizeof write_only, &write_only));
    OK(clSetKernelArg(kernel, 7, sizeof part, &part));
    OK(clSetKernelArg(kernel, 8, sizeof whole, &whole));
    launch_and_print(out);
}
