/* Launches that MOCL3_CAPTURE writes: of two kernels, one of them three times, and of one with an image. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>

static const char *source =
    "kernel void scale(global int *x, local int *copy, int by, constant int *none) {"
    "  size_t i = get_local_id(0);"
    "  copy[i] = x[get_global_id(0)];"
    "  barrier(CLK_LOCAL_MEM_FENCE);"
    "  x[get_global_id(0)] = by * copy[get_local_size(0) - 1 - i] + (none != 0);"
    "}"
    "kernel void both(global int *whole, global int *part)"
    "{ part[0] += whole[0]; printf(\"%d\\n\", part[0]); }"
    "kernel void picture(read_only image2d_t image, global int4 *to)"
    "{ to[0] = read_imagei(image, (int2)(0)); }";

#define CHECK(call) \
    if ((call) != CL_SUCCESS) \
        return printf("%s\n", #call), 1

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const size_t items = 8, group = 4, one = 1;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    CHECK(clBuildProgram(program, 0, NULL, "-DUNUSED=1", NULL, NULL));
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, NULL);
    cl_buffer_region all = {0, sizeof numbers};
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &all, NULL);

    cl_kernel scale = clCreateKernel(program, "scale", NULL);
    cl_int by = 10;
    CHECK(clSetKernelArg(scale, 0, sizeof buffer, &buffer));
    CHECK(clSetKernelArg(scale, 1, 16, NULL));
    CHECK(clSetKernelArg(scale, 2, sizeof by, &by));
    CHECK(clSetKernelArg(scale, 3, sizeof buffer, NULL));
    for (int i = 0; i < 3; i++)
        CHECK(clEnqueueNDRangeKernel(queue, scale, 1, NULL, &items, &group, 0, NULL, NULL));

    cl_kernel both = clCreateKernel(program, "both", NULL);
    CHECK(clSetKernelArg(both, 0, sizeof buffer, &buffer));
    CHECK(clSetKernelArg(both, 1, sizeof part, &part));
    CHECK(clEnqueueNDRangeKernel(queue, both, 1, NULL, &one, NULL, 0, NULL, NULL));

    cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
    cl_image_desc description = {CL_MEM_OBJECT_IMAGE2D, 1, 1, 0, 0, 0, 0, 0, 0, {NULL}};
    cl_mem image = clCreateImage(context, 0, &format, &description, NULL, NULL);
    cl_kernel picture = clCreateKernel(program, "picture", NULL);
    CHECK(clSetKernelArg(picture, 0, sizeof image, &image));
    CHECK(clSetKernelArg(picture, 1, sizeof buffer, &buffer));
    CHECK(clEnqueueNDRangeKernel(queue, picture, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK(clFinish(queue));
    return 0;
}
