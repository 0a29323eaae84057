/* Memory objects that go from cluster to cluster, for the log of transfers. Standard error
   gets the name of each step before the transfers that it makes. */
#include "common.h"

static cl_device_id devices[2];
static cl_command_queue queues[2];
static cl_kernel reads, writes;

static void step(const char *name)
{
    fprintf(stderr, "step %s\n", name);
}

static void launch_with(int device, cl_kernel with, cl_mem object)
{
    size_t global = 64;
    OK(clSetKernelArg(with, 0, sizeof object, &object));
    OK(clEnqueueNDRangeKernel(queues[device], with, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clFinish(queues[device]));
}

static void migrate(int device, cl_mem object, cl_mem_migration_flags flags)
{
    OK(clEnqueueMigrateMemObjects(queues[device], 1, &object, flags, 0, NULL, NULL));
    OK(clFinish(queues[device]));
}

static void map(int device, cl_mem object, cl_map_flags flags)
{
    cl_int code;
    void *mapped = clEnqueueMapBuffer(queues[device], object, CL_TRUE, flags, 0, 1024, 0, NULL,
                                      NULL, &code);
    OK(code);
    OK(clEnqueueUnmapMemObject(queues[device], object, mapped, 0, NULL, NULL));
    OK(clFinish(queues[device]));
}

int main(void)
{
    const char *source =
        "kernel void reads(global const int *x) {}"
        "kernel void writes(global int *x) { x[get_global_id(0)] += 1; }";
    static int numbers[1024];
    cl_platform_id platform;
    cl_int code;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL));
    context = clCreateContext(NULL, 2, devices, NULL, NULL, &code);
    OK(code);
    for (int i = 0; i < 2; ++i) {
        queues[i] = clCreateCommandQueue(context, devices[i], 0, &code);
        OK(code);
    }
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    reads = clCreateKernel(program, "reads", &code);
    OK(code);
    writes = clCreateKernel(program, "writes", &code);
    OK(code);
    buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &code);
    OK(code);
    cl_mem fresh = clCreateBuffer(context, 0, sizeof numbers, NULL, &code);
    OK(code);
    cl_buffer_region regions[2] = {{0, 1024}, {3072, 1024}};
    cl_mem parts[2];
    for (int i = 0; i < 2; ++i) {
        parts[i] = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &regions[i], &code);
        OK(code);
    }

    step("the first use");
    launch_with(0, reads, buffer);
    launch_with(0, writes, buffer);
    step("of another device");
    launch_with(1, reads, buffer);
    launch_with(0, reads, buffer);
    step("writing makes copies stale");
    launch_with(1, writes, buffer);
    launch_with(0, reads, buffer);
    step("sub-buffers");
    launch_with(0, writes, parts[0]);
    launch_with(1, writes, parts[1]);
    step("what they have become");
    launch_with(0, reads, buffer);
    step("requested");
    migrate(1, buffer, 0);
    launch_with(1, writes, buffer);
    step("to the host");
    migrate(1, buffer, CL_MIGRATE_MEM_OBJECT_HOST);
    step("contents undefined");
    migrate(0, buffer, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED);
    launch_with(0, writes, buffer);
    step("mapped");
    map(0, buffer, CL_MAP_READ);
    map(0, buffer, CL_MAP_WRITE);
    launch_with(0, writes, buffer);
    step("mapped and overwritten");
    map(0, buffer, CL_MAP_WRITE_INVALIDATE_REGION);
    launch_with(0, writes, buffer);
    step("written and read");
    OK(clEnqueueWriteBuffer(queues[1], buffer, CL_TRUE, 512, 256, numbers, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queues[1], buffer, CL_TRUE, 0, 1024, numbers, 0, NULL, NULL));
    step("copied");
    OK(clEnqueueCopyBuffer(queues[1], buffer, fresh, 1024, 0, 512, 0, NULL, NULL));
    OK(clFinish(queues[1]));
    step("never written");
    launch_with(0, reads, fresh);
    launch_with(0, writes, fresh);
    step("a rectangle of 2 rows");
    size_t origin[3] = {16, 0, 0}, region[3] = {64, 2, 1};
    OK(clEnqueueWriteBufferRect(queues[1], fresh, CL_TRUE, origin, origin, region, 256, 0, 256, 0,
                                numbers, 0, NULL, NULL));
    step("a rectangle of 2 rows from elsewhere");
    OK(clEnqueueReadBufferRect(queues[0], fresh, CL_TRUE, origin, origin, region, 256, 0, 256, 0,
                               numbers, 0, NULL, NULL));
    step("an image");
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16,
                           .image_height = 4};
    cl_mem image = clCreateImage(context, 0, &format, &shape, NULL, &code);
    OK(code);
    size_t corner[3] = {0, 0, 0}, all[3] = {16, 4, 1}, lower[3] = {0, 2, 0}, half[3] = {16, 2, 1};
    OK(clEnqueueWriteImage(queues[0], image, CL_TRUE, corner, all, 0, 0, numbers, 0, NULL, NULL));
    OK(clEnqueueFillImage(queues[1], image, numbers, lower, half, 0, NULL, NULL));
    OK(clFinish(queues[1]));
    step("the whole image");
    migrate(1, image, 0);
    step("end");

    OK(clReleaseMemObject(image));

    OK(clReleaseMemObject(parts[0]));
    OK(clReleaseMemObject(parts[1]));
    OK(clReleaseMemObject(fresh));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(reads));
    OK(clReleaseKernel(writes));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queues[0]));
    OK(clReleaseCommandQueue(queues[1]));
    OK(clReleaseContext(context));
    return 0;
}
