/* Processes that end, in all ways there are, while a kernel runs for ever. */
#include "common.h"
#include <sys/wait.h>
#include <unistd.h>

enum way { EXIT, RETURN, RELEASE_AND_RETURN, QUICK_EXIT, WAYS };

static int end(enum way way)
{
    size_t one = 1;
    cl_event event;
    cl_int status = CL_QUEUED;
    build("kernel void turn(global int *x)"
          "{ *x = 1; barrier(CLK_GLOBAL_MEM_FENCE); for (;;) ; }",
          "turn");
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
    OK(clFlush(queue));
    while (status != CL_RUNNING) {
        usleep(1000);
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                          &status, NULL));
    }
    switch (way) {
    case EXIT:
        exit(0);
    case QUICK_EXIT:
        quick_exit(0);
    case RELEASE_AND_RETURN:
        OK(clReleaseEvent(event));
        tear_down();
        break;
    default:
        break;
    }
    return 0;
}

int main(void)
{
    for (enum way way = EXIT; way < WAYS; ++way) {
        int status;
        /* OpenCL is used in the children only. */
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            return end(way);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 1;
        if (status != 0) {
            fprintf(stderr, "way %d ended with status %#x\n", way, status);
            return 1;
        }
    }
    return 0;
}
