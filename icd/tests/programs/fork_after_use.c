/* A child made after OpenCL was used gets errors, not hangs; the parent goes on. */
#include "common.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status;
    set_up();
    launch(10);
    OK(clFinish(queue));
    pid_t child = fork();
    if (child == 0) {
        size_t global = 64;
        cl_int code =
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
        if (code != CL_OUT_OF_RESOURCES || clFinish(queue) != CL_OUT_OF_RESOURCES)
            _exit(1);
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
