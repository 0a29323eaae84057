/* Runs the scenarios of that names, one after another: kernels and commands that access memory objects
   while parts of them are mapped, and others that do not. The kernel copies 32 of 64 ints. */
#include "checked.h"

static cl_mem in, out, none;

static void *map(cl_mem object, cl_map_flags flags, size_t offset, size_t size)
{
    cl_int code;
    void *pointer = clEnqueueMapBuffer(queue, object, CL_TRUE, flags, offset, size, 0, NULL, NULL, &code);
    OK(code);
    return pointer;
}

static void unmap(cl_mem object, void *pointer)
{
    OK(clEnqueueUnmapMemObject(queue, object, pointer, 0, NULL, NULL));
    OK(clFinish(queue));
}

static cl_mem part(cl_mem of, size_t offset)
{
    const cl_buffer_region region = {offset, 128};
    cl_int code;
    cl_mem made = clCreateSubBuffer(of, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    OK(code);
    return made;
}

static void launch_after(cl_uint count, const cl_event *events)
{
    const size_t global = ITEMS, local = GROUP;
    OK(clSetKernelArg(kernel, 0, sizeof in, &in));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    OK(clSetKernelArg(kernel, 2, sizeof none, &none));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, count, events, NULL));
    OK(clFlush(queue));
}

static void launch_kernel(void)
{
    launch_after(0, NULL);
    OK(clFinish(queue));
}

static int is(const char *scenario, const char *name)
{
    return strcmp(scenario, name) == 0;
}

static void of_kernels(const char *scenario)
{
    if (is(scenario, "kernel writes, mapped for reading")) {
        void *pointer = map(out, CL_MAP_READ, 64, 64);
        launch_kernel();
        unmap(out, pointer);
    } else if (is(scenario, "kernel reads, mapped for writing")) {
        void *pointer = map(in, CL_MAP_WRITE, 0, 16);
        launch_kernel();
        unmap(in, pointer);
    } else if (is(scenario, "kernel reads, mapped for reading")) {
        void *pointer = map(in, CL_MAP_READ, 0, 16);
        launch_kernel();
        unmap(in, pointer);
    } else if (is(scenario, "kernel accesses nothing")) {
        void *pointer = map(none, CL_MAP_WRITE, 0, 16);
        launch_kernel();
        unmap(none, pointer);
    } else if (is(scenario, "unmapped in order")) {
        void *pointer = map(in, CL_MAP_WRITE, 0, 16);
        OK(clEnqueueUnmapMemObject(queue, in, pointer, 0, NULL, NULL));
        launch_kernel();
    } else if (is(scenario, "kernel reads a part, mapped for writing")) {
        void *pointer = map(in, CL_MAP_WRITE_INVALIDATE_REGION, 160, 64);
        cl_mem whole = in;
        in = part(whole, 128);
        launch_kernel();
        unmap(whole, pointer);
    } else if (is(scenario, "kernel reads another part")) {
        void *pointer = map(in, CL_MAP_WRITE, 0, 64);
        cl_mem whole = in;
        in = part(whole, 128);
        launch_kernel();
        unmap(whole, pointer);
    } else if (is(scenario, "kernel writes, part mapped")) {
        cl_mem sub_buffer = part(out, 128);
        void *pointer = map(sub_buffer, CL_MAP_READ, 0, 4);
        launch_kernel();
        unmap(sub_buffer, pointer);
    }
}

/* A kernel that is enqueued first, and executed when its event is complete. */
static void of_order(const char *scenario)
{
    cl_int code;
    cl_event gate = clCreateUserEvent(context, &code);
    OK(code);
    launch_after(1, &gate);
    cl_device_id device;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
    cl_command_queue first = queue;
    queue = clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    void *pointer = map(in, CL_MAP_WRITE, 0, 16);
    if (is(scenario, "unmapped by events"))
        unmap(in, pointer);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(first));
}

static void of_commands(const char *scenario)
{
    static int numbers_[COUNT];
    const size_t origin[3] = {0, 0, 0}, region[3] = {4, 4, 1};
    const cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
    const cl_image_desc plane = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
    cl_int code;
    if (is(scenario, "commands, mapped for reading")) {
        void *pointer = map(out, CL_MAP_READ, 64, 64);
        OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 16, numbers_, 0, NULL, NULL));
        OK(clEnqueueCopyBuffer(queue, out, in, 0, 0, 16, 0, NULL, NULL));
        OK(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, 16, numbers_, 0, NULL, NULL));
        OK(clEnqueueFillBuffer(queue, out, numbers_, 4, 0, 16, 0, NULL, NULL));
        OK(clEnqueueMigrateMemObjects(queue, 1, &out, 0, 0, NULL, NULL));
        unmap(out, map(out, CL_MAP_READ, 0, 128));
        unmap(out, pointer);
        OK(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, 16, numbers_, 0, NULL, NULL));
    } else if (is(scenario, "commands, mapped for writing")) {
        void *pointer = map(out, CL_MAP_WRITE, 64, 64);
        OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 16, numbers_, 0, NULL, NULL));
        OK(clEnqueueCopyBuffer(queue, out, in, 0, 0, 16, 0, NULL, NULL));
        unmap(out, pointer);
    } else if (is(scenario, "image, mapped for reading")) {
        size_t pitch;
        cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &plane, NULL, &code);
        OK(code);
        void *pointer = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, region, &pitch, NULL, 0, NULL,
                                          NULL, &code);
        OK(code);
        OK(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, numbers_, 0, NULL, NULL));
        OK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, numbers_, 0, NULL, NULL));
        unmap(image, pointer);
    }
}

static void run(char *scenario)
{
    static int memory[COUNT] __attribute__((aligned(4096)));
    cl_int code;
    build("kernel void k(global int *in, global int *out, global int *none) {\n"
          "  out[get_global_id(0)] = in[get_global_id(0)];\n"
          "}\n",
          "k");
    in = numbers(CL_MEM_READ_WRITE);
    none = numbers(CL_MEM_READ_WRITE);
    out = numbers(CL_MEM_READ_WRITE);
    const char *host = "host: ";
    if (strncmp(scenario, host, strlen(host)) == 0) {
        scenario += strlen(host);
        out = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof memory, memory, &code);
        OK(code);
    }
    of_kernels(scenario);
    of_commands(scenario);
    if (is(scenario, "mapped after enqueuing") || is(scenario, "unmapped by events"))
        of_order(scenario);
}
