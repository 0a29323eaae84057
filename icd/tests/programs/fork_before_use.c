/* A process that has only asked which platforms there are forks; then parent and child use
   OpenCL. */
#include "common.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    char name[64];
    cl_platform_id platform;
    int status;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL));
    pid_t child = fork();
    set_up();
    launch(10);
    OK(clFinish(queue));
    tear_down();
    if (child == 0)
        return 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "the child ended with %x\n", status);
        return 1;
    }
    return 0;
}
