// Kernels, builds, image commands and native kernels ran with the host program's rounding, traps
// and treatment of subnormal numbers, and left their exception flags behind. The main thread waits
// and so runs commands itself; several others do at the same time.
// fixed by: de18bc1
// only on: MOCL3
// options: -ffast-math
// prints: 0.5 0 2 1.0
// prints: 0.5 0 2 1.0
// prints: 0.5 0 2 1.0
// prints: 0.5 0 2 1.0
// prints: 0.5 0 2 1.0
// prints: 0.5 0 2 1.0
// prints: 0.5 0 2 1.0

#define _GNU_SOURCE
#include "common.h"
#include <fenv.h>
#include <pthread.h>
#include <string.h>
#include <xmmintrin.h>

#define EXPECT(condition)                                                       \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "%s: %s\n", environment->name, #condition);         \
            abort();                                                            \
        }                                                                       \
    } while (0)

enum { FLUSH = 0x8040, ITEMS = 4096, VALUES = 5, THREADS = 4 };

struct environment {
    const char *name;
    int rounding;
    unsigned flush;
    int traps;
};

static const struct environment environments[] = {
    {"nearest", FE_TONEAREST, 0, 0},
    {"upward", FE_UPWARD, 0, 0},
    {"downward", FE_DOWNWARD, 0, 0},
    {"toward zero", FE_TOWARDZERO, 0, 0},
    {"flush to zero", FE_TONEAREST, FLUSH, 0},
    {"traps", FE_TONEAREST, 0, FE_ALL_EXCEPT},
    {"all of it", FE_UPWARD, FLUSH, FE_ALL_EXCEPT},
};

static const char *source =
    "kernel void k(global float *out, constant float *in) {"
    "  size_t i = get_global_id(0) * 5;"
    "  out[i] = in[0] * 0.5f;"
    "  out[i + 1] = in[1] / in[2];"
    "  out[i + 2] = in[3] + in[4];"
    "  out[i + 3] = exp(in[1] / in[2]) + sin(in[2]);"
    "  out[i + 4] = in[1] / in[5];"
    "}"
    "kernel void sets_mxcsr(global int *x) { __builtin_ia32_ldmxcsr(0xffc0); }"
    "kernel void prints(float x) {"
    "  printf(\"%.1f %.0f %.0f %.1f\\n\", x, x, x + 1.5f, x * 2);"
    "}";
static const float inputs[6] = {1.1754944e-38f, 1, 3, 1e8f, 3.3f, 0};
static cl_mem input;
static float expected[VALUES], folded;
static unsigned color;

static void enter(const struct environment *environment)
{
    fedisableexcept(FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(environment->rounding);
    _mm_setcsr((_mm_getcsr() & ~FLUSH) | environment->flush);
    feenableexcept(environment->traps);
}

/* An environment is the program's after a call, and no flag has been raised. */
static void check(const struct environment *environment)
{
    EXPECT(fetestexcept(FE_ALL_EXCEPT) == 0);
    EXPECT(fegetround() == environment->rounding);
    EXPECT((_mm_getcsr() & FLUSH) == environment->flush);
    EXPECT(fegetexcept() == environment->traps);
}

static cl_kernel made(const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    OK(code);
    return kernel;
}

static void run_kernel(cl_command_queue queue, size_t items, float *values)
{
    cl_int code;
    cl_kernel kernel = made("k");
    cl_mem out = clCreateBuffer(context, 0, items * VALUES * 4, NULL, &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    OK(clSetKernelArg(kernel, 1, sizeof input, &input));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, items * VALUES * 4, values, 0, NULL, NULL));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
}

/* Constants of the source are folded. */
static float run_folded(int number)
{
    char text[200];
    const char *lines = text;
    float result;
    cl_int code;
    snprintf(text, sizeof text,
             "kernel void f(global float *x) { *x = 1.0f / 3.0f + exp(0.3f) + 1e-40f; } // %d",
             number);
    cl_program program = clCreateProgramWithSource(context, 1, &lines, NULL, &code);
    OK(code);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "f", &code);
    OK(code);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &result, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    return result;
}

/* A colour is converted, and read by the host. */
static unsigned run_image(void)
{
    cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, 4, 4};
    cl_int code;
    const cl_float pixel[4] = {0.1001f, 0.4999f, 0.7f, 1e-42f};
    const size_t origin[3] = {0, 0, 0}, region[3] = {4, 4, 1};
    unsigned pixels[16];
    cl_mem image = clCreateImage(context, 0, &format, &description, NULL, &code);
    OK(code);
    OK(clEnqueueFillImage(queue, image, pixel, origin, region, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, pixels, 0, NULL, NULL));
    OK(clReleaseMemObject(image));
    return pixels[7];
}

static void CL_CALLBACK native(void *block)
{
    const struct environment *environment = *(const struct environment **)block;
    EXPECT((_mm_getcsr() & ~0x3fu) == 0x1f80);
    EXPECT(fegetround() == FE_TONEAREST);
    EXPECT(fegetexcept() == 0);
    fesetround(FE_DOWNWARD);
    feenableexcept(FE_DIVBYZERO);
}

static void run_all(const struct environment *environment, int number)
{
    static float values[ITEMS * VALUES];
    size_t one = 1;
    enter(environment);
    for (int repeat = 0; repeat < 3; ++repeat) {
        run_kernel(queue, ITEMS, values);
        for (int item = 0; item < ITEMS; ++item)
            EXPECT(memcmp(values + item * VALUES, expected, sizeof expected) == 0);
    }
    float result = run_folded(number);
    EXPECT(memcmp(&result, &folded, sizeof result) == 0);
    EXPECT(run_image() == color);

    cl_kernel sets = made("sets_mxcsr"), prints = made("prints");
    const float half = 0.5f;
    OK(clSetKernelArg(sets, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, sets, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clSetKernelArg(prints, 0, sizeof half, &half));
    OK(clEnqueueNDRangeKernel(queue, prints, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(sets));
    OK(clReleaseKernel(prints));

    OK(clEnqueueNativeKernel(queue, native, &environment, sizeof environment, 0, NULL, NULL, 0,
                             NULL, NULL));
    OK(clFinish(queue));
    check(environment);
    enter(&environments[0]);
}

static void *thread(void *number)
{
    const struct environment *environment = number;
    float *values = malloc(ITEMS * VALUES * sizeof *values);
    cl_device_id device;
    cl_int code;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
    cl_command_queue own = clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    enter(environment);
    for (int repeat = 0; repeat < 20; ++repeat) {
        size_t items = repeat % 2 ? ITEMS : 64;
        run_kernel(own, items, values);
        for (size_t item = 0; item < items; ++item)
            EXPECT(memcmp(values + item * VALUES, expected, sizeof expected) == 0);
    }
    check(environment);
    OK(clReleaseCommandQueue(own));
    free(values);
    return NULL;
}

int main(void)
{
    const struct environment *environment = &environments[0];
    const unsigned bits[] = {0x00400000, 0x3eaaaaab};
    enum { COUNT = sizeof environments / sizeof *environments };
    cl_int code;
    /* Linked with -ffast-math the program begins with subnormal numbers flushed. */
    build(source, "k");
    input = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof inputs, (void *)inputs, &code);
    OK(code);
    run_kernel(queue, 1, expected);
    EXPECT(memcmp(expected, bits, sizeof bits) == 0);
    enter(environment);
    folded = run_folded(-1);
    color = run_image();
    for (int number = 0; number < COUNT; ++number)
        run_all(&environments[number], number);
    pthread_t threads[THREADS * COUNT];
    for (int number = 0; number < THREADS * COUNT; ++number)
        pthread_create(&threads[number], NULL, thread, (void *)&environments[number % COUNT]);
    for (int number = 0; number < THREADS * COUNT; ++number)
        pthread_join(threads[number], NULL);
    tear_down();
    return 0;
}
