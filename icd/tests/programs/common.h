/* What the programs share: a context, a queue, a kernel. */
#include "ok.h"

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem buffer;

/* Context, queue and the kernel of that name. */
static void build(const char *source, const char *name)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    queue = clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    kernel = clCreateKernel(program, name, &code);
    OK(code);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 1 << 16, NULL, &code);
    OK(code);
}

__attribute__((unused)) static void set_up(void)
{
    const char *source =
        "kernel void spin(global uint *x, uint rounds) {"
        "  uint y = get_global_id(0);"
        "  for (uint i = 0; i < rounds; ++i) y = y * 1664525u + (y >> 7);"
        "  x[get_global_id(0)] = y;"
        "}";
    build(source, "spin");
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
}

__attribute__((unused)) static void launch(cl_uint rounds)
{
    size_t global = 1 << 14;
    OK(clSetKernelArg(kernel, 1, sizeof rounds, &rounds));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

__attribute__((unused)) static void tear_down(void)
{
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
}
