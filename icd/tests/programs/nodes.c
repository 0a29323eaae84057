/* Platforms of several nodes, with MOCL3_NODES=3: which devices they have, that each has simulated
 * time of its own, and that a co-simulator can set it. */
#include "ok.h"
#include <CL/cl_mocl3.h>
#include <string.h>

enum { NODES = 3, ITEMS = 4096 };

#define SAME(left, right)                                                               \
    do {                                                                                \
        long long left_ = (left), right_ = (right);                                     \
        if (left_ != right_) {                                                          \
            fprintf(stderr, "line %d: %s is %lld, not %lld\n", __LINE__, #left, left_,  \
                    right_);                                                            \
            exit(1);                                                                    \
        }                                                                               \
    } while (0)

static cl_platform_id platforms[NODES];
static cl_device_id devices[NODES];
static clGetHostClockMOCL3_fn get_clock;
static clSetHostClockMOCL3_fn set_clock;
static clGetEventEndMOCL3_fn get_end;

static void find_platforms(void)
{
    cl_uint count;
    OK(clGetPlatformIDs(NODES, platforms, &count));
    SAME(count, NODES);
    for (int node = 0; node < NODES; ++node) {
        char name[256], expected[256], extensions[4096];
        cl_platform_id platform;
        OK(clGetPlatformInfo(platforms[node], CL_PLATFORM_NAME, sizeof name, name, NULL));
        sprintf(expected, "MOCL3 node %d", node);
        SAME(strcmp(name, expected), 0);
        OK(clGetPlatformInfo(platforms[node], CL_PLATFORM_EXTENSIONS, sizeof extensions, extensions,
                             NULL));
        SAME(strstr(extensions, "cl_mocl3_host_clock") != NULL, 1);
        OK(clGetDeviceIDs(platforms[node], CL_DEVICE_TYPE_ALL, 1, &devices[node], &count));
        SAME(count, 4);
        OK(clGetDeviceInfo(devices[node], CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
        SAME(platform == platforms[node], 1);
        OK(clGetDeviceInfo(devices[node], CL_DEVICE_NAME, sizeof name, name, NULL));
        sprintf(expected, "MT-3000 node %d acceleration cluster 0", node);
        SAME(strcmp(name, expected), 0);
    }
    get_clock = (clGetHostClockMOCL3_fn)clGetExtensionFunctionAddressForPlatform(
        platforms[0], "clGetHostClockMOCL3");
    set_clock = (clSetHostClockMOCL3_fn)clGetExtensionFunctionAddressForPlatform(
        platforms[0], "clSetHostClockMOCL3");
    get_end = (clGetEventEndMOCL3_fn)clGetExtensionFunctionAddressForPlatform(platforms[0],
                                                                              "clGetEventEndMOCL3");
}

static cl_int context_error(const cl_context_properties *properties, cl_uint count,
                            const cl_device_id *list)
{
    cl_int code;
    SAME(clCreateContext(properties, count, list, NULL, NULL, &code) == NULL, 1);
    return code;
}

static void contexts_are_of_one_platform(void)
{
    cl_device_id two[] = {devices[0], devices[2]};
    SAME(context_error(NULL, 2, two), CL_INVALID_DEVICE);
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platforms[1], 0};
    SAME(context_error(properties, 1, devices), CL_INVALID_DEVICE);

    cl_int code;
    cl_context context =
        clCreateContextFromType(properties, CL_DEVICE_TYPE_DEFAULT, NULL, NULL, &code);
    OK(code);
    cl_device_id device;
    OK(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL));
    SAME(device == devices[1], 1);
    clCreateCommandQueue(context, devices[0], 0, &code);
    SAME(code, CL_INVALID_DEVICE);
    OK(clReleaseContext(context));
}

/* A kernel on a node. */
typedef struct {
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem buffer;
} work;

static work set_up(int node, cl_command_queue_properties properties)
{
    const char *source = "kernel void fill(global uint *x) { x[get_global_id(0)] = get_global_id(0); }";
    cl_int code;
    work it;
    it.context = clCreateContext(NULL, 1, &devices[node], NULL, NULL, &code);
    OK(code);
    it.queue = clCreateCommandQueue(it.context, devices[node], properties, &code);
    OK(code);
    cl_program program = clCreateProgramWithSource(it.context, 1, &source, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    it.kernel = clCreateKernel(program, "fill", &code);
    OK(code);
    OK(clReleaseProgram(program));
    it.buffer = clCreateBuffer(it.context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_uint), NULL, &code);
    OK(code);
    OK(clSetKernelArg(it.kernel, 0, sizeof it.buffer, &it.buffer));
    return it;
}

static cl_event launch(const work *it)
{
    size_t size = ITEMS;
    cl_event event;
    OK(clEnqueueNDRangeKernel(it->queue, it->kernel, 1, NULL, &size, NULL, 0, NULL, &event));
    return event;
}

static void tear_down(work *it)
{
    OK(clReleaseMemObject(it->buffer));
    OK(clReleaseKernel(it->kernel));
    OK(clReleaseCommandQueue(it->queue));
    OK(clReleaseContext(it->context));
}

static cl_ulong profiled(cl_event event, cl_profiling_info point)
{
    cl_ulong time;
    OK(clGetEventProfilingInfo(event, point, sizeof time, &time, NULL));
    return time;
}

static cl_ulong now(int node)
{
    cl_ulong time;
    OK(get_clock(platforms[node], &time));
    return time;
}

static cl_int status(cl_event event)
{
    cl_int status;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

/* Kernels of different nodes neither wait for each other nor advance the other's clock. */
static void nodes_have_times_of_their_own(void)
{
    cl_ulong ends[2];
    for (int node = 0; node < 2; ++node) {
        work it = set_up(node, CL_QUEUE_PROFILING_ENABLE);
        cl_event event = launch(&it);
        OK(clWaitForEvents(1, &event));
        SAME(profiled(event, CL_PROFILING_COMMAND_QUEUED), 1 + 1000);
        ends[node] = profiled(event, CL_PROFILING_COMMAND_END);
        SAME(now(node), ends[node]);
        SAME(now(2), 1);
        OK(clReleaseEvent(event));
        tear_down(&it);
    }
    SAME(ends[0], ends[1]);
}

static void a_co_simulator_sets_the_clock(void)
{
    const cl_ulong begin = 5000000;
    SAME(set_clock(NULL, begin), CL_INVALID_PLATFORM);
    SAME(set_clock((cl_platform_id)devices[0], begin), CL_INVALID_PLATFORM);
    SAME(set_clock(platforms[2], 0), CL_INVALID_VALUE);
    SAME(get_clock(NULL, NULL), CL_INVALID_PLATFORM);
    SAME(get_clock(platforms[2], NULL), CL_INVALID_VALUE);

    OK(set_clock(platforms[2], begin));
    SAME(now(2), begin);
    work it = set_up(2, CL_QUEUE_PROFILING_ENABLE);
    cl_event event = launch(&it);
    SAME(now(2), begin + 1000);

    /* Queries go by simulated time, and take none. */
    cl_ulong time;
    SAME(status(event), CL_SUBMITTED);
    SAME(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL),
         CL_PROFILING_INFO_NOT_AVAILABLE);
    cl_ulong predicted;
    OK(get_end(event, &predicted));
    SAME(now(2), begin + 1000);
    OK(clWaitForEvents(1, &event));
    cl_ulong start = profiled(event, CL_PROFILING_COMMAND_START);
    cl_ulong end = profiled(event, CL_PROFILING_COMMAND_END);
    SAME(now(2), end);
    SAME(predicted, end);
    OK(set_clock(platforms[2], end - 1));
    SAME(status(event), CL_RUNNING);
    OK(set_clock(platforms[2], start - 1));
    SAME(status(event), CL_SUBMITTED);
    OK(set_clock(platforms[2], end));
    SAME(status(event), CL_COMPLETE);
    SAME(now(2), end);

    /* Commands of queues without profiling take simulated time too. */
    work untimed = set_up(2, 0);
    cl_event second = launch(&untimed);
    SAME(status(second), CL_SUBMITTED);
    OK(clFinish(untimed.queue));
    SAME(now(2) > end + (end - begin) / 2, 1);
    SAME(status(second), CL_COMPLETE);

    /* A command that waits for the host program is not complete at any time. */
    cl_int code;
    cl_event gate = clCreateUserEvent(it.context, &code), gated;
    OK(code);
    OK(clEnqueueMarkerWithWaitList(it.queue, 1, &gate, &gated));
    OK(set_clock(platforms[2], 2 * end));
    SAME(status(gated) > CL_COMPLETE, 1);
    SAME(get_end(gated, &predicted), CL_PROFILING_INFO_NOT_AVAILABLE);
    SAME(get_end(gated, NULL), CL_INVALID_VALUE);
    SAME(get_end(NULL, &predicted), CL_INVALID_EVENT);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &gated));
    SAME(status(gated), CL_COMPLETE);
    SAME(now(2), 2 * end);
    cl_event events[] = {event, second, gate, gated};
    for (int i = 0; i < 4; ++i)
        OK(clReleaseEvent(events[i]));
    tear_down(&untimed);
    tear_down(&it);
}

int main(void)
{
    find_platforms();
    contexts_are_of_one_platform();
    nodes_have_times_of_their_own();
    a_co_simulator_sets_the_clock();
    puts("right");
    return 0;
}
