/* Launches the kernel that is named, or else both; prints what they have made. */
#include "common.h"
#include <string.h>

static const char *source =
    "kernel void early(global float *from, global float *to, local float *tile) {\n"
    "  int l = get_local_id(0), n = get_local_size(0); local float other[64];\n"
    "  event_t one = async_work_group_copy(tile, from + get_group_id(0) * n, n, 0);\n"
    "  async_work_group_copy(other, from, 64, 0);\n"
    "  float x = tile[l];\n"
    "  from[get_global_id(0)] = 2;\n"
    "  wait_group_events(1, &one);\n"
    "  to[get_global_id(0)] = x + tile[n - 1 - l];\n"
    "}\n"
    "kernel void right(global float *from, global float *to, local float *tile) {\n"
    "  int l = get_local_id(0), n = get_local_size(0);\n"
    "  event_t events[2];\n"
    "  events[0] = async_work_group_copy(tile, from + get_group_id(0) * n, n, 0);\n"
    "  events[1] = async_work_group_strided_copy(tile + n, from, n, 2, 0);\n"
    "  wait_group_events(2, events);\n"
    "  to[get_global_id(0)] = tile[n - 1 - l] + tile[n + l];\n"
    "}\n";

int main(int count, char **arguments)
{
    enum { ITEMS = 256, GROUP = 64 };
    const size_t global = ITEMS, local = GROUP;
    float numbers[ITEMS];
    cl_int code;
    build(source, "right");
    cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof numbers, NULL, &code);
    OK(code);
    const char *names[] = {"early", "right"};
    for (int at = 0; at < 2; ++at) {
        if (count > 1 && strcmp(names[at], arguments[1]) != 0)
            continue;
        for (int i = 0; i < ITEMS; ++i)
            numbers[i] = i;
        OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
        kernel = clCreateKernel(program, names[at], &code);
        OK(code);
        OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
        OK(clSetKernelArg(kernel, 1, sizeof to, &to));
        OK(clSetKernelArg(kernel, 2, 2 * GROUP * sizeof(float), NULL));
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
        for (int i = 0; i < ITEMS; ++i)
            printf("%g ", numbers[i]);
    }
    return 0;
}
