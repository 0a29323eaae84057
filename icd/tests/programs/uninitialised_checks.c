/* Runs kernels that are given, one after another, each as a step for the host and a body with a '|'
   between them. `in` has 64 ints of which the host writes the first 16, then what the step says. */
#include "checked.h"

enum { HALF = 32 * sizeof(int) };

static cl_mem unwritten(size_t bytes)
{
    cl_int code;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    OK(code);
    return made;
}

/* Writes the first 32 ints of `in`, except for "none". */
static void write(const char *step, cl_mem in, cl_mem full)
{
    static const int values[COUNT] = {0, 1, 2, 3};
    const size_t origin[3] = {0, 0, 0}, region[3] = {16, 8, 1};
    const cl_buffer_region half = {0, HALF};
    cl_int code;
    OK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, 64, values, 0, NULL, NULL));
    if (!strcmp(step, "query")) {
        cl_ulong bytes;
        OK(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    }
    if (!strcmp(step, "write"))
        OK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, HALF, values, 0, NULL, NULL));
    if (!strcmp(step, "fill"))
        OK(clEnqueueFillBuffer(queue, in, values, 4, 0, HALF, 0, NULL, NULL));
    if (!strcmp(step, "copy"))
        OK(clEnqueueCopyBuffer(queue, full, in, 0, 0, HALF, 0, NULL, NULL));
    if (!strcmp(step, "copy of nothing"))
        OK(clEnqueueCopyBuffer(queue, unwritten(HALF), in, 0, 0, HALF, 0, NULL, NULL));
    if (!strcmp(step, "rectangle"))
        OK(clEnqueueWriteBufferRect(queue, in, CL_TRUE, origin, origin, region, 16, 0, 16, 0, values, 0,
                                    NULL, NULL));
    if (!strcmp(step, "map") || !strcmp(step, "map for reading")) {
        cl_map_flags flags = step[3] ? CL_MAP_READ : CL_MAP_WRITE;
        void *mapped = clEnqueueMapBuffer(queue, in, CL_TRUE, flags, 0, HALF, 0, NULL, NULL, &code);
        OK(code);
        if (flags == CL_MAP_WRITE)
            memcpy(mapped, values, HALF);
        OK(clEnqueueUnmapMemObject(queue, in, mapped, 0, NULL, NULL));
    }
    if (!strcmp(step, "part")) {
        cl_mem part = clCreateSubBuffer(in, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
        OK(code);
        OK(clEnqueueWriteBuffer(queue, part, CL_TRUE, 0, HALF, values, 0, NULL, NULL));
    }
}

static void run(char *step)
{
    const int zero = 0;
    char source[4096];
    char *body = strchr(step, '|');
    *body++ = '\0';
    snprintf(source, sizeof source,
             "typedef struct { char tag; int number; float3 point; } Record;\n"
             "typedef union { int number; char bytes[4]; } Bytes;\n"
             "kernel void k(global int *in, global int *out, local int *tile, int zero,\n"
             "              global float3 *points, global Record *records, global int *full) {\n"
             "  int i = get_global_id(0), l = get_local_id(0);\n"
             "%s\n"
             "}\n",
             body);
    build(source, "k");
    cl_mem in = unwritten(COUNT * sizeof(int)), out = numbers(CL_MEM_READ_WRITE), full = numbers(CL_MEM_READ_WRITE);
    cl_mem points = unwritten(COUNT * 16), records = unwritten(COUNT * 32);
    write(step, in, full);
    OK(clSetKernelArg(kernel, 0, sizeof in, &in));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    OK(clSetKernelArg(kernel, 2, GROUP * sizeof(int), NULL));
    OK(clSetKernelArg(kernel, 3, sizeof zero, &zero));
    OK(clSetKernelArg(kernel, 4, sizeof points, &points));
    OK(clSetKernelArg(kernel, 5, sizeof records, &records));
    OK(clSetKernelArg(kernel, 6, sizeof full, &full));
    launch_and_print(out);
}
