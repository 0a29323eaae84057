/* What the programs share: a context, a queue, a kernel. */
#include "ok.h"
#include <string.h>

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem buffer;

/* The platform whose version contains PLATFORM_UNDER_TEST of the environment; without that, the
   first. */
static cl_platform_id platform_under_test(void)
{
    enum { MOST = 16 };
    const char *wanted = getenv("PLATFORM_UNDER_TEST");
    cl_platform_id platforms[MOST];
    cl_uint count;
    OK(clGetPlatformIDs(MOST, platforms, &count));
    for (cl_uint i = 0; wanted && i < count && i < MOST; ++i) {
        char version[1024];
        OK(clGetPlatformInfo(platforms[i], CL_PLATFORM_VERSION, sizeof version, version, NULL));
        if (strstr(version, wanted))
            return platforms[i];
    }
    return platforms[0];
}

/* Context, queue and the kernel of that name. */
static void build(const char *source, const char *name)
{
    cl_device_id device;
    cl_int code;
    OK(clGetDeviceIDs(platform_under_test(), CL_DEVICE_TYPE_ALL, 1, &device, NULL));
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
