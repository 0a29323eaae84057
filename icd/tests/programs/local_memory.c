/* How much local memory there is; what launches with as much, and with more, give. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char *source =
    "kernel void sum(global int *x, local int *scratch) {"
    "  size_t i = get_local_id(0);"
    "  scratch[i] = x[i];"
    "  barrier(CLK_LOCAL_MEM_FENCE);"
    "  x[i] += scratch[(i + 1) % get_local_size(0)];"
    "}";

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_ulong size = 0;
    cl_int numbers[4] = {1, 2, 3, 4};
    const size_t items = 4;
    clGetPlatformIDs(1, &platform, NULL);
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 1;
    clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof size, &size, NULL);
    printf("%lu bytes\n", (unsigned long)size);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    if (clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS)
        return 1;
    cl_kernel kernel = clCreateKernel(program, "sum", NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof numbers, numbers, NULL);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    const cl_ulong asked[] = {size, size + 1};
    for (int i = 0; i < 2; ++i) {
        cl_int code = CL_SUCCESS;
        if (asked[i] >= sizeof numbers) {
            clSetKernelArg(kernel, 1, asked[i], NULL);
            code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
        }
        printf("%lu: %d\n", (unsigned long)asked[i], code);
    }
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL);
    printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
