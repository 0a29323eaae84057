/* Builds and launches a kernel, waits for a character on standard input, and builds and
 * launches another. */
#include "common.h"

static void build_and_launch(const char *source)
{
    size_t one = 1;
    build(source, "k");
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    tear_down();
}

int main(void)
{
    build_and_launch("kernel void k(global int *x) { *x = 1; }");
    printf("built\n");
    fflush(stdout);
    if (getchar() == EOF)
        return 1;
    build_and_launch("kernel void k(global int *x) { *x = 2; }");
    return 0;
}
