/* With MOCL3_SHARE_LAUNCHES=1: which launches share the time of an earlier one, what they do, and that
 * a launch that waits for the program is executed. */
#include "ok.h"
#include <CL/cl_mocl3.h>

enum { ITEMS = 1024 };

static const char *SOURCE =
    "kernel void add(global int *x, global const int *y, local int *part, int n)\n"
    "{\n"
    "    part[get_local_id(0)] = n;\n"
    "    x[get_global_id(0)] += y[get_global_id(0)] + part[get_local_id(0)];\n"
    "}\n";

static clGetLaunchCountsMOCL3_fn counts;
static cl_platform_id platform;
static cl_command_queue queue;

/* How many launches were shared since the last call; there was one launch. */
static int was_shared(void)
{
    static cl_ulong executed, shared;
    cl_ulong now_executed, now_shared;
    OK(counts(platform, &now_executed, &now_shared));
    CHECK(now_executed + now_shared == executed + shared + 1);
    int result = now_shared > shared;
    executed = now_executed, shared = now_shared;
    return result;
}

/* The simulated time of a launch, nanoseconds; 0 with a wait list, whose event the program sets then. */
static cl_ulong launch(cl_kernel kernel, cl_mem x, cl_mem y, size_t local_bytes, cl_int n,
                       size_t items, size_t local, cl_event gate)
{
    cl_event event;
    cl_ulong start, end;
    OK(clSetKernelArg(kernel, 0, sizeof x, &x));
    OK(clSetKernelArg(kernel, 1, sizeof y, &y));
    OK(clSetKernelArg(kernel, 2, local_bytes, NULL));
    OK(clSetKernelArg(kernel, 3, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, gate != NULL,
                              gate ? &gate : NULL, &event));
    if (gate)
        OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &event));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    OK(clReleaseEvent(event));
    return end - start;
}

static cl_int first(cl_mem buffer)
{
    cl_int value;
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    return value;
}

int main(void)
{
    cl_device_id device;
    cl_int code, zeros[2 * ITEMS] = {0};
    OK(clGetPlatformIDs(1, &platform, NULL));
    counts = (clGetLaunchCountsMOCL3_fn)clGetExtensionFunctionAddressForPlatform(
        platform, "clGetLaunchCountsMOCL3");
    CHECK(counts != NULL);
    REFUSED(CL_INVALID_VALUE, counts(platform, NULL, NULL));
    cl_ulong none = 1;
    REFUSED(CL_INVALID_PLATFORM, counts(NULL, &none, NULL));
    OK(counts(platform, NULL, &none));
    CHECK(none == 0);
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_kernel kernels[2];
    cl_mem buffers[4], wide, part;
    /* Code is shared between contexts. */
    cl_context contexts[2];
    cl_command_queue queues[2];
    for (int i = 0; i < 2; i++) {
        contexts[i] = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
        OK(code);
        queues[i] = clCreateCommandQueue(contexts[i], device, CL_QUEUE_PROFILING_ENABLE, &code);
        OK(code);
        cl_program program = clCreateProgramWithSource(contexts[i], 1, &SOURCE, NULL, &code);
        OK(code);
        OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
        kernels[i] = clCreateKernel(program, "add", &code);
        OK(code);
        OK(clReleaseProgram(program));
        for (int j = 0; j < 2; j++) {
            buffers[2 * i + j] = clCreateBuffer(contexts[i], CL_MEM_COPY_HOST_PTR,
                                                sizeof zeros / 2, zeros, &code);
            OK(code);
        }
    }
    wide = clCreateBuffer(contexts[0], CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &code);
    OK(code);
    cl_buffer_region region = {sizeof zeros / 2, sizeof zeros / 2};
    part = clCreateSubBuffer(wide, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    OK(code);
    queue = queues[0];
    cl_mem x = buffers[0], y = buffers[1];

    cl_ulong time = launch(kernels[0], x, y, 256, 1, ITEMS, 64, NULL);
    CHECK(!was_shared() && first(x) == 1 && time > 0);
    /* An equal launch takes as long, and computes nothing. */
    CHECK(launch(kernels[0], x, y, 256, 1, ITEMS, 64, NULL) == time);
    CHECK(was_shared() && first(x) == 1);
    CHECK(launch(kernels[0], y, x, 256, 1, ITEMS, 64, NULL) == time);
    CHECK(was_shared() && first(y) == 0);
    queue = queues[1];
    CHECK(launch(kernels[1], buffers[2], buffers[3], 256, 1, ITEMS, 64, NULL) == time);
    CHECK(was_shared() && first(buffers[2]) == 0);
    queue = queues[0];
    /* Another value, local memory, range, local size, buffer, place in it, or two equal buffers. */
    launch(kernels[0], x, y, 256, 2, ITEMS, 64, NULL);
    CHECK(!was_shared() && first(x) == 3);
    launch(kernels[0], x, y, 512, 1, ITEMS, 64, NULL);
    CHECK(!was_shared());
    launch(kernels[0], x, y, 256, 1, ITEMS / 2, 64, NULL);
    CHECK(!was_shared());
    launch(kernels[0], x, y, 256, 1, ITEMS, 32, NULL);
    CHECK(!was_shared());
    launch(kernels[0], x, wide, 256, 1, ITEMS, 64, NULL);
    CHECK(!was_shared());
    launch(kernels[0], x, part, 256, 1, ITEMS, 64, NULL);
    CHECK(!was_shared());
    launch(kernels[0], x, x, 256, 1, ITEMS, 64, NULL);
    CHECK(!was_shared());
    launch(kernels[0], x, x, 256, 1, ITEMS, 64, NULL);
    CHECK(was_shared());
    /* One that depends on what the program does. */
    cl_event gate = clCreateUserEvent(contexts[0], &code);
    OK(code);
    CHECK(launch(kernels[0], x, y, 256, 1, ITEMS, 64, gate) > 0);
    CHECK(!was_shared());
    OK(clReleaseEvent(gate));

    OK(clReleaseMemObject(part));
    OK(clReleaseMemObject(wide));
    for (int i = 0; i < 4; i++)
        OK(clReleaseMemObject(buffers[i]));
    for (int i = 0; i < 2; i++) {
        OK(clReleaseKernel(kernels[i]));
        OK(clReleaseCommandQueue(queues[i]));
        OK(clReleaseContext(contexts[i]));
    }
    puts("right");
    return 0;
}
