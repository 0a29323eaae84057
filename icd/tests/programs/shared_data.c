/* With MOCL3_SHARE_LAUNCHES=1: launches that take indices or branches from results which shared launches
 * did not compute fail; others are executed. */
#include "ok.h"

enum { ITEMS = 256 };

static const char *SOURCE =
    "kernel void fill(global int *x, int n)\n"
    "{ x[get_global_id(0)] = n; }\n"
    "kernel void gather(global const int *index, global const int *x, global int *y, int n)\n"
    "{ y[get_global_id(0)] = x[index[get_global_id(0)]] + n; }\n"
    "kernel void scatter(global const int *index, global int *y, int n)\n"
    "{ y[index[get_global_id(0)]] = n; }\n"
    "kernel void loop(global const int *counts, global int *y, int n)\n"
    "{ int i = get_global_id(0), sum = n; for (int k = 0; k < counts[i]; k++) sum = 3 * sum + y[i];\n"
    "  y[i] = sum; }\n"
    "kernel void stage(global const int *index, global int *y, local int *part, int n)\n"
    "{ int i = get_local_id(0); part[i] = index[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  y[part[i ^ 1]] = n; }\n"
    "kernel void own(global int *y, int n)\n"
    "{ int p[8]; for (int k = 0; k < 8; k++) p[k] = y[8 * get_global_id(0) % 256 + k] & 255;\n"
    "  y[p[n & 7]] = n; }\n"
    "kernel void count(volatile global int *head, global int *list, int n)\n"
    "{ int at = atomic_add(head, 1); list[at] = n; }\n"
    "kernel void add(global const int *index, global const int *x, global int *y, int n)\n"
    "{ int i = get_global_id(0); y[i] = x[i] * index[i] + n; }\n";

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_int number;

static cl_mem buffer(cl_int value)
{
    cl_int code, values[ITEMS];
    for (int i = 0; i < ITEMS; i++) values[i] = value;
    cl_mem made = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
    OK(code);
    return made;
}

static void write_all(cl_mem to, cl_int value)
{
    cl_int values[ITEMS];
    for (int i = 0; i < ITEMS; i++) values[i] = value;
    OK(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
}

/* Launches a kernel with buffers, of which the list has `count`, and a number; the status of its end. */
static cl_int launch(const char *name, const cl_mem *buffers, int count, cl_int n)
{
    cl_int code, status;
    cl_event event;
    size_t items = ITEMS, local = 64;
    int argument = 0;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    OK(code);
    for (; argument < count; argument++)
        OK(clSetKernelArg(kernel, argument, sizeof *buffers, buffers + argument));
    if (!strcmp(name, "stage"))
        OK(clSetKernelArg(kernel, argument++, local * sizeof(cl_int), NULL));
    OK(clSetKernelArg(kernel, argument, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, &event));
    clWaitForEvents(1, &event);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    OK(clReleaseEvent(event));
    OK(clReleaseKernel(kernel));
    return status;
}

/* A buffer that lacks the result of a shared launch. */
static cl_mem lacking(void)
{
    cl_mem first = buffer(1 << 30), second = buffer(1 << 30);
    number++;
    CHECK(launch("fill", &first, 1, number) == CL_COMPLETE);
    CHECK(launch("fill", &second, 1, number) == CL_COMPLETE);
    OK(clReleaseMemObject(first));
    return second;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    OK(code);
    program = clCreateProgramWithSource(context, 1, &SOURCE, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));

    cl_mem wrong = lacking(), right = buffer(3), x = buffer(1), y = buffer(0);
    /* Numbers are only added, or moved. */
    CHECK(launch("add", (cl_mem[]){right, wrong, y}, 3, 100) == CL_COMPLETE);
    CHECK(launch("gather", (cl_mem[]){right, x, y}, 3, 100) == CL_COMPLETE);
    CHECK(launch("gather", (cl_mem[]){right, wrong, y}, 3, 101) == CL_COMPLETE);
    /* What is computed from missing results is missing. */
    CHECK(launch("loop", (cl_mem[]){y, x}, 2, 102) == CL_OUT_OF_RESOURCES);
    write_all(y, 2);
    CHECK(launch("loop", (cl_mem[]){y, x}, 2, 103) == CL_COMPLETE);
    /* Indices and numbers of iterations. */
    CHECK(launch("gather", (cl_mem[]){wrong, x, y}, 3, 104) == CL_OUT_OF_RESOURCES);
    CHECK(launch("scatter", (cl_mem[]){wrong, y}, 2, 105) == CL_OUT_OF_RESOURCES);
    CHECK(launch("loop", (cl_mem[]){wrong, y}, 2, 106) == CL_OUT_OF_RESOURCES);
    CHECK(launch("stage", (cl_mem[]){wrong, y}, 2, 107) == CL_OUT_OF_RESOURCES);
    CHECK(launch("stage", (cl_mem[]){right, y}, 2, 108) == CL_COMPLETE);
    CHECK(launch("own", &wrong, 1, 109) == CL_OUT_OF_RESOURCES);
    CHECK(launch("count", (cl_mem[]){wrong, y}, 2, 110) == CL_OUT_OF_RESOURCES);
    /* A copy lacks them, too. */
    cl_mem copy = buffer(0);
    OK(clEnqueueCopyBuffer(queue, wrong, copy, 0, 0, ITEMS * sizeof(cl_int), 0, NULL, NULL));
    CHECK(launch("scatter", (cl_mem[]){copy, y}, 2, 111) == CL_OUT_OF_RESOURCES);
    /* A launch that is not executed does not fail. */
    CHECK(launch("scatter", (cl_mem[]){right, y}, 2, 112) == CL_COMPLETE);
    CHECK(launch("scatter", (cl_mem[]){wrong, y}, 2, 112) == CL_COMPLETE);
    /* New contents are right, until the program has read missing results: it may send them to another
     * rank, which writes them. */
    write_all(wrong, 5);
    CHECK(launch("scatter", (cl_mem[]){wrong, right}, 2, 113) == CL_COMPLETE);
    cl_mem again = lacking();
    cl_int value;
    OK(clEnqueueReadBuffer(queue, again, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    CHECK(value == 1 << 30);
    write_all(wrong, value);
    CHECK(launch("scatter", (cl_mem[]){wrong, right}, 2, 114) == CL_OUT_OF_RESOURCES);
    cl_mem made = buffer(value);
    CHECK(launch("scatter", (cl_mem[]){made, right}, 2, 115) == CL_OUT_OF_RESOURCES);

    cl_mem all[] = {wrong, right, x, y, copy, again, made};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        OK(clReleaseMemObject(all[i]));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    puts("right");
    return 0;
}
