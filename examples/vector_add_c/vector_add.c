/* The first program of every OpenCL tutorial, in C.
 *
 *   cc -o vector_add vector_add.c -lOpenCL
 *   ./vector_add */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

static const char *source =
    "__kernel void vector_add(__global const float *a, __global const float *b,\n"
    "                         __global float *c, const unsigned int count)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    if (i < count)\n"
    "        c[i] = a[i] + b[i];\n"
    "}\n";

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s failed with OpenCL error %d\n", what, code);
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    const cl_uint count = 100000; /* not a multiple of the work-group size */
    const size_t bytes = count * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    for (cl_uint i = 0; i < count; ++i) {
        a[i] = (float)i;
        b[i] = 0.5f * (float)(count - i);
        c[i] = -1.0f;
    }

    cl_int code;
    cl_platform_id platform;
    cl_device_id device;
    char name[128];
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), "clGetDeviceIDs");
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    printf("device: %s\n", name);

    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");

    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "vector_add", &code);
    check(code, "clCreateKernel");

    cl_mem a_buffer =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a, &code);
    check(code, "clCreateBuffer");
    cl_mem b_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &code);
    check(code, "clCreateBuffer");
    cl_mem c_buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &code);
    check(code, "clCreateBuffer");
    check(clEnqueueWriteBuffer(queue, b_buffer, CL_TRUE, 0, bytes, b, 0, NULL, NULL),
          "clEnqueueWriteBuffer");

    check(clSetKernelArg(kernel, 0, sizeof a_buffer, &a_buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof b_buffer, &b_buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof c_buffer, &c_buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof count, &count), "clSetKernelArg");

    const size_t local = 64;
    const size_t global = (count + local - 1) / local * local;
    cl_event done;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &done),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, c_buffer, CL_TRUE, 0, bytes, c, 1, &done, NULL),
          "clEnqueueReadBuffer");

    cl_uint wrong = 0;
    for (cl_uint i = 0; i < count; ++i)
        if (c[i] != a[i] + b[i])
            ++wrong;
    printf("%u of %u sums are right\n", count - wrong, count);

    clReleaseEvent(done);
    clReleaseMemObject(a_buffer);
    clReleaseMemObject(b_buffer);
    clReleaseMemObject(c_buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(a);
    free(b);
    free(c);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
