/* A launch of which a quarter and a half of the work-items do something more. */
#include "common.h"

int main(void)
{
    const char *source =
        "kernel void some(global float *x) {"
        "  int i = get_global_id(0);"
        "  float product = x[i] * 2.0f;"
        "  if (i % 4 == 0) product *= x[i + 4096];"
        "  if (i % 2 == 0) product *= x[i + 8192];"
        "  x[i] = product * 0.5f;"
        "}";
    size_t global = 1 << 10, local = 64;
    build(source, "some");
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clFinish(queue));
    tear_down();
    return 0;
}
