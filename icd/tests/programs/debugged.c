/* Launches the kernel that is named: one with a variable of each kind, or one that crashes. */
#include "common.h"

static const char *source =
    "constant float table[2] = {0.5f, 1.5f};\n"
    "typedef struct { int number; float4 colour; } pixel;\n"
    "float scale(float x, float by) {\n"
    "    float scaled = x * by;\n"
    "    return scaled;\n"
    "}\n"
    "float at(global const float *x) {\n"
    "    size_t here = get_global_id(0);\n"
    "    return x[here];\n"
    "}\n"
    "kernel void shade(global float *x, local float *part, int n, pixel p) {\n"
    "    local float tile[8];\n"
    "    int i = get_global_id(0);\n"
    "    int l = get_local_id(0);\n"
    "    float history[3];\n"
    "    for (int h = 0; h < 3; h++)\n"
    "        history[h] = i + h;\n"
    "    float4 v = (float4)(x[i], 1.0f, 2.0f, 3.0f);\n"
    "    pixel q = p;\n"
    "    q.number += i;\n"
    "    tile[l] = at(x) + table[l & 1];\n"
    "    part[l] = i;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    float sum = tile[7 - l] + history[1];\n"
    "    sum += scale(v.x, 2.0f);\n"
    "    x[i] = sum + q.number * n;\n"
    "}\n"
    "kernel void crash(global float *x, long far) {\n"
    "    x[get_global_id(0) * far] = 1;\n"
    "}\n";

typedef struct {
    cl_int number;
    cl_float4 colour;
} pixel;

int main(int count, char **arguments)
{
    enum { ITEMS = 32, GROUP = 8 };
    const size_t global = ITEMS, local = GROUP;
    float numbers[ITEMS];
    cl_command_queue other;
    cl_event waited_for;
    cl_device_id device;
    cl_int code;
    build(source, count > 1 ? arguments[1] : "shade");
    for (int i = 0; i < ITEMS; ++i)
        numbers[i] = i;
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    if (count > 1) {
        const cl_long far = 1l << 40;
        OK(clSetKernelArg(kernel, 1, sizeof far, &far));
    } else {
        const cl_int n = 2;
        const pixel p = {7, {{1, 2, 3, 4}}};
        OK(clSetKernelArg(kernel, 1, GROUP * sizeof(float), NULL));
        OK(clSetKernelArg(kernel, 2, sizeof n, &n));
        OK(clSetKernelArg(kernel, 3, sizeof p, &p));
    }
    /* A command that waits until the kernel has ended. */
    OK(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL));
    other = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    OK(code);
    waited_for = clCreateUserEvent(context, &code);
    OK(code);
    OK(clEnqueueMarkerWithWaitList(other, 1, &waited_for, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; ++i)
        printf("%g ", numbers[i]);
    printf("\n");
    OK(clSetUserEventStatus(waited_for, CL_COMPLETE));
    OK(clFinish(other));
    return 0;
}
