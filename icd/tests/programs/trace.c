/* Calls of many kinds, for the trace; its lines are in docs/environment.md. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

int main(void)
{
    const char *source = "kernel void twice(global uint *x) { x[get_global_id(1) * 8 + get_global_id(0)] *= 2; }";
    cl_uint numbers[16] = {1, 2, 3};
    size_t global[2] = {8, 2}, local[2] = {4, 2};
    cl_platform_id platform;
    cl_device_id devices[2];
    cl_uint num_devices;
    cl_int code;
    cl_event event;
    char name[64];

    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &num_devices);
    clGetDeviceInfo(devices[0], CL_DEVICE_NAME, sizeof name, name, NULL);
    cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_context context = clCreateContext(properties, 1, devices, NULL, NULL, &code);
    cl_command_queue queue =
        clCreateCommandQueue(context, devices[0], CL_QUEUE_PROFILING_ENABLE, &code);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   sizeof numbers, numbers, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    clBuildProgram(program, 0, NULL, "-cl-mad-enable", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "twice", &code);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, &event);
    clWaitForEvents(1, &event);
    cl_int status;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 1, &event, NULL);
    clSetKernelArg(kernel, 1, sizeof status, &status);
    cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8};
    clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, NULL, &code);
    clReleaseEvent(event);
    clReleaseEvent(event);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return numbers[2] == 6 ? 0 : 1;
}
