/* Processes that exit, by each kind of exit, while a kernel never ends. */
#include "common.h"
#include <sys/wait.h>
#include <unistd.h>

enum exit_kind { EXIT, RETURN, RELEASE_AND_RETURN, QUICK_EXIT, EXIT_KINDS };

static int end(enum exit_kind kind)
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
    switch (kind) {
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
    for (enum exit_kind kind = EXIT; kind < EXIT_KINDS; ++kind) {
        int status;
        /* OpenCL is used in the children only. */
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            return end(kind);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 1;
        if (status != 0) {
            fprintf(stderr, "exit kind %d ended with status %#x\n", kind, status);
            return 1;
        }
    }
    return 0;
}
