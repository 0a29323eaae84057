/* Prints the four times of commands of several queues, devices and sub-devices, and checks
   what holds for them wherever they are from. */
#include "common.h"
#include <string.h>

enum { QUEUES = 6, MOST = 64 };

static cl_command_queue queues[QUEUES];
static const char *names[MOST];
static cl_event events[MOST];
static int count;

/* The next command has that name; where its event goes. */
static cl_event *next(const char *name)
{
    names[count] = name;
    return &events[count++];
}

static void times(cl_event event, cl_ulong *all)
{
    for (int i = 0; i < 4; ++i)
        OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *all, &all[i],
                                   NULL));
}

static void add(const char *name, int queue, cl_kernel to_launch, size_t global, cl_uint waits,
                const cl_event *for_these)
{
    size_t local = 16;
    OK(clEnqueueNDRangeKernel(queues[queue], to_launch, 1, NULL, &global, &local, waits,
                              for_these, next(name)));
}

int main(void)
{
    const char *source =
        "kernel void spin(global uint *x, uint rounds) {"
        "  uint y = get_global_id(0);"
        "  for (uint i = 0; i < rounds; ++i) y = y * 1664525u + (y >> 7);"
        "  x[get_global_id(0)] = y;"
        "}"
        "kernel void sum(global uint *x, local uint *y) {"
        "  size_t l = get_local_id(0);"
        "  event_t e = async_work_group_copy(y, x + get_group_id(0) * 16, 16, 0);"
        "  wait_group_events(1, &e);"
        "  for (uint n = 8; n > 0; n /= 2) {"
        "    if (l < n) y[l] += y[l + n];"
        "    barrier(CLK_LOCAL_MEM_FENCE);"
        "  }"
        "  if (l == 0) atomic_add(x, y[0]);"
        "}";
    static cl_uint numbers[1 << 14];
    cl_platform_id platform;
    cl_device_id devices[2], parts[2], all[4];
    cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 12, 0};
    cl_kernel spin, sum;
    cl_mem buffers[QUEUES];
    cl_event gate, list[2];
    cl_uint rounds = 100;
    cl_int code;

    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL));
    OK(clCreateSubDevices(devices[1], equally, 2, parts, NULL));
    memcpy(all, devices, sizeof devices);
    memcpy(all + 2, parts, sizeof parts);
    context = clCreateContext(NULL, 4, all, NULL, NULL, &code);
    OK(code);
    /* 0 and 1: in order; 2: out of order, on the same device; 3: another; 4 and 5: its halves. */
    for (int i = 0; i < QUEUES; ++i) {
        cl_device_id device = i < 3 ? devices[0] : i == 3 ? devices[1] : parts[i - 4];
        cl_command_queue_properties order = i == 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
        queues[i] =
            clCreateCommandQueue(context, device, order | CL_QUEUE_PROFILING_ENABLE, &code);
        OK(code);
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                    sizeof numbers, numbers, &code);
        OK(code);
    }
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    spin = clCreateKernel(program, "spin", &code);
    OK(code);
    sum = clCreateKernel(program, "sum", &code);
    OK(code);
    OK(clSetKernelArg(spin, 1, sizeof rounds, &rounds));
    OK(clSetKernelArg(sum, 1, 64, NULL));

    /* In order, and across queues of a device. */
    OK(clSetKernelArg(spin, 0, sizeof *buffers, &buffers[0]));
    OK(clSetKernelArg(sum, 0, sizeof *buffers, &buffers[0]));
    add("spin", 0, spin, 1 << 14, 0, NULL);
    add("sum", 0, sum, 1 << 14, 0, NULL);
    add("spin again", 0, spin, 1 << 10, 0, NULL);
    OK(clSetKernelArg(spin, 0, sizeof *buffers, &buffers[1]));
    add("spin elsewhere", 1, spin, 1 << 12, 0, NULL);
    OK(clEnqueueWriteBuffer(queues[1], buffers[1], CL_FALSE, 0, sizeof numbers, numbers, 0, NULL,
                            next("write")));
    OK(clEnqueueCopyBuffer(queues[0], buffers[0], buffers[1], 0, 0, 4096, 1, &events[4],
                           next("copy")));
    OK(clEnqueueReadBuffer(queues[0], buffers[0], CL_TRUE, 0, sizeof numbers, numbers, 0, NULL,
                           next("read")));
    /* Out of order, behind a user event, with a marker and a barrier. */
    gate = clCreateUserEvent(context, &code);
    OK(code);
    OK(clSetKernelArg(spin, 0, sizeof *buffers, &buffers[2]));
    add("gated", 2, spin, 1 << 10, 1, &gate);
    add("free", 2, spin, 1 << 12, 0, NULL);
    list[0] = events[count - 2];
    list[1] = events[count - 1];
    add("after both", 2, spin, 1 << 11, 2, list);
    OK(clEnqueueMarkerWithWaitList(queues[2], 0, NULL, next("marker")));
    OK(clEnqueueBarrierWithWaitList(queues[2], 0, NULL, next("barrier")));
    add("after all", 2, spin, 1 << 10, 0, NULL);
    OK(clWaitForEvents(1, &list[1]));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(queues[2]));
    /* Another device, and its halves at the same time. */
    for (int i = 3; i < QUEUES; ++i) {
        OK(clSetKernelArg(spin, 0, sizeof *buffers, &buffers[i]));
        add(i == 3 ? "whole" : i == 4 ? "first half" : "second half", i, spin, 1 << 13, 0, NULL);
    }
    OK(clEnqueueFillBuffer(queues[3], buffers[3], &rounds, 4, 0, 1 << 14, 0, NULL,
                           next("fill")));
    {
        void *mapped = clEnqueueMapBuffer(queues[3], buffers[3], CL_TRUE, CL_MAP_WRITE, 0, 4096,
                                          0, NULL, next("map"), &code);
        OK(code);
        OK(clEnqueueUnmapMemObject(queues[3], buffers[3], mapped, 0, NULL, next("unmap")));
    }
    OK(clEnqueueMigrateMemObjects(queues[3], 1, &buffers[0], 0, 0, NULL, next("migrate")));
    for (int i = 0; i < QUEUES; ++i)
        OK(clFinish(queues[i]));
    for (int i = 0; i < count; ++i) {
        cl_ulong of[4];
        times(events[i], of);
        printf("%s %llu %llu %llu %llu\n", names[i], (unsigned long long)of[0],
               (unsigned long long)of[1], (unsigned long long)of[2], (unsigned long long)of[3]);
    }
    return 0;
}
