/* The vendor's library on a cluster: its kernels, and what it refuses. The argument names the part to run;
   `times` prints a line for each launch. */
#include "ok.h"
#include <math.h>
#include <string.h>
#include <sys/mman.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void set_up(void)
{
    cl_platform_id platform;
    cl_int code;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    OK(code);
}

static cl_kernel kernel_of(const char *name)
{
    cl_int code;
    cl_program program = clCreateProgramWithBuiltInKernels(context, 1, &device, name, &code);
    OK(code);
    cl_kernel kernel = clCreateKernel(program, name, &code);
    OK(code);
    OK(clReleaseProgram(program));
    return kernel;
}

static cl_mem buffer_of(size_t bytes, const void *content)
{
    cl_int code;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (content ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem memory = clCreateBuffer(context, flags, bytes, (void *)content, &code);
    OK(code);
    return memory;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    OK(clSetKernelArg(kernel, index, size, value));
}

static void set_uint(cl_kernel kernel, cl_uint index, cl_uint value)
{
    set(kernel, index, sizeof value, &value);
}

static void set_int(cl_kernel kernel, cl_uint index, cl_int value)
{
    set(kernel, index, sizeof value, &value);
}

static void set_double(cl_kernel kernel, cl_uint index, cl_double value)
{
    set(kernel, index, sizeof value, &value);
}

static void set_buffer(cl_kernel kernel, cl_uint index, cl_mem value)
{
    set(kernel, index, sizeof value, &value);
}

static void queries(void)
{
    size_t size, global[3];
    OK(clGetDeviceInfo(device, CL_DEVICE_BUILT_IN_KERNELS, 0, NULL, &size));
    char *names = malloc(size);
    CHECK(names != NULL);
    OK(clGetDeviceInfo(device, CL_DEVICE_BUILT_IN_KERNELS, size, names, NULL));
    CHECK(strstr(names, ";dgemm;") != NULL && strstr(names, ";vd_sin;") != NULL && strstr(names, ";zfft;") != NULL);
    free(names);
    cl_kernel gemm = kernel_of("dgemm");
    cl_uint count;
    OK(clGetKernelInfo(gemm, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    CHECK(count == 13);
    char type[16], name[16];
    OK(clGetKernelArgInfo(gemm, 6, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
    OK(clGetKernelArgInfo(gemm, 6, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
    CHECK(strcmp(type, "double*") == 0 && strcmp(name, "a") == 0);
    cl_kernel_arg_type_qualifier qualifier;
    OK(clGetKernelArgInfo(gemm, 6, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
    CHECK(qualifier == CL_KERNEL_ARG_TYPE_CONST);
    OK(clGetKernelWorkGroupInfo(gemm, device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof global, global, NULL));
    CHECK(global[0] == 1 && global[1] == 1 && global[2] == 1);
    OK(clReleaseKernel(gemm));
}

static void fill_gemm(cl_kernel gemm, cl_uint n, cl_mem a, cl_mem b, cl_mem c)
{
    set_uint(gemm, 0, 0), set_uint(gemm, 1, 0);
    set_uint(gemm, 2, n), set_uint(gemm, 3, n), set_uint(gemm, 4, n);
    set_double(gemm, 5, 1.0);
    set_buffer(gemm, 6, a), set_uint(gemm, 7, n);
    set_buffer(gemm, 8, b), set_uint(gemm, 9, n);
    set_double(gemm, 10, 0.0);
    set_buffer(gemm, 11, c), set_uint(gemm, 12, n);
}

static void errors(void)
{
    enum { N = 8 };
    cl_int code;
    cl_kernel gemm = kernel_of("dgemm");
    cl_mem square = buffer_of(N * N * sizeof(double), NULL), c = buffer_of(N * N * sizeof(double), NULL);
    cl_mem small = buffer_of((N * N - 1) * sizeof(double), NULL);
    REFUSED(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, gemm, 0, NULL, NULL));
    fill_gemm(gemm, N, square, square, c);
    OK(clEnqueueTask(queue, gemm, 0, NULL, NULL));

    cl_uint two = 2, less = N - 1;
    cl_float half = 0.5f;
    REFUSED(CL_INVALID_ARG_VALUE, clSetKernelArg(gemm, 0, sizeof two, &two));
    REFUSED(CL_INVALID_ARG_SIZE, clSetKernelArg(gemm, 5, sizeof half, &half));
    REFUSED(CL_INVALID_ARG_INDEX, clSetKernelArg(gemm, 13, sizeof two, &two));
    set_buffer(gemm, 8, small);
    REFUSED(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, gemm, 0, NULL, NULL));
    set_buffer(gemm, 8, square);
    set(gemm, 12, sizeof less, &less);
    REFUSED(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, gemm, 0, NULL, NULL));
    set_uint(gemm, 12, N);
    size_t items = 2, one = 1;
    REFUSED(CL_INVALID_GLOBAL_WORK_SIZE, clEnqueueNDRangeKernel(queue, gemm, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, gemm, 1, NULL, &one, NULL, 0, NULL, NULL));
    cl_program program = clCreateProgramWithBuiltInKernels(context, 1, &device, "dgemm;zgemm", &code);
    CHECK(program == NULL);
    REFUSED(CL_INVALID_VALUE, code);

    /* A column that the matrix does not have fails its launch alone. */
    const double values[] = {1, 2}, x[] = {10, 20};
    const cl_int places[] = {0, 2}, starts[] = {0, 1, 2};
    cl_kernel sparse = kernel_of("dcsrmv");
    cl_mem y = buffer_of(sizeof x, x);
    set_uint(sparse, 0, 2), set_uint(sparse, 1, 2), set_uint(sparse, 2, 2);
    set_double(sparse, 3, 1.0);
    cl_mem of_sparse[] = {buffer_of(sizeof values, values), buffer_of(sizeof places, places),
                          buffer_of(sizeof starts, starts), buffer_of(sizeof x, x)};
    for (cl_uint k = 0; k < 4; k++)
        set_buffer(sparse, 4 + k, of_sparse[k]);
    set_double(sparse, 8, 0.0), set_buffer(sparse, 9, y);
    cl_event failed;
    OK(clEnqueueTask(queue, sparse, 0, NULL, &failed));
    OK(clFinish(queue));
    OK(clGetEventInfo(failed, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof code, &code, NULL));
    CHECK(code == CL_OUT_OF_RESOURCES);
    OK(clReleaseEvent(failed));

    /* So does memory that the program has unmapped. */
    void *memory = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    cl_mem unmapped = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 1 << 16, memory, &code);
    OK(code);
    CHECK(munmap(memory, 1 << 16) == 0);
    cl_kernel scale = kernel_of("dscal");
    set_uint(scale, 0, 100), set_double(scale, 1, 2.0), set_buffer(scale, 2, unmapped), set_int(scale, 3, 1);
    OK(clEnqueueTask(queue, scale, 0, NULL, &failed));
    OK(clFinish(queue));
    OK(clGetEventInfo(failed, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof code, &code, NULL));
    CHECK(code == CL_OUT_OF_RESOURCES);
    OK(clReleaseEvent(failed));
    OK(clEnqueueTask(queue, gemm, 0, NULL, NULL));
    OK(clFinish(queue));
    cl_mem all[] = {square, c, small, y, unmapped};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        OK(clReleaseMemObject(all[k]));
    for (cl_uint k = 0; k < 4; k++)
        OK(clReleaseMemObject(of_sparse[k]));
    OK(clReleaseKernel(scale));
    OK(clReleaseKernel(sparse));
    OK(clReleaseKernel(gemm));
}

static cl_ulong duration_of(cl_command_queue on, cl_kernel kernel)
{
    cl_event event;
    cl_ulong start, end;
    OK(clEnqueueTask(on, kernel, 0, NULL, &event));
    OK(clFinish(on));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    OK(clReleaseEvent(event));
    return end - start;
}

/* A product on all arrays and on some of them, whose results are equal. */
static void times(void)
{
    enum { N = 512 };
    const size_t bytes = N * N * sizeof(double);
    double *a = malloc(bytes), *results[2] = {malloc(bytes), malloc(bytes)};
    CHECK(a && results[0] && results[1]);
    for (size_t k = 0; k < N * N; k++)
        a[k] = (double)(k % 7) - 3;
    cl_device_id parts[1];
    const cl_device_partition_property six[] = {CL_DEVICE_PARTITION_BY_COUNTS, 6, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    OK(clCreateSubDevices(device, six, 1, parts, NULL));
    cl_int code;
    cl_command_queue on_part = clCreateCommandQueue(context, parts[0], CL_QUEUE_PROFILING_ENABLE, &code);
    REFUSED(CL_INVALID_DEVICE, code);
    const cl_device_id both[] = {device, parts[0]};
    clReleaseCommandQueue(queue), clReleaseContext(context);
    context = clCreateContext(NULL, 2, both, NULL, NULL, &code);
    OK(code);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    OK(code);
    on_part = clCreateCommandQueue(context, parts[0], CL_QUEUE_PROFILING_ENABLE, &code);
    OK(code);
    cl_kernel gemm = kernel_of("dgemm");
    cl_mem matrix = buffer_of(bytes, a), result = buffer_of(bytes, NULL);
    fill_gemm(gemm, N, matrix, matrix, result);
    cl_command_queue queues[] = {queue, on_part};
    for (int k = 0; k < 2; k++) {
        duration_of(queues[k], gemm);
        printf("%llu\n", (unsigned long long)duration_of(queues[k], gemm));
        OK(clEnqueueReadBuffer(queues[k], result, CL_TRUE, 0, bytes, results[k], 0, NULL, NULL));
    }
    CHECK(memcmp(results[0], results[1], bytes) == 0);
    for (int row = 0; row < N; row += 37) {
        double sum = 0;
        for (int k = 0; k < N; k++)
            sum += a[k * N + row] * a[row * N + k];
        CHECK(results[0][row * N + row] == sum);
    }
    OK(clReleaseMemObject(matrix));
    OK(clReleaseMemObject(result));
    OK(clReleaseKernel(gemm));
    OK(clReleaseCommandQueue(on_part));
    OK(clReleaseDevice(parts[0]));
    free(a), free(results[0]), free(results[1]);
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    set_up();
    if (strcmp(arguments[1], "queries") == 0)
        queries();
    else if (strcmp(arguments[1], "errors") == 0)
        errors();
    else if (strcmp(arguments[1], "times") == 0)
        times();
    else
        CHECK(!"a part");
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    return EXIT_SUCCESS;
}
