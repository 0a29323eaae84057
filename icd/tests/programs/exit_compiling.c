/* Ends while programs are compiled: exit_compiling WHAT HOW MICROSECONDS. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS = 8, THREADS = 2, KERNELS = 12 };

static cl_context context;
static cl_device_id device;
static const char *how;

#define OK(call)                                                                         \
    do {                                                                                 \
        cl_int code_ = (call);                                                           \
        if (code_ != CL_SUCCESS) {                                                       \
            fprintf(stderr, "%s: %d\n", #call, code_);                                   \
            _exit(1);                                                                    \
        }                                                                                \
    } while (0)

static int is(const char *word, const char *other)
{
    return strcmp(word, other) == 0;
}

static cl_program program(int number)
{
    static const char *body =
        "kernel void k%d_%d(global float *x) {\n"
        "    for (int i = 0; i < 100; i++) x[i] = sin(x[i]) * pow(x[i + 1], x[i + 2]);\n"
        "}\n";
    char text[KERNELS * 256], *end = text;
    const char *source = text;
    cl_int code;
    for (int kernel = 0; kernel < KERNELS; ++kernel)
        end += sprintf(end, body, number, kernel);
    cl_program made = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    return made;
}

static void CL_CALLBACK built(cl_program which, void *data)
{
    (void)which;
    (void)data;
    if (is(how, "callback"))
        exit(0);
}

/* Its calls may fail, since the process ends meanwhile. */
static void *build_and_launch(void *data)
{
    cl_int code;
    cl_kernel kernels[KERNELS];
    cl_program made = program(*(int *)data);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &code);
    OK(code);
    if (clBuildProgram(made, 0, NULL, "", NULL, NULL) != CL_SUCCESS)
        return NULL;
    OK(clCreateKernelsInProgram(made, KERNELS, kernels, NULL));
    for (int i = 0; i < KERNELS; ++i) {
        size_t one = 1;
        OK(clSetKernelArg(kernels[i], 0, sizeof buffer, &buffer));
        code = clEnqueueNDRangeKernel(queue, kernels[i], 1, NULL, &one, &one, 0, NULL, NULL);
        if (code != CL_SUCCESS || clFinish(queue) != CL_SUCCESS)
            return NULL;
    }
    return NULL;
}

static void *end_soon(void *data)
{
    usleep(*(unsigned *)data);
    exit(0);
}

int main(int argc, char **argv)
{
    static int numbers[THREADS];
    static unsigned microseconds;
    cl_platform_id platform;
    cl_int code;
    pthread_t thread;
    if (argc != 4)
        return 2;
    how = argv[2];
    microseconds = atoi(argv[3]);
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    if (is(argv[1], "asynchronous"))
        for (int i = 0; i < PROGRAMS; ++i)
            OK(clBuildProgram(program(i), 0, NULL, "", built, NULL));
    if (is(argv[1], "synchronous"))
        for (int i = 0; i < THREADS; ++i) {
            numbers[i] = i;
            pthread_create(&thread, NULL, build_and_launch, &numbers[i]);
        }
    if (is(how, "thread"))
        pthread_create(&thread, NULL, end_soon, &microseconds);
    if (is(how, "main_thread_first")) {
        pthread_create(&thread, NULL, end_soon, &microseconds);
        pthread_exit(NULL);
    }
    if (is(how, "thread") || is(how, "callback"))
        pause();
    usleep(microseconds);
    if (is(how, "quick_exit"))
        quick_exit(0);
    if (is(how, "_exit"))
        _exit(0);
    return 0;
}
