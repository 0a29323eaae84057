/* What the examples share: a device for each rank, a queue on it, kernels. */

#ifndef DEVICE_H
#define DEVICE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program if a call fails. */
#define OK(call)                                                                  \
    do {                                                                          \
        cl_int code_ = (call);                                                    \
        if (code_ != CL_SUCCESS) {                                                \
            fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, (int)code_); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                         \
        }                                                                         \
    } while (0)

typedef struct {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} device;

/* The device of this rank: ranks of a node take its devices one after the other. */
static device device_open(const char *source) {
    device it;
    MPI_Comm node;
    int local;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &local);
    MPI_Comm_free(&node);

    cl_platform_id platform;
    cl_device_id devices[64];
    cl_uint count;
    cl_int code;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 64, devices, &count));
    it.device = devices[local % (count < 64 ? count : 64)];
    it.context = clCreateContext(NULL, 1, &it.device, NULL, NULL, &code);
    OK(code);
    it.queue = clCreateCommandQueue(it.context, it.device, 0, &code);
    OK(code);
    it.program = clCreateProgramWithSource(it.context, 1, &source, NULL, &code);
    OK(code);
    OK(clBuildProgram(it.program, 1, &it.device, NULL, NULL, NULL));
    return it;
}

static cl_kernel device_kernel(const device *it, const char *name) {
    cl_int code;
    cl_kernel kernel = clCreateKernel(it->program, name, &code);
    OK(code);
    return kernel;
}

/* A buffer of `bytes`, with the contents of `from` unless that is NULL. */
static cl_mem device_buffer(const device *it, size_t bytes, void *from) {
    cl_int code;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem buffer = clCreateBuffer(it->context, flags, bytes, from, &code);
    OK(code);
    return buffer;
}

static void device_close(device *it) {
    OK(clReleaseProgram(it->program));
    OK(clReleaseCommandQueue(it->queue));
    OK(clReleaseContext(it->context));
}

#endif
