/* Runs kernels that never end, whose bodies are given, each followed by one that ends, in the same
   queue. Prints the status of both; what the context reports goes to standard error. */
#include "ok.h"

static cl_context context;
static cl_command_queue queue;
static cl_mem buffer;

static void CL_CALLBACK report(const char *text, const void *data, size_t size, void *user)
{
    (void)data, (void)size, (void)user;
    fprintf(stderr, "reported: %s\n", text);
}

/* The status of a launch of a kernel `k` once it has ended. */
static cl_int status_of(const char *body)
{
    const size_t global = 64, local = 8;
    char text[1024];
    const char *source = text;
    cl_event event;
    cl_int code, status = 1;
    snprintf(text, sizeof text,
             "kernel void k(volatile global int *x) { int i = get_global_id(0), l = get_local_id(0); %s }",
             body);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
    clWaitForEvents(1, &event);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    OK(clReleaseEvent(event));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    return status;
}

int main(int count, char **bodies)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    int results[64];
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, report, NULL, &code);
    OK(code);
    queue = clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof results, NULL, &code);
    OK(code);
    for (int at = 1; at < count; ++at) {
        printf("%d", status_of(bodies[at]));
        printf(" %d\n", status_of("x[i] = i;"));
        OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
        for (int i = 0; i < 64; ++i)
            if (results[i] != i)
                return 1;
    }
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    return 0;
}
