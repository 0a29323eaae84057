// Smooths an image with the kernel of a file and compares the result with the host's.
//
//     ./smooth KERNEL.cl [ROWS]
//
// Each work-item computes ROWS pixels of a column, 1 if not given; the kernel is built with -DROWS.
// The work-group's size is the one that the kernel requires by reqd_work_group_size.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 2048, HEIGHT = 2048, BORDER = 2, PITCH = WIDTH + 2 * BORDER };

static const float WEIGHT[5] = {1 / 16.f, 4 / 16.f, 6 / 16.f, 4 / 16.f, 1 / 16.f};

static void check(cl_int error, const char *call) {
    if (error != CL_SUCCESS) {
        fprintf(stderr, "%s: error %d\n", call, error);
        exit(1);
    }
}

static char *text_of(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(size + 1, 1);
    if (fread(text, 1, size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return text;
}

int main(int count, char **arguments) {
    if (count < 2) {
        fprintf(stderr, "usage: %s KERNEL.cl [ROWS]\n", arguments[0]);
        return 1;
    }
    int rows = count > 2 ? atoi(arguments[2]) : 1;
    char *source = text_of(arguments[1]);

    // The input has a border of two pixels, so that kernels need no conditions at the edges.
    size_t in_size = sizeof(float) * PITCH * (HEIGHT + 2 * BORDER);
    size_t out_size = sizeof(float) * WIDTH * HEIGHT;
    float *in = malloc(in_size), *out = malloc(out_size);
    for (size_t i = 0; i < in_size / sizeof(float); i++)
        in[i] = (float)(i * 2654435761u % 1024) / 1024;

    cl_int error;
    cl_platform_id platform;
    cl_device_id device;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    check(error, "clCreateCommandQueue");
    cl_mem from = clCreateBuffer(context, CL_MEM_READ_ONLY, in_size, NULL, &error);
    check(error, "clCreateBuffer");
    cl_mem to = clCreateBuffer(context, CL_MEM_WRITE_ONLY, out_size, NULL, &error);
    check(error, "clCreateBuffer");

    cl_program program =
        clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    char options[32];
    snprintf(options, sizeof options, "-DROWS=%d", rows);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        char log[16384] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fputs(log, stderr);
        return 1;
    }
    cl_kernel kernel = clCreateKernel(program, "smooth", &error);
    check(error, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof from, &from), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof to, &to), "clSetKernelArg");
    cl_int pitch = PITCH;
    check(clSetKernelArg(kernel, 2, sizeof pitch, &pitch), "clSetKernelArg");

    check(clEnqueueWriteBuffer(queue, from, CL_TRUE, 0, in_size, in, 0, NULL, NULL),
          "clEnqueueWriteBuffer");
    size_t global[2] = {WIDTH, HEIGHT / rows};
    check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, out_size, out, 0, NULL, NULL),
          "clEnqueueReadBuffer");

    for (int y = 0; y < HEIGHT; y += 31)
        for (int x = 0; x < WIDTH; x++) {
            double sum = 0;
            for (int dy = 0; dy < 5; dy++)
                for (int dx = 0; dx < 5; dx++)
                    sum += (double)WEIGHT[dy] * WEIGHT[dx] * in[(y + dy) * PITCH + x + dx];
            if (fabs(sum - out[y * WIDTH + x]) > 1e-5) {
                fprintf(stderr, "wrong at %d, %d: %g instead of %g\n", x, y,
                        out[y * WIDTH + x], sum);
                return 1;
            }
        }
    puts("the result is right");
    return 0;
}
