/* A custom device and its built-in kernels, on a machine with clusters and accelerators. The argument
   names the part to run; `times` prints a line for each kernel. */
#include "ok.h"
#include <CL/cl_mocl3.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define REFUSED_OBJECT(expected, call)     \
    do {                                   \
        cl_int code = CL_SUCCESS;          \
        CHECK((call) == NULL);             \
        REFUSED(expected, code);           \
    } while (0)

enum { CLUSTERS = 4, KERNELS = 10 };

static const char *NAMES =
    "real_fir;complex_fir;adaptive_fir;iir;vector_dot;vector_add;vector_max;fft_256;dct_64;correlation";
static cl_platform_id platform;
static cl_device_id clusters[CLUSTERS], custom;
static cl_context context;

static cl_context context_of(cl_uint count, const cl_device_id *devices)
{
    cl_int code;
    cl_context made = clCreateContext(NULL, count, devices, NULL, NULL, &code);
    OK(code);
    return made;
}

static cl_command_queue queue_of(cl_context of, cl_device_id device, cl_command_queue_properties properties)
{
    cl_int code;
    cl_command_queue made = clCreateCommandQueue(of, device, properties, &code);
    OK(code);
    return made;
}

static cl_mem buffer_of(cl_context of, size_t floats, const float *values)
{
    cl_int code;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (values ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem made = clCreateBuffer(of, flags, floats * sizeof(float), (void *)values, &code);
    OK(code);
    return made;
}

static cl_program program_of(cl_context of, const char *names)
{
    cl_int code;
    cl_program made = clCreateProgramWithBuiltInKernels(of, 1, &custom, names, &code);
    OK(code);
    return made;
}

static cl_kernel kernel_of(cl_program program, const char *name)
{
    cl_int code;
    cl_kernel made = clCreateKernel(program, name, &code);
    OK(code);
    return made;
}

static void set_uint(cl_kernel kernel, cl_uint index, cl_uint value)
{
    OK(clSetKernelArg(kernel, index, sizeof value, &value));
}

static void set_buffer(cl_kernel kernel, cl_uint index, cl_mem buffer)
{
    OK(clSetKernelArg(kernel, index, sizeof buffer, &buffer));
}

static cl_uint uint_of(cl_device_id device, cl_device_info name)
{
    cl_uint value;
    OK(clGetDeviceInfo(device, name, sizeof value, &value, NULL));
    return value;
}

static void set_up(void)
{
    cl_uint count;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count));
    CHECK(count == CLUSTERS);
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, CLUSTERS, clusters, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &custom, &count));
    CHECK(count == 1);
    context = context_of(1, &custom);
}

static void queries(void)
{
    cl_device_id devices[CLUSTERS + 1], found;
    cl_device_type type;
    cl_uint count;
    char text[1024];
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM | CL_DEVICE_TYPE_ACCELERATOR, CLUSTERS + 1, devices,
                      &count));
    CHECK(count == CLUSTERS + 1 && devices[CLUSTERS] == custom);
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &found, &count));
    CHECK(count == 1 && found == clusters[0]);
    OK(clGetDeviceInfo(custom, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    CHECK(type == CL_DEVICE_TYPE_CUSTOM);
    OK(clGetDeviceInfo(custom, CL_DEVICE_BUILT_IN_KERNELS, sizeof text, text, NULL));
    CHECK(!strcmp(text, NAMES));
    char library[4096];
    OK(clGetDeviceInfo(clusters[0], CL_DEVICE_BUILT_IN_KERNELS, sizeof library, library, NULL));
    CHECK(strstr(library, "dgemm") != NULL && strstr(library, "real_fir") == NULL);
    CHECK(!uint_of(custom, CL_DEVICE_COMPILER_AVAILABLE) && !uint_of(custom, CL_DEVICE_LINKER_AVAILABLE));
    CHECK(!uint_of(custom, CL_DEVICE_IMAGE_SUPPORT) && uint_of(custom, CL_DEVICE_AVAILABLE));
    CHECK(uint_of(custom, CL_DEVICE_MAX_COMPUTE_UNITS) == KERNELS);
    CHECK(uint_of(custom, CL_DEVICE_MAX_CLOCK_FREQUENCY) == 1000);
    CHECK(uint_of(custom, CL_DEVICE_LOCAL_MEM_TYPE) == CL_NONE);
    CHECK(uint_of(custom, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) == 0);
    OK(clGetDeviceInfo(custom, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    CHECK(!strstr(text, "fp64") && strstr(text, "cl_khr_extended_versioning"));

    cl_program program = program_of(context, "dct_64; real_fir");
    cl_device_id of;
    size_t size, sizes[3];
    cl_int status;
    OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    CHECK(!strcmp(text, "dct_64;real_fir"));
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof size, &size, NULL));
    CHECK(size == 2);
    OK(clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof of, &of, NULL));
    CHECK(of == custom);
    OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, &size));
    CHECK(size == 1 && !text[0]);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    CHECK(size == 0);
    OK(clGetProgramBuildInfo(program, custom, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    CHECK(status == CL_BUILD_NONE);
    REFUSED(CL_INVALID_DEVICE, clGetProgramBuildInfo(program, clusters[0], CL_PROGRAM_BUILD_STATUS,
                                                     sizeof status, &status, NULL));

    cl_kernel kernels[2];
    OK(clCreateKernelsInProgram(program, 2, kernels, &count));
    CHECK(count == 2);
    cl_kernel kernel = kernels[1];
    OK(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
    CHECK(!strcmp(text, "real_fir"));
    OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    CHECK(count == 5);
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    CHECK(!strcmp(text, "x"));
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
    CHECK(!strcmp(text, "float*"));
    cl_kernel_arg_type_qualifier qualifier;
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
    CHECK(qualifier == CL_KERNEL_ARG_TYPE_CONST);
    cl_kernel_arg_address_qualifier address;
    OK(clGetKernelArgInfo(kernel, 2, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL));
    CHECK(address == CL_KERNEL_ARG_ADDRESS_GLOBAL);
    OK(clGetKernelArgInfo(kernel, 3, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL));
    CHECK(address == CL_KERNEL_ARG_ADDRESS_PRIVATE);
    OK(clGetKernelWorkGroupInfo(kernel, custom, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof sizes, sizes, NULL));
    CHECK(sizes[0] == 1 && sizes[1] == 1 && sizes[2] == 1);
    OK(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
    CHECK(size == 1);
    REFUSED(CL_INVALID_DEVICE,
            clGetKernelWorkGroupInfo(kernel, clusters[0], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
    OK(clRetainKernel(kernel));
    OK(clReleaseKernel(kernel));
    OK(clReleaseKernel(kernels[0]));
    OK(clRetainProgram(program));
    OK(clReleaseProgram(program));
    OK(clReleaseProgram(program));
    OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL));
    OK(clReleaseKernel(kernel));
    OK(clRetainDevice(custom));
    OK(clReleaseDevice(custom));
}

static void CL_CALLBACK native(void *unused)
{
    (void)unused;
}

static void errors(void)
{
    const char *source = "kernel void k(global int *x) { *x = 7; }";
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id part, both[] = {clusters[0], custom};
    cl_context mixed = context_of(2, both);
    cl_int code, status;
    REFUSED(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(custom, equally, 1, &part, NULL));
    /* Built-in kernels. */
    REFUSED_OBJECT(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &custom, NULL, &code));
    REFUSED_OBJECT(CL_INVALID_VALUE,
                   clCreateProgramWithBuiltInKernels(context, 1, &custom, "real_fir;sine", &code));
    REFUSED_OBJECT(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &custom, "", &code));
    REFUSED_OBJECT(CL_INVALID_DEVICE,
                   clCreateProgramWithBuiltInKernels(context, 1, clusters, "real_fir", &code));
    REFUSED_OBJECT(CL_INVALID_VALUE,
                   clCreateProgramWithBuiltInKernels(mixed, 1, clusters, "real_fir", &code));
    cl_program built_in = program_of(context, "real_fir");
    REFUSED(CL_INVALID_OPERATION, clBuildProgram(built_in, 0, NULL, "", NULL, NULL));
    REFUSED(CL_INVALID_OPERATION, clCompileProgram(built_in, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    REFUSED_OBJECT(CL_INVALID_KERNEL_NAME, clCreateKernel(built_in, "dct_64", &code));
    /* Programs with source text and binaries. */
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    REFUSED(CL_COMPILER_NOT_AVAILABLE, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    REFUSED(CL_COMPILER_NOT_AVAILABLE, clCompileProgram(program, 1, &custom, "", 0, NULL, NULL, NULL, NULL));
    REFUSED_OBJECT(CL_LINKER_NOT_AVAILABLE,
                   clLinkProgram(context, 0, NULL, "", 1, &program, NULL, NULL, &code));
    REFUSED_OBJECT(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "k", &code));
    const unsigned char bytes[] = {1, 2, 3}, *binary = bytes;
    size_t length = sizeof bytes;
    REFUSED_OBJECT(CL_INVALID_BINARY, clCreateProgramWithBinary(context, 1, &custom, &length, &binary,
                                                                &status, &code));
    CHECK(status == CL_INVALID_BINARY);
    OK(clReleaseProgram(program));
    /* In a context with a cluster, programs are built for that. */
    program = clCreateProgramWithSource(mixed, 1, &source, NULL, &code);
    OK(code);
    REFUSED(CL_COMPILER_NOT_AVAILABLE, clBuildProgram(program, 2, both, "", NULL, NULL));
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    OK(clGetProgramBuildInfo(program, custom, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    CHECK(status == CL_BUILD_NONE);
    cl_command_queue queue = queue_of(mixed, custom, 0);
    cl_mem buffer = buffer_of(mixed, 64, NULL);
    cl_kernel kernel = kernel_of(program, "k");
    set_buffer(kernel, 0, buffer);
    REFUSED(CL_INVALID_PROGRAM_EXECUTABLE, clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    /* Images, samplers and native kernels. */
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_uint formats = 1;
    REFUSED_OBJECT(CL_INVALID_OPERATION, clCreateImage(context, 0, &format, &desc, NULL, &code));
    REFUSED_OBJECT(CL_INVALID_OPERATION,
                   clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code));
    OK(clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &formats));
    CHECK(formats == 0);
    cl_mem image = clCreateImage(mixed, 0, &format, &desc, NULL, &code);
    OK(code);
    float pixels[64] = {0};
    const size_t origin[3] = {0, 0, 0}, region[3] = {4, 4, 1};
    REFUSED(CL_INVALID_OPERATION,
            clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL));
    OK(clReleaseMemObject(image));
    REFUSED(CL_INVALID_OPERATION, clEnqueueNativeKernel(queue, native, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    /* Arguments and sizes. */
    cl_program functions = program_of(mixed, "real_fir");
    cl_uint value = 0;
    kernel = kernel_of(functions, "real_fir");
    REFUSED(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, kernel, 0, NULL, NULL));
    for (cl_uint i = 0; i < 3; ++i)
        set_buffer(kernel, i, buffer);
    REFUSED(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 3, sizeof value, &value));
    value = 65537;
    REFUSED(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 3, sizeof value, &value));
    REFUSED(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, 8, pixels));
    REFUSED(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 5, sizeof value, &value));
    REFUSED(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &buffer));
    set_uint(kernel, 3, 64);
    set_uint(kernel, 4, 2);
    REFUSED(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, kernel, 0, NULL, NULL));
    set_uint(kernel, 4, 1);
    const size_t two = 2, one = 1;
    REFUSED(CL_INVALID_GLOBAL_WORK_SIZE,
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &two, NULL, 0, NULL, NULL));
    REFUSED(CL_INVALID_WORK_ITEM_SIZE,
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &two, 0, NULL, NULL));
    REFUSED(CL_INVALID_WORK_DIMENSION,
            clEnqueueNDRangeKernel(queue, kernel, 4, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 2, sizeof buffer, NULL));
    REFUSED(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, kernel, 0, NULL, NULL));
    cl_command_queue of_cluster = queue_of(mixed, clusters[0], 0);
    REFUSED(CL_INVALID_PROGRAM_EXECUTABLE, clEnqueueTask(of_cluster, kernel, 0, NULL, NULL));
    OK(clReleaseCommandQueue(of_cluster));
    cl_command_queue elsewhere = queue_of(context, custom, 0);
    REFUSED(CL_INVALID_CONTEXT, clEnqueueTask(elsewhere, kernel, 0, NULL, NULL));
    OK(clReleaseCommandQueue(elsewhere));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(functions));
    OK(clReleaseProgram(built_in));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(mixed));
}

/* A cluster writes samples, the accelerator filters them, a cluster doubles them: one context. */
static void migrations(cl_command_queue_properties properties)
{
    const char *source = "kernel void ramp(global float *x) { x[get_global_id(0)] = get_global_id(0); }"
                         "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }";
    cl_device_id both[] = {clusters[1], custom};
    cl_context mixed = context_of(2, both);
    cl_int code;
    cl_program program = clCreateProgramWithSource(mixed, 1, &source, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_program functions = program_of(mixed, NAMES);
    cl_kernel ramp = kernel_of(program, "ramp"), twice = kernel_of(program, "twice");
    cl_kernel add = kernel_of(functions, "vector_add"), max = kernel_of(functions, "vector_max");
    cl_command_queue cluster = queue_of(mixed, clusters[1], properties);
    cl_command_queue accelerators = queue_of(mixed, custom, properties);
    const size_t count = 256;
    cl_mem x = buffer_of(mixed, count, NULL), y = buffer_of(mixed, count, NULL);
    cl_buffer_region half = {128 * sizeof(float), 128 * sizeof(float)};
    cl_mem upper = clCreateSubBuffer(y, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
    OK(code);
    cl_mem largest = buffer_of(mixed, 1, NULL);
    cl_event events[5], gate = clCreateUserEvent(mixed, &code);
    OK(code);
    set_buffer(ramp, 0, x);
    OK(clEnqueueNDRangeKernel(cluster, ramp, 1, NULL, &count, NULL, 1, &gate, &events[0]));
    for (cl_uint i = 0; i < 2; ++i)
        set_buffer(add, i, x);
    set_buffer(add, 2, y);
    set_uint(add, 3, count);
    OK(clEnqueueTask(accelerators, add, 1, &events[0], &events[1]));
    /* In place: inputs are read before outputs are written. */
    set_buffer(add, 0, y);
    set_buffer(add, 1, y);
    OK(clEnqueueTask(accelerators, add, 1, &events[1], &events[2]));
    set_buffer(twice, 0, upper);
    const size_t part = 128;
    OK(clEnqueueNDRangeKernel(cluster, twice, 1, NULL, &part, NULL, 1, &events[2], &events[3]));
    set_buffer(max, 0, upper);
    set_buffer(max, 1, largest);
    set_uint(max, 2, 128);
    OK(clEnqueueTask(accelerators, max, 1, &events[3], &events[4]));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    float found, values[256];
    OK(clEnqueueReadBuffer(accelerators, largest, CL_TRUE, 0, sizeof found, &found, 1, &events[4], NULL));
    CHECK(found == 255 * 8);
    OK(clEnqueueMigrateMemObjects(accelerators, 1, &y, 0, 1, &events[4], NULL));
    OK(clFinish(accelerators));
    OK(clEnqueueReadBuffer(cluster, y, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (int i = 0; i < 256; ++i)
        CHECK(values[i] == (i < 128 ? 4.0f : 8.0f) * i);
    float *mapped = clEnqueueMapBuffer(accelerators, y, CL_TRUE, CL_MAP_READ, 0, sizeof values, 0, NULL, NULL,
                                       &code);
    OK(code);
    CHECK(!memcmp(mapped, values, sizeof values));
    OK(clEnqueueUnmapMemObject(accelerators, y, mapped, 0, NULL, NULL));
    OK(clFinish(accelerators));
    /* A failed event fails the task that waits for it. */
    cl_event failed, gate2 = clCreateUserEvent(mixed, &code);
    OK(code);
    OK(clEnqueueTask(accelerators, max, 1, &gate2, &failed));
    OK(clSetUserEventStatus(gate2, -5));
    REFUSED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &failed));
    cl_command_type type;
    OK(clGetEventInfo(failed, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK(type == CL_COMMAND_TASK);
    OK(clReleaseEvent(failed));
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(gate2));
    for (int i = 0; i < 5; ++i)
        OK(clReleaseEvent(events[i]));
    const cl_mem objects[] = {upper, x, y, largest};
    for (int i = 0; i < 4; ++i)
        OK(clReleaseMemObject(objects[i]));
    const cl_kernel kernels[] = {ramp, twice, add, max};
    for (int i = 0; i < 4; ++i)
        OK(clReleaseKernel(kernels[i]));
    OK(clReleaseProgram(program));
    OK(clReleaseProgram(functions));
    OK(clReleaseCommandQueue(cluster));
    OK(clReleaseCommandQueue(accelerators));
    OK(clReleaseContext(mixed));
}

static cl_ulong time_of(cl_event event, cl_profiling_info name)
{
    cl_ulong time;
    OK(clGetEventProfilingInfo(event, name, sizeof time, &time, NULL));
    return time;
}

/* Each kernel with the sizes of the HTS paper's table II. */
static void times(void)
{
    static const struct {
        const char *name;
        int buffers, numbers;
        cl_uint sizes[2];
    } rows[KERNELS] = {
        {"real_fir", 3, 0, {40, 16}},   {"complex_fir", 3, 0, {40, 16}}, {"adaptive_fir", 5, 1, {40, 16}},
        {"iir", 4, 0, {40, 8}},         {"vector_dot", 3, 0, {40}},      {"vector_add", 3, 0, {40}},
        {"vector_max", 2, 0, {40}},     {"fft_256", 1, 0, {0}},          {"dct_64", 2, 0, {0}},
        {"correlation", 3, 0, {40, 16}},
    };
    cl_program program = program_of(context, NAMES);
    cl_command_queue queue = queue_of(context, custom, CL_QUEUE_PROFILING_ENABLE);
    static const float zeros[512];
    cl_mem buffers[5];
    for (int i = 0; i < 5; ++i)
        buffers[i] = buffer_of(context, 512, zeros);
    for (int i = 0; i < KERNELS; ++i) {
        cl_kernel kernel = kernel_of(program, rows[i].name);
        cl_uint arguments, next = 0;
        OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL));
        for (int k = 0; k < rows[i].buffers; ++k)
            set_buffer(kernel, next++, buffers[k]);
        const float mu = 0.01f;
        if (rows[i].numbers)
            OK(clSetKernelArg(kernel, next++, sizeof mu, &mu));
        for (int k = 0; next < arguments; ++k)
            set_uint(kernel, next++, rows[i].sizes[k]);
        cl_event event;
        OK(clEnqueueTask(queue, kernel, 0, NULL, &event));
        OK(clWaitForEvents(1, &event));
        cl_ulong queued = time_of(event, CL_PROFILING_COMMAND_QUEUED);
        cl_ulong start = time_of(event, CL_PROFILING_COMMAND_START);
        CHECK(queued <= time_of(event, CL_PROFILING_COMMAND_SUBMIT));
        CHECK(time_of(event, CL_PROFILING_COMMAND_SUBMIT) <= start);
        printf("%s %llu\n", rows[i].name,
               (unsigned long long)(time_of(event, CL_PROFILING_COMMAND_END) - start));
        OK(clReleaseEvent(event));
        OK(clReleaseKernel(kernel));
    }
    for (int i = 0; i < 5; ++i)
        OK(clReleaseMemObject(buffers[i]));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
}

/* Tasks of an out-of-order queue that become ready together: the second one reads what the first one writes,
   the third one is independent, the fourth one writes what the second one writes, and the last one what the
   others read. Prints when they run, from the begin of the first one on. */
static void scheduling(void)
{
    enum { TASKS = 5 };
    static const char *names[] = {"vector_add", "vector_max", "vector_dot", "vector_max", "vector_add"};
    cl_program program = program_of(context, NAMES);
    cl_command_queue queue =
        queue_of(context, custom, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    float ones[128];
    for (int i = 0; i < 128; ++i)
        ones[i] = 1;
    cl_mem whole = buffer_of(context, 256, NULL), inputs = buffer_of(context, 128, ones);
    cl_buffer_region low = {0, 512}, high = {512, 512};
    cl_int code;
    cl_mem sum = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &code);
    OK(code);
    cl_mem dot = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &code);
    OK(code);
    cl_mem largest = buffer_of(context, 1, NULL);
    cl_event events[TASKS], gate = clCreateUserEvent(context, &code);
    OK(code);
    for (int i = 0; i < TASKS; ++i) {
        const cl_mem arguments[TASKS][3] = {{inputs, inputs, sum},
                                            {sum, largest},
                                            {inputs, inputs, dot},
                                            {inputs, largest},
                                            {inputs, inputs, inputs}};
        cl_kernel kernel = kernel_of(program, names[i]);
        cl_uint next = 0;
        while (next < 3 && arguments[i][next]) {
            set_buffer(kernel, next, arguments[i][next]);
            ++next;
        }
        set_uint(kernel, next, 40);
        OK(clEnqueueTask(queue, kernel, 1, &gate, &events[i]));
        OK(clReleaseKernel(kernel));
    }
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(queue));
    float found;
    OK(clEnqueueReadBuffer(queue, largest, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL));
    CHECK(found == 1);
    OK(clEnqueueReadBuffer(queue, inputs, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL));
    CHECK(found == 2);
    OK(clEnqueueReadBuffer(queue, dot, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL));
    CHECK(found == 40);
    cl_ulong begin = time_of(events[0], CL_PROFILING_COMMAND_START);
    for (int i = 0; i < TASKS; ++i) {
        cl_ulong start = time_of(events[i], CL_PROFILING_COMMAND_START);
        printf("%s %llu %llu\n", names[i], (unsigned long long)(start - begin),
               (unsigned long long)(time_of(events[i], CL_PROFILING_COMMAND_END) - begin));
        OK(clReleaseEvent(events[i]));
    }
    OK(clReleaseEvent(gate));
    const cl_mem objects[] = {sum, dot, whole, inputs, largest};
    for (int i = 0; i < 5; ++i)
        OK(clReleaseMemObject(objects[i]));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
}

static cl_uint state_of(cl_event event)
{
    cl_uint state;
    OK(clGetEventInfo(event, CL_EVENT_TASK_STATE_MOCL3, sizeof state, &state, NULL));
    return state;
}

/* A kernel that adds vectors of `count` elements. */
static cl_kernel addition(cl_program program, cl_mem a, cl_mem b, cl_mem sum, cl_uint count)
{
    cl_kernel kernel = kernel_of(program, "vector_add");
    set_buffer(kernel, 0, a);
    set_buffer(kernel, 1, b);
    set_buffer(kernel, 2, sum);
    set_uint(kernel, 3, count);
    return kernel;
}

/* cl_mocl3_task_queue: chains and states. */
static void chains(void)
{
    enum { COUNT = 40 };
    clEnqueueTaskChainMOCL3_fn enqueue_chain = (clEnqueueTaskChainMOCL3_fn)
        clGetExtensionFunctionAddressForPlatform(platform, "clEnqueueTaskChainMOCL3");
    CHECK(enqueue_chain != NULL);
    char extensions[1024];
    OK(clGetDeviceInfo(custom, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    CHECK(strstr(extensions, "cl_mocl3_task_queue") != NULL);
    OK(clGetDeviceInfo(clusters[0], CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    CHECK(strstr(extensions, "cl_mocl3_task_queue") == NULL);

    const cl_device_id both[] = {custom, clusters[0]};
    cl_context shared = context_of(2, both);
    cl_command_queue queue =
        queue_of(shared, custom, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_program program = program_of(shared, "vector_add");
    float ones[COUNT], found[COUNT];
    for (int i = 0; i < COUNT; ++i)
        ones[i] = 1;
    cl_mem inputs = buffer_of(shared, COUNT, ones), sums[3];
    for (int i = 0; i < 3; ++i)
        sums[i] = buffer_of(shared, COUNT, NULL);
    cl_kernel kernels[] = {addition(program, inputs, inputs, sums[0], COUNT),
                           addition(program, sums[0], sums[0], sums[1], COUNT),
                           addition(program, sums[1], sums[0], sums[2], COUNT)};

    REFUSED(CL_INVALID_VALUE, enqueue_chain(queue, 0, kernels, 0, 0, NULL, NULL));
    REFUSED(CL_INVALID_VALUE, enqueue_chain(queue, 3, NULL, 0, 0, NULL, NULL));
    REFUSED(CL_INVALID_COMMAND_QUEUE, enqueue_chain(NULL, 3, kernels, 0, 0, NULL, NULL));
    REFUSED(CL_INVALID_EVENT_WAIT_LIST, enqueue_chain(queue, 3, kernels, 0, 1, NULL, NULL));
    const cl_kernel stale[] = {kernels[0], (cl_kernel)queue};
    REFUSED(CL_INVALID_KERNEL, enqueue_chain(queue, 2, stale, 0, 0, NULL, NULL));
    const cl_kernel unset[] = {kernels[0], kernel_of(program, "vector_add")};
    REFUSED(CL_INVALID_KERNEL_ARGS, enqueue_chain(queue, 2, unset, 0, 0, NULL, NULL));
    OK(clReleaseKernel(unset[1]));
    cl_command_queue cluster = queue_of(shared, clusters[0], 0);
    REFUSED(CL_INVALID_PROGRAM_EXECUTABLE, enqueue_chain(cluster, 3, kernels, 0, 0, NULL, NULL));
    const char *source = "kernel void nothing(void) {}";
    cl_int code;
    cl_program compiled = clCreateProgramWithSource(shared, 1, &source, NULL, &code);
    OK(code);
    OK(clBuildProgram(compiled, 1, &clusters[0], "", NULL, NULL));
    cl_kernel nothing = kernel_of(compiled, "nothing");
    REFUSED(CL_INVALID_OPERATION, enqueue_chain(cluster, 1, &nothing, 0, 0, NULL, NULL));

    cl_event gate = clCreateUserEvent(shared, &code), last, read;
    OK(code);
    cl_uint state;
    REFUSED(CL_INVALID_VALUE, clGetEventInfo(gate, CL_EVENT_TASK_STATE_MOCL3, sizeof state, &state, NULL));
    OK(enqueue_chain(queue, 3, kernels, 7, 1, &gate, &last));
    CHECK(state_of(last) == CL_TASK_NOT_EXECUTING_MOCL3);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clEnqueueReadBuffer(queue, sums[2], CL_TRUE, 0, sizeof found, found, 1, &last, &read));
    for (int i = 0; i < COUNT; ++i)
        CHECK(found[i] == 6);
    CHECK(state_of(last) == CL_TASK_EXECUTED_MOCL3);
    REFUSED(CL_INVALID_VALUE, clGetEventInfo(read, CL_EVENT_TASK_STATE_MOCL3, sizeof state, &state, NULL));
    printf("chain %llu\n", (unsigned long long)(time_of(last, CL_PROFILING_COMMAND_END) -
                                                time_of(last, CL_PROFILING_COMMAND_START)));
    cl_ulong counters[64];
    OK(clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_MOCL3, sizeof counters,
                               counters, NULL));
    CHECK(counters[0] == 131);
    OK(clReleaseEvent(read));
    OK(clReleaseEvent(last));

    /* The first task of the chain fails with the event; so do the others. */
    cl_event failing = clCreateUserEvent(shared, &code);
    OK(code);
    OK(enqueue_chain(queue, 3, kernels, 0, 1, &failing, &last));
    OK(clSetUserEventStatus(failing, -1));
    REFUSED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &last));
    REFUSED(CL_INVALID_OPERATION, clGetEventInfo(last, CL_EVENT_TASK_STATE_MOCL3, sizeof state, &state, NULL));
    OK(clReleaseEvent(last));
    OK(clReleaseEvent(failing));
    OK(clReleaseEvent(gate));

    for (int i = 0; i < 3; ++i) {
        OK(clReleaseKernel(kernels[i]));
        OK(clReleaseMemObject(sums[i]));
    }
    OK(clReleaseMemObject(inputs));
    OK(clReleaseKernel(nothing));
    OK(clReleaseProgram(compiled));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(cluster));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(shared));
}

/* A task whose memory has been unmapped fails, and no other one. */
static void bad_addresses(void)
{
    enum { PAGE = 4096, COUNT = PAGE / sizeof(float) };
    cl_command_queue queue =
        queue_of(context, custom, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_program program = program_of(context, "vector_add");
    float ones[COUNT], found[COUNT];
    for (int i = 0; i < COUNT; ++i)
        ones[i] = 1;
    char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    cl_int code;
    cl_mem inputs = buffer_of(context, COUNT, ones), sums[] = {buffer_of(context, COUNT, NULL),
                                                              buffer_of(context, COUNT, NULL)};
    cl_mem unmapped = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, PAGE, pages, &code);
    OK(code);
    cl_kernel kernels[] = {addition(program, inputs, unmapped, sums[0], COUNT),
                           addition(program, inputs, inputs, unmapped, COUNT),
                           addition(program, inputs, inputs, sums[1], COUNT)};
    CHECK(munmap(pages, 2 * PAGE) == 0);
    for (int i = 0; i < 3; ++i) {
        cl_event event;
        OK(clEnqueueTask(queue, kernels[i], 0, NULL, &event));
        cl_int status = clWaitForEvents(1, &event);
        CHECK(status == (i < 2 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS));
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        CHECK(status == (i < 2 ? CL_OUT_OF_RESOURCES : CL_COMPLETE));
        OK(clReleaseEvent(event));
        OK(clReleaseKernel(kernels[i]));
    }
    OK(clEnqueueReadBuffer(queue, sums[1], CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    for (int i = 0; i < COUNT; ++i)
        CHECK(found[i] == 2);
    OK(clReleaseMemObject(unmapped));
    OK(clReleaseMemObject(sums[0]));
    OK(clReleaseMemObject(sums[1]));
    OK(clReleaseMemObject(inputs));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    set_up();
    if (!strcmp(part, "queries"))
        queries();
    else if (!strcmp(part, "errors"))
        errors();
    else if (!strcmp(part, "in_order"))
        migrations(CL_QUEUE_PROFILING_ENABLE);
    else if (!strcmp(part, "out_of_order"))
        migrations(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    else if (!strcmp(part, "scheduling"))
        scheduling();
    else if (!strcmp(part, "chains"))
        chains();
    else if (!strcmp(part, "bad_addresses"))
        bad_addresses();
    else
        times();
    OK(clReleaseContext(context));
    return 0;
}
