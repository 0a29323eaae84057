/* Prints the errors of a launch on a queue without profiling, and on one with it. */
#include "common.h"

int main(void)
{
    cl_command_queue_properties properties[] = {0, CL_QUEUE_PROFILING_ENABLE};
    cl_device_id device;
    build("kernel void fill(global uint *x) { x[get_global_id(0)] = 7; }", "fill");
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
    for (int i = 0; i < 2; ++i) {
        size_t global = 64;
        cl_int code;
        cl_command_queue timed = clCreateCommandQueue(context, device, properties[i], &code);
        OK(code);
        code = clEnqueueNDRangeKernel(timed, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
        printf("%d\n", code);
        OK(clFinish(timed));
        OK(clReleaseCommandQueue(timed));
    }
    tear_down();
    return 0;
}
