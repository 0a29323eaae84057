/* A child made after OpenCL was used gets errors, not hangs; the parent can still use it. */
#include "common.h"
#include <sys/wait.h>
#include <unistd.h>

enum { QUEUES = 32 };

int main(void)
{
    int status;
    cl_command_queue queues[QUEUES];
    cl_device_id device;
    set_up();
    /* Each has a thread that waits for commands, and which the child does not have. */
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
    for (int i = 0; i < QUEUES; ++i) {
        cl_int code;
        queues[i] = clCreateCommandQueue(context, device, 0, &code);
        OK(code);
        OK(clEnqueueMarkerWithWaitList(queues[i], 0, NULL, NULL));
        OK(clFinish(queues[i]));
    }
    launch(10);
    OK(clFinish(queue));
    pid_t child = fork();
    if (child == 0) {
        size_t global = 64;
        cl_int code =
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
        if (code != CL_OUT_OF_RESOURCES || clFinish(queue) != CL_OUT_OF_RESOURCES)
            _exit(1);
        for (int i = 0; i < QUEUES; ++i)
            OK(clReleaseCommandQueue(queues[i]));
        tear_down();
        exit(0);
    }
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "the child ended with %x\n", status);
        return 1;
    }
    launch(10);
    OK(clFinish(queue));
    tear_down();
    return 0;
}
