// Callbacks and native kernels that throw, or end their thread: the program continues, native
// kernels fail, callbacks count as returned, and later ones are called.
#include "ok.h"
#include <atomic>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>

enum How { THROW, THROW_A_NUMBER, END_THE_THREAD, HOWS };

static std::atomic<int> calls, destroyed;

struct Destroyed {
    ~Destroyed() { ++destroyed; }
};

static void leave(How how)
{
    Destroyed here;
    ++calls;
    switch (how) {
    case THROW: throw std::runtime_error("a test's");
    case THROW_A_NUMBER: throw 7;
    default: pthread_exit(nullptr);
    }
}

static How how_of(void *user_data) { return static_cast<How>(reinterpret_cast<size_t>(user_data)); }
static void CL_CALLBACK native(void *block) { leave(*static_cast<How *>(block)); }
static void CL_CALLBACK on_event(cl_event, cl_int, void *how) { leave(how_of(how)); }
static void CL_CALLBACK on_build(cl_program, void *how) { leave(how_of(how)); }
static void CL_CALLBACK on_end(cl_mem, void *how) { leave(how_of(how)); }
static How context_how;
static void CL_CALLBACK on_error(const char *, const void *, size_t, void *) { leave(context_how); }

static void wait_for(int count)
{
    while (calls < count)
        usleep(1000);
}

int main()
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    OK(clGetPlatformIDs(1, &platform, nullptr));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
    cl_context context = clCreateContext(nullptr, 1, &device, on_error, nullptr, &code);
    OK(code);
    const cl_command_queue_properties kinds[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
    const char *source = "kernel void k(global int *x) { *x += 1; }";
    int expected = 0, launches = 0;
    cl_mem counter = clCreateBuffer(context, 0, 4, nullptr, &code);
    OK(code);
    const cl_int zero = 0;
    for (int round = 0; round < 10; ++round)
        for (int number = 0; number < HOWS; ++number)
            for (cl_command_queue_properties kind : kinds) {
                How how = static_cast<How>(number);
                void *user_data = reinterpret_cast<void *>(static_cast<size_t>(how));
                context_how = how;
                cl_command_queue queue = clCreateCommandQueue(context, device, kind, &code);
                OK(code);
                if (launches++ == 0)
                    OK(clEnqueueWriteBuffer(queue, counter, CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr));
                // A native kernel: by a thread that waits, and by one of the platform's.
                for (int waits = 0; waits < 2; ++waits) {
                    cl_event event;
                    cl_int status;
                    OK(clEnqueueNativeKernel(queue, native, &how, sizeof how, 0, nullptr, nullptr,
                                             0, nullptr, &event));
                    if (!waits)
                        wait_for(expected + 1);
                    if (clWaitForEvents(1, &event) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
                        abort();
                    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                      &status, nullptr));
                    if (status >= 0)
                        abort();
                    OK(clReleaseEvent(event));
                    // And the callback of the context, which reports the failure.
                    expected += 2;
                    wait_for(expected);
                }
                cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
                OK(code);
                OK(clBuildProgram(program, 0, nullptr, "", on_build, user_data));
                wait_for(expected += 1);
                cl_kernel kernel = clCreateKernel(program, "k", &code);
                OK(code);
                OK(clSetKernelArg(kernel, 0, sizeof counter, &counter));
                cl_event event;
                OK(clEnqueueTask(queue, kernel, 0, nullptr, &event));
                for (int repeat = 0; repeat < 3; ++repeat)
                    OK(clSetEventCallback(event, CL_COMPLETE, on_event, user_data));
                OK(clFinish(queue));
                wait_for(expected += 3);
                // On this thread.
                cl_mem buffer = clCreateBuffer(context, 0, 4, nullptr, &code);
                OK(code);
                for (int repeat = 0; repeat < 2; ++repeat)
                    OK(clSetMemObjectDestructorCallback(buffer, on_end, user_data));
                OK(clReleaseMemObject(buffer));
                wait_for(expected += 2);
                OK(clReleaseEvent(event));
                OK(clReleaseKernel(kernel));
                OK(clReleaseProgram(program));
                OK(clReleaseCommandQueue(queue));
            }
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    cl_int value;
    OK(clEnqueueReadBuffer(queue, counter, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
    if (value != launches || calls != expected || destroyed != expected)
        abort();
    OK(clReleaseMemObject(counter));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    return 0;
}
