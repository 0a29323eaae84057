/* program KERNEL GLOBAL LOCAL LAUNCHES: launches a kernel of kernels.cl. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 1 << 20 };

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", what, code);
        exit(2);
    }
}

int main(int count, char **arguments)
{
    static char source[1 << 16];
    static float numbers[ELEMENTS];
    if (count != 5)
        return 2;
    FILE *file = fopen("kernels.cl", "r");
    if (!file || fread(source, 1, sizeof source - 1, file) == 0)
        return 2;
    for (int i = 0; i < ELEMENTS; ++i)
        numbers[i] = (float)(i % 97) / 97;
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "queue");
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &code);
    check(code, "buffer");
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &code);
    check(code, "buffer");
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(code, "program");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
    cl_kernel kernel = clCreateKernel(program, arguments[1], &code);
    check(code, "kernel");
    size_t global = strtoul(arguments[2], NULL, 10), local = strtoul(arguments[3], NULL, 10);
    cl_int elements = (cl_int)global;
    check(clSetKernelArg(kernel, 0, sizeof in, &in), "argument");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "argument");
    check(clSetKernelArg(kernel, 2, sizeof elements, &elements), "argument");
    for (int launch = 0; launch < atoi(arguments[4]); ++launch)
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "launch");
    check(clFinish(queue), "finish");
    return 0;
}
