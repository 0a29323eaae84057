/* Makes the mistake that is named, or none; releases everything unless that is the mistake. */
#include "common.h"
#include <string.h>

static void CL_CALLBACK note(const char *sentence, const void *data, size_t size, void *user)
{
    (void)data, (void)size, (void)user;
    printf("callback: %s\n", sentence);
}

static size_t one = 1;

static void unset_argument(void)
{
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
}

static void released_buffer(void)
{
    char byte;
    cl_mem gone = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, NULL, NULL);
    OK(clReleaseMemObject(gone));
    clEnqueueReadBuffer(queue, gone, CL_TRUE, 0, 1, &byte, 0, NULL, NULL);
}

static void released_twice(void)
{
    cl_kernel second = clCreateKernel(program, "twice", NULL);
    OK(clReleaseKernel(second));
    clReleaseKernel(second);
}

static void other_kind(void)
{
    clFinish((cl_command_queue)kernel);
}

static void same_error_twice(void)
{
    cl_int number = 1;
    clSetKernelArg(kernel, 7, sizeof number, &number);
    clSetKernelArg(kernel, 7, sizeof number, &number);
}

static void no_kernel(void)
{
    clCreateKernel(program, "none", NULL);
}

static void small_answer(void)
{
    char name[2];
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
}

/* Writes beyond a mapped buffer of 100 bytes. */
static void write_beyond(cl_long place)
{
    cl_mem small = clCreateBuffer(context, CL_MEM_READ_WRITE, 100, NULL, NULL);
    char *bytes = clEnqueueMapBuffer(queue, small, CL_TRUE, CL_MAP_WRITE, 0, 100, 0, NULL, NULL, NULL);
    memset(bytes, 1, 100);
    bytes[place] = 1;
    OK(clEnqueueUnmapMemObject(queue, small, bytes, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(small));
}

static void write_before(void)
{
    write_beyond(-4);
}

static void write_after(void)
{
    write_beyond(109);
}

static void write_within(void)
{
    write_beyond(99);
}

static void leak(void)
{
    clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);
    clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, NULL);
    clRetainKernel(kernel);
}

static void leaked_context(void)
{
    OK(clRetainContext(context));
    OK(clRetainCommandQueue(queue));
}

/* Queries by which programs find out what there is. */
static void probes(void)
{
    cl_device_id device;
    cl_platform_id platform = platform_under_test();
    char answer[64];
    size_t size;
    cl_event event;
    cl_ulong time;
    int number = 1;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    clCreateContextFromType(NULL, CL_DEVICE_TYPE_GPU, NULL, NULL, NULL);
    clGetPlatformInfo(platform, 0x7777, sizeof answer, answer, NULL);
    clGetDeviceInfo(device, 0x105D, sizeof answer, answer, &size);
    OK(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, 0, NULL, &size));
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof number, &number, 0, NULL, &event));
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof time, &time, NULL);
    OK(clReleaseEvent(event));
}

int main(int count, char **arguments)
{
    const struct {
        const char *name;
        void (*make)(void);
    } mistakes[] = {
        {"unset_argument", unset_argument}, {"released_buffer", released_buffer},
        {"released_twice", released_twice}, {"other_kind", other_kind},
        {"no_kernel", no_kernel},           {"same_error_twice", same_error_twice},
        {"small_answer", small_answer},     {"leak", leak},
        {"leaked_context", leaked_context}, {"probes", probes},
        {"write_before", write_before},     {"write_after", write_after},
        {"write_within", write_within},
    };
    const char *source = "kernel void twice(global int *x, int y) { x[0] = y; }";
    cl_device_id device;
    cl_int code, number = 4;
    OK(clGetDeviceIDs(platform_under_test(), CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, note, NULL, &code);
    OK(code);
    queue = clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    kernel = clCreateKernel(program, "twice", &code);
    OK(code);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4, NULL, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i)
        if (count > 1 && strcmp(mistakes[i].name, arguments[1]) == 0)
            mistakes[i].make();
    OK(clSetKernelArg(kernel, 1, sizeof number, &number));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    tear_down();
    return 0;
}
