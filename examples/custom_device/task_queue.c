/* Adds vectors on the accelerators of a machine with a task queue manager. Tasks that the accelerators
 * have no time for are given up, and executed by the host: the program counts them. Then it enqueues pairs
 * of additions as chains, and as single tasks.
 *
 *   cc -I icd/include -o task_queue examples/custom_device/task_queue.c -lOpenCL
 *   MOCL3_MACHINE=dsp MOCL3_MACHINE_SET=task_scheduler.scheduling=managed ./task_queue [TASKS] */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_mocl3.h>

#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 1000, INPUTS = 16, BATCH = 200, PAIRS = 8 };

static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem inputs[INPUTS];
static clEnqueueTaskChainMOCL3_fn enqueue_chain;

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s failed with OpenCL error %d\n", what, code);
        exit(EXIT_FAILURE);
    }
}

static float element(unsigned input, unsigned place)
{
    return (float)((input * 37 + place) % 1009);
}

static void set_arguments(cl_kernel of, cl_mem a, cl_mem b, cl_mem sum)
{
    const cl_uint count = ELEMENTS;
    check(clSetKernelArg(of, 0, sizeof a, &a), "clSetKernelArg");
    check(clSetKernelArg(of, 1, sizeof b, &b), "clSetKernelArg");
    check(clSetKernelArg(of, 2, sizeof sum, &sum), "clSetKernelArg");
    check(clSetKernelArg(of, 3, sizeof count, &count), "clSetKernelArg");
}

static cl_ulong time_of(cl_event event, cl_profiling_info which)
{
    cl_ulong time = 0;
    check(clGetEventProfilingInfo(event, which, sizeof time, &time, NULL), "clGetEventProfilingInfo");
    return time;
}

/* The number of elements of a sum that are not those of the inputs. */
static unsigned wrong_elements(cl_mem sum, unsigned left, unsigned right, unsigned times)
{
    static float values[ELEMENTS];
    check(clEnqueueReadBuffer(queue, sum, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    unsigned wrong = 0;
    for (unsigned i = 0; i < ELEMENTS; ++i)
        wrong += values[i] != element(left, i) + (float)times * element(right, i);
    return wrong;
}

/* Pairs of additions one after another, as chains or not; returns the mean time from the enqueuing of the
 * second addition to its end. */
static cl_ulong add_pairs(cl_kernel second, cl_mem *sums, cl_mem *results, int as_chains)
{
    cl_ulong all = 0;
    for (unsigned pair = 0; pair < PAIRS; ++pair) {
        cl_event event, before;
        cl_mem left = inputs[pair], right = inputs[pair + 1];
        set_arguments(kernel, left, right, sums[pair]);
        set_arguments(second, sums[pair], right, results[pair]);
        if (as_chains) {
            cl_kernel kernels[] = {kernel, second};
            check(enqueue_chain(queue, 2, kernels, 0, 0, NULL, &event), "clEnqueueTaskChainMOCL3");
        } else {
            check(clEnqueueTask(queue, kernel, 0, NULL, &before), "clEnqueueTask");
            check(clEnqueueTask(queue, second, 1, &before, &event), "clEnqueueTask");
            check(clReleaseEvent(before), "clReleaseEvent");
        }
        check(clFinish(queue), "clFinish");
        all += time_of(event, CL_PROFILING_COMMAND_END) - time_of(event, CL_PROFILING_COMMAND_QUEUED);
        check(clReleaseEvent(event), "clReleaseEvent");
    }
    return all / PAIRS;
}

int main(int count, char **arguments)
{
    long tasks = count > 1 ? atol(arguments[1]) : 10000;
    if (tasks < 1) {
        fprintf(stderr, "usage: task_queue [TASKS]\n");
        return EXIT_FAILURE;
    }
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &device, NULL), "clGetDeviceIDs");
    enqueue_chain = (clEnqueueTaskChainMOCL3_fn)clGetExtensionFunctionAddressForPlatform(
        platform, "clEnqueueTaskChainMOCL3");
    if (!enqueue_chain) {
        fprintf(stderr, "the platform has no cl_mocl3_task_queue\n");
        return EXIT_FAILURE;
    }
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    queue = clCreateCommandQueue(
        context, device, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    check(code, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithBuiltInKernels(context, 1, &device, "vector_add", &code);
    check(code, "clCreateProgramWithBuiltInKernels");
    kernel = clCreateKernel(program, "vector_add", &code);
    check(code, "clCreateKernel");
    cl_kernel second = clCreateKernel(program, "vector_add", &code);
    check(code, "clCreateKernel");

    float values[ELEMENTS];
    cl_mem sums[BATCH], results[PAIRS];
    for (unsigned input = 0; input < INPUTS; ++input) {
        for (unsigned i = 0; i < ELEMENTS; ++i)
            values[i] = element(input, i);
        inputs[input] = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof values,
                                       values, &code);
        check(code, "clCreateBuffer");
    }
    for (unsigned i = 0; i < BATCH; ++i) {
        sums[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof values, NULL, &code);
        check(code, "clCreateBuffer");
    }
    for (unsigned i = 0; i < PAIRS; ++i) {
        results[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof values, NULL, &code);
        check(code, "clCreateBuffer");
    }

    unsigned long states[4] = {0, 0, 0, 0}, wrong = 0;
    for (long done = 0; done < tasks; done += BATCH) {
        cl_event events[BATCH];
        unsigned now = tasks - done < BATCH ? (unsigned)(tasks - done) : BATCH;
        for (unsigned i = 0; i < now; ++i) {
            set_arguments(kernel, inputs[i % INPUTS], inputs[(i + done) % INPUTS], sums[i]);
            check(clEnqueueTask(queue, kernel, 0, NULL, &events[i]), "clEnqueueTask");
        }
        check(clFinish(queue), "clFinish");
        for (unsigned i = 0; i < now; ++i) {
            cl_uint state;
            check(clGetEventInfo(events[i], CL_EVENT_TASK_STATE_MOCL3, sizeof state, &state, NULL),
                  "clGetEventInfo");
            ++states[state & 3];
            wrong += wrong_elements(sums[i], i % INPUTS, (unsigned)((i + done) % INPUTS), 1) != 0;
            check(clReleaseEvent(events[i]), "clReleaseEvent");
        }
    }
    printf("%ld tasks: %lu executed by accelerators, %lu given up, %lu lost, %lu wrong\n", tasks,
           states[CL_TASK_EXECUTED_MOCL3], states[CL_TASK_GAVE_UP_MOCL3],
           states[CL_TASK_NOT_EXECUTING_MOCL3] + states[CL_TASK_EXECUTING_MOCL3], wrong);

    cl_ulong single = add_pairs(second, sums, results, 0);
    for (unsigned pair = 0; pair < PAIRS; ++pair)
        wrong += wrong_elements(results[pair], pair, pair + 1, 2);
    cl_ulong chained = add_pairs(second, sums, results, 1);
    for (unsigned pair = 0; pair < PAIRS; ++pair)
        wrong += wrong_elements(results[pair], pair, pair + 1, 2);
    printf("a pair of additions: %llu ns as single tasks, %llu ns as a chain, %s\n", (unsigned long long)single,
           (unsigned long long)chained, wrong == 0 ? "all right" : "WRONG");

    for (unsigned i = 0; i < INPUTS; ++i)
        clReleaseMemObject(inputs[i]);
    for (unsigned i = 0; i < BATCH; ++i)
        clReleaseMemObject(sums[i]);
    for (unsigned i = 0; i < PAIRS; ++i)
        clReleaseMemObject(results[i]);
    clReleaseKernel(second);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
