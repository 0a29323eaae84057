/* Lists the performance counters of a device and prints those of a launch. */
#include "common.h"
#include <CL/cl_mocl3.h>
#include <string.h>

static void list(cl_device_id device, cl_device_info query, const char *heading)
{
    cl_performance_counter_mocl3 *counters;
    size_t size;
    OK(clGetDeviceInfo(device, query, 0, NULL, &size));
    counters = malloc(size);
    OK(clGetDeviceInfo(device, query, size, counters, NULL));
    for (size_t i = 0; i < size / sizeof *counters; ++i)
        printf("%s %s|%s|%s\n", heading, counters[i].name, counters[i].unit,
               counters[i].description);
    free(counters);
}

static void values(cl_event event, cl_profiling_info query, const char *heading)
{
    cl_ulong *all, one;
    size_t size;
    cl_int code = clGetEventProfilingInfo(event, query, 0, NULL, &size);
    if (code != CL_SUCCESS) {
        printf("%s %d\n", heading, (int)code);
        return;
    }
    if (clGetEventProfilingInfo(event, query, sizeof one, &one, NULL) != CL_INVALID_VALUE)
        abort();
    all = malloc(size);
    OK(clGetEventProfilingInfo(event, query, size, all, NULL));
    for (size_t i = 0; i < size / sizeof *all; ++i)
        printf("%s %llu\n", heading, (unsigned long long)all[i]);
    free(all);
}

int main(void)
{
    static char extensions[1 << 14];
    cl_device_id device;
    cl_command_queue timed;
    cl_event event;
    cl_uint rounds = 10;
    cl_int code;
    size_t global = 1 << 10, local = 64;
    set_up();
    OK(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    if (!strstr(extensions, "cl_mocl3_performance_counters"))
        abort();
    list(device, CL_DEVICE_PERFORMANCE_COUNTERS_MOCL3, "counter");
    list(device, CL_DEVICE_ARRAY_PERFORMANCE_COUNTERS_MOCL3, "array-counter");
    timed = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 1, sizeof rounds, &rounds));
    OK(clEnqueueNDRangeKernel(timed, kernel, 1, NULL, &global, &local, 0, NULL, &event));
    OK(clFinish(timed));
    values(event, CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_MOCL3, "value");
    values(event, CL_PROFILING_COMMAND_ARRAY_PERFORMANCE_COUNTERS_MOCL3, "array-value");
    OK(clReleaseEvent(event));
    OK(clReleaseCommandQueue(timed));
    tear_down();
    return 0;
}
