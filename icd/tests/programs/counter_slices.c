/* Launches whose work-groups count by a slice of their code, each followed by one of the same kernel
   that cannot: its bound is in the object that the kernel writes. Both compute the same in the same
   simulated time. */
#include "common.h"

#include <stdlib.h>
#include <string.h>

static const char *source =
    "kernel void sums(global const int *bounds, global int *x) {\n"
    "  int i = get_global_id(0), sum = 0;\n"
    "  for (int j = bounds[i & 7]; j > 0; --j) sum += x[(i * 13 + j * 31) & 1023] * (j | 5) ^ i;\n"
    "  x[1024 + i] = sum;\n"
    "}\n"
    "kernel void copied(global const int *bounds, global int *x) {\n"
    "  local int tile[64];\n"
    "  int i = get_local_id(0), sum = 0;\n"
    "  for (int j = 0; j < bounds[7]; ++j) {\n"
    "    global int *from = x + 64 * j;\n"
    "    event_t event = async_work_group_copy(tile, from, 64, 0);\n"
    "    wait_group_events(1, &event);\n"
    "    sum += tile[(i * 7) & 63] * tile[i] + j;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  x[1024 + get_global_id(0)] = sum;\n"
    "}\n";

enum { INPUTS = 1024, ITEMS = 2048, BOUNDS = 8, ALL = INPUTS + ITEMS + BOUNDS };

static void launch_with(const char *name, cl_mem bounds, cl_mem x, int *results)
{
    size_t global = ITEMS, local = 64;
    cl_int code;
    cl_kernel each = clCreateKernel(program, name, &code);
    OK(code);
    OK(clSetKernelArg(each, 0, sizeof bounds, &bounds));
    OK(clSetKernelArg(each, 1, sizeof x, &x));
    OK(clEnqueueNDRangeKernel(queue, each, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clReleaseKernel(each));
    OK(clEnqueueReadBuffer(queue, x, CL_TRUE, INPUTS * sizeof(int), ITEMS * sizeof(int), results, 0,
                           NULL, NULL));
}

int main(void)
{
    static const char *names[] = {"sums", "copied"};
    static int data[ALL], apart[ITEMS], together[ITEMS];
    cl_int code;
    build(source, names[0]);
    for (int i = 0; i < ALL; ++i)
        data[i] = i < INPUTS ? i * 7919 % 1000 : 0;
    for (int i = 0; i < BOUNDS; ++i)
        data[INPUTS + ITEMS + i] = i * 2 + 1;
    cl_mem x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &code);
    OK(code);
    cl_mem bounds = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BOUNDS * sizeof(int),
                                   data + INPUTS + ITEMS, &code);
    OK(code);
    cl_buffer_region region = {(INPUTS + ITEMS) * sizeof(int), BOUNDS * sizeof(int)};
    cl_mem part = clCreateSubBuffer(x, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    OK(code);
    for (int k = 0; k < 2; ++k) {
        launch_with(names[k], bounds, x, apart);
        launch_with(names[k], part, x, together);
        if (memcmp(apart, together, sizeof apart) || !apart[ITEMS - 1]) {
            fprintf(stderr, "%s: wrong results\n", names[k]);
            return 1;
        }
    }
    OK(clReleaseMemObject(part));
    OK(clReleaseMemObject(bounds));
    OK(clReleaseMemObject(x));
    tear_down();
    return 0;
}
