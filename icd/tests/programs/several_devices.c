/* The same programs for several devices: `contexts` has a context for each device, `builds` one
 * context and a build for each device. The log goes to standard output. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEVICES = 4, PROGRAMS = 2, KERNELS = 3 };

#define OK(call)                                                                         \
    do {                                                                                 \
        cl_int code_ = (call);                                                           \
        if (code_ != CL_SUCCESS) {                                                       \
            fprintf(stderr, "%s: %d\n", #call, code_);                                   \
            abort();                                                                     \
        }                                                                                \
    } while (0)

static cl_program program(cl_context context, int number)
{
    char text[1024], *end = text;
    const char *source = text;
    cl_int code;
    for (int kernel = 0; kernel < KERNELS; ++kernel)
        end += sprintf(end, "kernel void k%d_%d(global int *x) { x[get_global_id(0)] = %d; }\n",
                       number, kernel, 10 * number + kernel);
    cl_program made = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    return made;
}

static void launch(cl_context context, cl_device_id device, cl_program built, int number)
{
    cl_int code, values[64];
    cl_uint count;
    cl_kernel kernels[KERNELS];
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof values, NULL, &code);
    OK(code);
    OK(clCreateKernelsInProgram(built, KERNELS, kernels, &count));
    for (int i = 0; i < KERNELS; ++i) {
        size_t global = 64, local = 8;
        OK(clSetKernelArg(kernels[i], 0, sizeof buffer, &buffer));
        OK(clEnqueueNDRangeKernel(queue, kernels[i], 1, NULL, &global, &local, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
        if (values[63] != 10 * number + i)
            abort();
        OK(clReleaseKernel(kernels[i]));
    }
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_device_id devices[DEVICES];
    cl_context contexts[DEVICES];
    cl_program programs[DEVICES][PROGRAMS];
    cl_uint count;
    cl_int code;
    int separate = argc == 2 && strcmp(argv[1], "contexts") == 0;
    dup2(1, 2);
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, &count));
    for (int d = 0; d < DEVICES; ++d) {
        if (separate || d == 0) {
            contexts[d] = clCreateContext(NULL, separate ? 1 : DEVICES, devices + d, NULL, NULL,
                                          &code);
            OK(code);
        } else {
            contexts[d] = contexts[0];
        }
        for (int p = 0; p < PROGRAMS; ++p) {
            programs[d][p] = separate || d == 0 ? program(contexts[d], p) : programs[0][p];
            OK(clBuildProgram(programs[d][p], 1, devices + d, "", NULL, NULL));
        }
    }
    for (int d = 0; d < DEVICES; ++d)
        for (int p = 0; p < PROGRAMS; ++p)
            launch(contexts[d], devices[d], programs[d][p], p);
    return 0;
}
