/* Launches that can be predicted, and one that needs what they compute. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char *source =
    "kernel void scale(global int *a, int n) {\n"
    "    int sum = 0;\n"
    "    for (int i = 0; i < n; i++) sum = sum * 3 + i;\n"
    "    a[get_global_id(0)] += sum;\n"
    "}\n"
    "kernel void count(global const int *limits, global int *out) {\n"
    "    int i = get_global_id(0), sum = 0;\n"
    "    for (int k = 0; k < limits[i]; k++) sum += k * out[i];\n"
    "    out[i] = sum + limits[i];\n"
    "}\n";

enum { N = 256 };

static cl_command_queue queue;

static void launch(const char *what, cl_kernel kernel) {
    size_t size = N;
    cl_event event;
    cl_int status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, &event);
    clFinish(queue);
    if (status == CL_SUCCESS)
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    fprintf(stderr, "%s: %d\n", what, status);
}

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    cl_kernel scale = clCreateKernel(program, "scale", NULL);
    cl_kernel count = clCreateKernel(program, "count", NULL);
    int limits[N], zeros[N] = {0};
    for (int i = 0; i < N; i++) limits[i] = i % 7;
    cl_mem a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof limits, limits, NULL);
    cl_mem b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof limits, limits, NULL);
    cl_mem out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, NULL);
    int n = 100;
    clSetKernelArg(count, 0, sizeof a, &a);
    clSetKernelArg(count, 1, sizeof out, &out);
    launch("count from the host's limits", count);
    int first[N];
    clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof first, first, 0, NULL, NULL);
    fprintf(stderr, "limit 5 counted: %d\n", first[5]);
    clSetKernelArg(scale, 0, sizeof a, &a);
    clSetKernelArg(scale, 1, sizeof n, &n);
    launch("scale", scale);
    clEnqueueCopyBuffer(queue, a, b, 0, 0, sizeof limits, 0, NULL, NULL);
    clSetKernelArg(count, 0, sizeof b, &b);
    launch("count from a copy of what scale computes", count);
    clEnqueueWriteBuffer(queue, b, CL_TRUE, 0, sizeof limits, limits, 0, NULL, NULL);
    launch("count from limits written again", count);
    return 0;
}
