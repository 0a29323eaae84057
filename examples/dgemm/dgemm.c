/* Multiplies two matrices of doubles on an OpenCL 1.2 device and checks the result.
 *
 *   cc -O2 -o dgemm dgemm.c -lOpenCL -lm
 *   ./dgemm [size [platform [kernel-file]]]
 *
 * size: rows and columns of the matrices (1024). platform: part of the name of the
 * OpenCL platform to use (the first one). kernel-file: dgemm.cl. */

#define CL_TARGET_OPENCL_VERSION 120
#define _POSIX_C_SOURCE 200809L

#include <CL/cl.h>

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The tiling, see dgemm.cl. Both pairs of tiles take the 32 KiB of local memory
 * that each OpenCL device has at least. */
enum { BLOCK = 64, DEPTH = 16, ROWS = 8 };

/* Timed runs, after one that is not timed. */
enum { RUNS = 7 };

/* The check computes CHECKED_ROWS rows of C in full, and compares C x with A (B x)
 * for CHECK_VECTORS random vectors x, which covers every element. */
enum { CHECKED_ROWS = 32, CHECK_VECTORS = 4 };

static void fail(const char *what, cl_int code)
{
    fprintf(stderr, "dgemm: %s failed with OpenCL error %d\n", what, (int)code);
    exit(EXIT_FAILURE);
}

#define CHECK(call)                 \
    do {                            \
        cl_int code_ = (call);      \
        if (code_ != CL_SUCCESS)    \
            fail(#call, code_);     \
    } while (0)

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "dgemm: not enough memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t random_state = 0x9E3779B97F4A7C15u;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Uniform in [-1, 1). */
static double random_double(void)
{
    return (double)(random_bits() >> 11) * 0x1p-52 - 1.0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    long length;
    char *text;
    if (file == NULL) {
        fprintf(stderr, "dgemm: cannot read the kernel file %s\n", path);
        exit(EXIT_FAILURE);
    }
    length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    text = allocate(length < 0 ? 1 : (size_t)length + 1, 1);
    if (length < 0 || fread(text, 1, (size_t)length, file) != (size_t)length) {
        fprintf(stderr, "dgemm: cannot read the kernel file %s\n", path);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    return text;
}

static char *platform_name(cl_platform_id platform)
{
    size_t length;
    char *name;
    CHECK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, NULL, &length));
    name = allocate(length, 1);
    CHECK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, length, name, NULL));
    return name;
}

/* The first platform whose name contains `filter`. */
static cl_platform_id find_platform(const char *filter)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int code = clGetPlatformIDs(16, platforms, &count);
    if (code != CL_SUCCESS || count == 0) {
        fprintf(stderr, "dgemm: no OpenCL platform found (code %d)\n", (int)code);
        exit(EXIT_FAILURE);
    }
    if (count > 16)
        count = 16;
    for (cl_uint i = 0; i < count; ++i) {
        char *name = platform_name(platforms[i]);
        int found = strstr(name, filter) != NULL;
        free(name);
        if (found)
            return platforms[i];
    }
    fprintf(stderr, "dgemm: no OpenCL platform has \"%s\" in its name; there are:\n", filter);
    for (cl_uint i = 0; i < count; ++i)
        fprintf(stderr, "  %s\n", platform_name(platforms[i]));
    exit(EXIT_FAILURE);
}

/* Largest error of C relative to |A| |B|, which rounding alone keeps under n * epsilon.
 * Of each matrix n rows and columns are looked at; a row has `stride` elements. */
static double error_in_rows(size_t n, size_t stride, const double *a, const double *b,
                            const double *c)
{
    long double *row = allocate(n, sizeof *row);
    double *magnitude = allocate(n, sizeof *magnitude);
    double worst = 0.0;
    size_t rows = n < CHECKED_ROWS ? n : CHECKED_ROWS;
    for (size_t r = 0; r < rows; ++r) {
        /* Spread over the matrix, the first and the last row among them. */
        size_t i = rows > 1 ? r * (n - 1) / (rows - 1) : 0;
        for (size_t j = 0; j < n; ++j) {
            row[j] = 0;
            magnitude[j] = 0;
        }
        for (size_t k = 0; k < n; ++k) {
            double left = a[i * stride + k];
            for (size_t j = 0; j < n; ++j) {
                row[j] += (long double)left * b[k * stride + j];
                magnitude[j] += fabs(left * b[k * stride + j]);
            }
        }
        for (size_t j = 0; j < n; ++j) {
            double error = fabs((double)(c[i * stride + j] - row[j]));
            if (isnan(error) || error > magnitude[j] * worst)
                worst = isnan(error) ? INFINITY : error / magnitude[j];
        }
    }
    free(row);
    free(magnitude);
    return worst;
}

/* The same measure for C x against A (B x), x random signs (Freivalds). */
static double error_in_products(size_t n, size_t stride, const double *a, const double *b,
                                const double *c)
{
    long double *bx = allocate(n, sizeof *bx);
    double *b_magnitude = allocate(n, sizeof *b_magnitude);
    double *x = allocate(n, sizeof *x);
    double worst = 0.0;
    for (int vector = 0; vector < CHECK_VECTORS; ++vector) {
        for (size_t j = 0; j < n; ++j)
            x[j] = random_bits() >> 63 ? 1.0 : -1.0;
        for (size_t i = 0; i < n; ++i) {
            bx[i] = 0;
            b_magnitude[i] = 0;
            for (size_t j = 0; j < n; ++j) {
                bx[i] += (long double)b[i * stride + j] * x[j];
                b_magnitude[i] += fabs(b[i * stride + j]);
            }
        }
        for (size_t i = 0; i < n; ++i) {
            long double expected = 0, got = 0;
            double magnitude = 0, error;
            for (size_t k = 0; k < n; ++k) {
                expected += a[i * stride + k] * bx[k];
                magnitude += fabs(a[i * stride + k]) * b_magnitude[k];
                got += (long double)c[i * stride + k] * x[k];
            }
            error = fabs((double)(got - expected));
            if (isnan(error) || error > magnitude * worst)
                worst = isnan(error) ? INFINITY : error / magnitude;
        }
    }
    free(bx);
    free(b_magnitude);
    free(x);
    return worst;
}

int main(int argc, char **argv)
{
    const char *size_text = argc > 1 ? argv[1] : "1024";
    const char *filter = argc > 2 ? argv[2] : "";
    const char *kernel_file = argc > 3 ? argv[3] : "dgemm.cl";
    char *end;
    long size = strtol(size_text, &end, 10);
    if (*end != '\0' || size < 1 || size > 32768 || argc > 4) {
        fprintf(stderr, "usage: %s [size (1 to 32768) [platform [kernel-file]]]\n", argv[0]);
        return EXIT_FAILURE;
    }

    /* Matrices are padded with zeros to whole tiles, which changes no result. */
    const size_t n = (size_t)size;
    const size_t stride = (n + BLOCK - 1) / BLOCK * BLOCK;
    const size_t bytes = stride * stride * sizeof(double);

    cl_platform_id platform = find_platform(filter);
    cl_device_id device;
    cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (code != CL_SUCCESS)
        fail("clGetDeviceIDs", code);

    char device_name[256];
    cl_ulong local_memory;
    cl_device_fp_config doubles = 0;
    size_t work_group = 0;
    CHECK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof device_name, device_name, NULL));
    CHECK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_memory, &local_memory,
                          NULL));
    CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof work_group, &work_group,
                          NULL));
    CHECK(clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL));
    char *name = platform_name(platform);
    printf("platform  %s\n", name);
    printf("device    %s\n", device_name);
    free(name);
    if (doubles == 0 || work_group < BLOCK / 4 * BLOCK / ROWS ||
        local_memory < 4 * BLOCK * DEPTH * sizeof(double)) {
        fprintf(stderr, "dgemm: the device lacks double precision, work-groups of %d "
                        "work-items or %zu bytes of local memory\n",
                BLOCK / 4 * BLOCK / ROWS, 4 * BLOCK * DEPTH * sizeof(double));
        return EXIT_FAILURE;
    }

    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)platform, 0};
    cl_context context = clCreateContext(properties, 1, &device, NULL, NULL, &code);
    CHECK(code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    CHECK(code);

    char *source = read_file(kernel_file);
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &code);
    CHECK(code);
    char options[128];
    snprintf(options, sizeof options, "-DBLOCK=%d -DDEPTH=%d -DROWS=%d", BLOCK, DEPTH, ROWS);
    double build_start = seconds();
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        size_t length = 0;
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
        char *log = allocate(length + 1, 1);
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, length, log, NULL);
        fprintf(stderr, "%s\n", log);
        fail("clBuildProgram", code);
    }
    double build = seconds() - build_start;
    cl_kernel kernel = clCreateKernel(program, "dgemm", &code);
    CHECK(code);

    double *a = allocate(stride * stride, sizeof *a);
    double *b = allocate(stride * stride, sizeof *b);
    double *c = allocate(stride * stride, sizeof *c);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            a[i * stride + j] = random_double();
            b[i * stride + j] = random_double();
        }

    cl_mem a_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &code);
    CHECK(code);
    cl_mem b_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &code);
    CHECK(code);
    cl_mem c_buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &code);
    CHECK(code);
    CHECK(clEnqueueWriteBuffer(queue, a_buffer, CL_FALSE, 0, bytes, a, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(queue, b_buffer, CL_FALSE, 0, bytes, b, 0, NULL, NULL));
    /* What the kernel leaves out must be seen: a NaN fails the check. */
    memset(c, 0xFF, bytes);
    CHECK(clEnqueueWriteBuffer(queue, c_buffer, CL_FALSE, 0, bytes, c, 0, NULL, NULL));

    const cl_uint n_argument = (cl_uint)stride;
    CHECK(clSetKernelArg(kernel, 0, sizeof n_argument, &n_argument));
    CHECK(clSetKernelArg(kernel, 1, sizeof a_buffer, &a_buffer));
    CHECK(clSetKernelArg(kernel, 2, sizeof b_buffer, &b_buffer));
    CHECK(clSetKernelArg(kernel, 3, sizeof c_buffer, &c_buffer));
    CHECK(clFinish(queue));

    const size_t local[2] = {BLOCK / 4, BLOCK / ROWS};
    const size_t global[2] = {stride / 4, stride / ROWS};
    double times[RUNS];
    for (int run = -1; run < RUNS; ++run) {
        double start = seconds();
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
        CHECK(clFinish(queue));
        if (run >= 0)
            times[run] = seconds() - start;
    }
    qsort(times, RUNS, sizeof times[0], by_value);
    const double median = times[RUNS / 2];

    CHECK(clEnqueueReadBuffer(queue, c_buffer, CL_TRUE, 0, bytes, c, 0, NULL, NULL));

    printf("size      %zu x %zu, double precision\n", n, n);
    printf("build     %.1f ms\n", 1e3 * build);
    printf("time      %.2f ms (median of %d, from enqueue to finish; host clock)\n",
           1e3 * median, RUNS);
    printf("rate      %.2f GFLOP/s\n", 2e-9 * (double)n * (double)n * (double)n / median);

    const double allowed = (double)n * DBL_EPSILON;
    const double rows = error_in_rows(n, stride, a, b, c);
    const double products = error_in_products(n, stride, a, b, c);
    const int right = rows <= allowed && products <= allowed;
    printf("check     %s: relative error %.2g in %zu rows computed by the host, %.2g in "
           "C x against A (B x); rounding allows %.2g\n",
           right ? "passed" : "FAILED", rows, n < CHECKED_ROWS ? n : (size_t)CHECKED_ROWS,
           products, allowed);

    free(a);
    free(b);
    free(c);
    free(source);
    CHECK(clReleaseMemObject(a_buffer));
    CHECK(clReleaseMemObject(b_buffer));
    CHECK(clReleaseMemObject(c_buffer));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
