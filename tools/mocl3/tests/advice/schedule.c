/* schedule ORDER before|after: commands in an order with a known defect, and in one without it.
   kernels: two kernels for each of 20 steps, or one. transfers: all data at once, or in 4 parts on three queues.
   clusters: all data on the first device, or a part on each one. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 1 << 23, FEW = 6144, PARTS = 4 };

static const char *source =
    "kernel void scale(global const float *a, global float *b, int steps)"
    "{ int i = get_global_id(0); float x = a[i]; for (int s = 0; s < steps; ++s) x = x * 0.75f + 0.25f; b[i] = x; }"
    "kernel void add(global const float *a, global float *b, int steps)"
    "{ int i = get_global_id(0); b[i] += a[i]; }"
    "kernel void scale_and_add(global const float *a, global float *b, int steps)"
    "{ int i = get_global_id(0); float x = a[i]; for (int s = 0; s < steps; ++s) x = x * 0.75f + 0.25f; b[i] = x + a[i]; }";

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", what, code);
        exit(2);
    }
}

static cl_context context;
static cl_program program;

static cl_kernel kernel(const char *name, cl_mem a, cl_mem b, cl_int steps)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    check(code, "kernel");
    check(clSetKernelArg(kernel, 0, sizeof a, &a), "argument");
    check(clSetKernelArg(kernel, 1, sizeof b, &b), "argument");
    check(clSetKernelArg(kernel, 2, sizeof steps, &steps), "argument");
    return kernel;
}

static void launch(cl_command_queue queue, cl_kernel kernel, size_t global, cl_uint count, cl_event *wait, cl_event *event)
{
    size_t local = 64;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, count, wait, event), "launch");
}

int main(int count, char **arguments)
{
    static float numbers[ELEMENTS], results[ELEMENTS];
    if (count != 3)
        return 2;
    int after = !strcmp(arguments[2], "after");
    for (int i = 0; i < ELEMENTS; ++i)
        numbers[i] = (float)(i % 97) / 97;
    cl_platform_id platform;
    cl_device_id devices[PARTS];
    cl_uint device_count;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, PARTS, devices, &device_count), "device");
    if (device_count < PARTS)
        return 2;
    context = clCreateContext(NULL, PARTS, devices, NULL, NULL, &code);
    check(code, "context");
    int divides = !strcmp(arguments[1], "clusters");
    cl_command_queue queues[PARTS];
    for (int i = 0; i < PARTS; ++i) {
        queues[i] = clCreateCommandQueue(context, devices[divides ? i : 0], 0, &code);
        check(code, "queue");
    }
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "program");
    check(clBuildProgram(program, PARTS, devices, "", NULL, NULL), "build");
    int parts = strcmp(arguments[1], "kernels") && after ? PARTS : 1;
    size_t elements = ELEMENTS / parts, bytes = elements * sizeof(float);
    cl_mem a[PARTS], b[PARTS];
    for (int part = 0; part < parts; ++part) {
        a[part] = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &code);
        check(code, "buffer");
        b[part] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
        check(code, "buffer");
    }
    if (!strcmp(arguments[1], "transfers")) {
        for (int part = 0; part < parts; ++part) {
            cl_event written, computed;
            float *own = numbers + part * elements, *result = results + part * elements;
            check(clEnqueueWriteBuffer(queues[0], a[part], CL_FALSE, 0, bytes, own, 0, NULL, &written), "write");
            launch(queues[1], kernel("scale", a[part], b[part], 150), elements, 1, &written, &computed);
            check(clEnqueueReadBuffer(queues[2], b[part], CL_FALSE, 0, bytes, result, 1, &computed, NULL), "read");
        }
        for (int i = 0; i < PARTS; ++i)
            check(clFinish(queues[i]), "finish");
    } else if (divides) {
        for (int part = 0; part < parts; ++part)
            launch(queues[part], kernel("scale", a[part], b[part], 150), elements, 0, NULL, NULL);
        for (int part = 0; part < parts; ++part)
            check(clFinish(queues[part]), "finish");
    } else if (!strcmp(arguments[1], "kernels")) {
        cl_kernel first = kernel(after ? "scale_and_add" : "scale", a[0], b[0], 10);
        cl_kernel second = kernel("add", a[0], b[0], 10);
        for (int i = 0; i < 20; ++i) {
            launch(queues[0], first, FEW, 0, NULL, NULL);
            if (!after)
                launch(queues[0], second, FEW, 0, NULL, NULL);
        }
        check(clFinish(queues[0]), "finish");
    } else {
        return 2;
    }
    return 0;
}
