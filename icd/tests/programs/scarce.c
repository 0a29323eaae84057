/* Builds, launches and reads where the system may refuse memory or threads. Each call may fail
   with an error code, and a build with a log; nothing else may happen. Prints what did. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call)                                                 \
    do {                                                          \
        cl_int code_ = (call);                                    \
        if (code_ != CL_SUCCESS)                                  \
            return refused(#call, code_);                         \
    } while (0)
#define MADE(object, call)                                        \
    do {                                                          \
        cl_int code = 12345;                                      \
        object = call;                                            \
        if (code != CL_SUCCESS || object == NULL)                 \
            return refused(#call, code);                          \
    } while (0)

static int refused(const char *call, cl_int code)
{
    int is_code = code < 0 && (code >= -72 || code == -1001);
    printf("%.*s: %d\n", (int)strcspn(call, "("), call, (int)code);
    return is_code ? 0 : 1;
}

int main(void)
{
    enum { COUNT = 4096 };
    static cl_uint values[COUNT];
    const char *source =
        "kernel void fill(global uint *x, local uint *y) {"
        "  uint i = get_global_id(0), l = get_local_id(0);"
        "  y[l] = i; barrier(CLK_LOCAL_MEM_FENCE);"
        "  x[i] = y[l] * 3 + (uint)sqrt((float)i * i);"
        "}";
    size_t global = COUNT, group = 64;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer;
    TRY(clGetPlatformIDs(1, &platform, NULL));
    TRY(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    MADE(context, clCreateContext(NULL, 1, &device, NULL, NULL, &code));
    MADE(queue, clCreateCommandQueue(context, device, 0, &code));
    MADE(program, clCreateProgramWithSource(context, 1, &source, NULL, &code));
    cl_int built = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (built == CL_BUILD_PROGRAM_FAILURE) {
        char log[4096] = "";
        TRY(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                                  NULL));
        printf("clBuildProgram: %d: %s", (int)built, log);
        return strstr(log, "error: ") == NULL;
    }
    TRY(built);
    if (getenv("BUILD_ONLY"))
        return 0;
    MADE(kernel, clCreateKernel(program, "fill", &code));
    MADE(buffer, clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof values, NULL, &code));
    TRY(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    TRY(clSetKernelArg(kernel, 1, group * sizeof(cl_uint), NULL));
    TRY(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &group, 0, NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (cl_uint i = 0; i < COUNT; ++i)
        if (values[i] != i * 4) {
            printf("wrong value: %u is %u\n", i, values[i]);
            return 1;
        }
    TRY(clReleaseMemObject(buffer));
    TRY(clReleaseKernel(kernel));
    TRY(clReleaseProgram(program));
    TRY(clReleaseCommandQueue(queue));
    TRY(clReleaseContext(context));
    puts("success");
    return 0;
}
