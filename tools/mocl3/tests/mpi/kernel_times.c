/* The simulated times of each rank's kernels, which depend on its number. Under SimGrid all ranks
 * append to the file that the first argument names; compiled with ALONE there is no MPI, and a process
 * is the rank that the second argument names. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef ALONE
#include <mpi.h>
#endif

#define OK(call)                                                   \
    do {                                                           \
        cl_int code_ = (call);                                     \
        if (code_ != CL_SUCCESS) {                                 \
            fprintf(stderr, "line %d: %d\n", __LINE__, (int)code_); \
            exit(1);                                               \
        }                                                          \
    } while (0)

static const char *SOURCE =
    "kernel void collatz(global uint *x, uint first) {\n"
    "    uint n = first + get_global_id(0) + 1, steps = 0;\n"
    "    for (; n != 1 && steps < 200; steps++) n = n % 2 ? 3 * n + 1 : n / 2;\n"
    "    x[get_global_id(0)] = steps;\n"
    "}\n";

enum { LAUNCHES = 3 };

int main(int argc, char **argv) {
    int rank;
#ifdef ALONE
    rank = atoi(argv[2]);
#else
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
    if (argc < 2) return 1;
    cl_int code;
    cl_platform_id platform;
    cl_device_id device;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    OK(code);
    cl_program program = clCreateProgramWithSource(context, 1, &SOURCE, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "collatz", &code);
    OK(code);
    size_t items = 256 * (size_t)(rank + 1);
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(cl_uint), NULL, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    FILE *file = fopen(argv[1], "a");
    if (!file) return 1;
    fprintf(file, "%d:", rank);
    for (cl_uint launch = 0; launch < LAUNCHES; launch++) {
        cl_uint first = 1000 * (cl_uint)rank + 17 * launch;
        cl_event event;
        cl_ulong start, end;
        OK(clSetKernelArg(kernel, 1, sizeof first, &first));
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
        OK(clWaitForEvents(1, &event));
        OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
        OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
        fprintf(file, " %llu", (unsigned long long)(end - start));
        OK(clReleaseEvent(event));
    }
    fprintf(file, "\n");
    fclose(file);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
#ifndef ALONE
    MPI_Finalize();
#endif
    return 0;
}
