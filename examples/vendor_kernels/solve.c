/* Solves a system of equations by conjugate gradients with kernels of the vendor's library: one sparse
 * product, two dot products and three sums of vectors in each step. The matrix is that of a heated plate of
 * SIDE x SIDE points.
 *
 *   cc -o solve solve.c -lOpenCL -lm
 *   ./solve [SIDE]                        (100)
 *   mocl3 stat -- ./solve 300
 */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s failed with OpenCL error %d\n", what, code);
        exit(EXIT_FAILURE);
    }
}

static cl_context context;
static cl_command_queue queue;
static cl_kernel multiply, dot, add, scale;
static cl_mem product;
static cl_uint points;

static cl_mem buffer(size_t bytes, const void *content)
{
    cl_int code;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (content ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem memory = clCreateBuffer(context, flags, bytes, (void *)content, &code);
    check(code, "clCreateBuffer");
    return memory;
}

static void set(cl_kernel kernel, cl_uint place, size_t size, const void *value)
{
    check(clSetKernelArg(kernel, place, size, value), "clSetKernelArg");
}

static void launch(cl_kernel kernel)
{
    check(clEnqueueTask(queue, kernel, 0, NULL, NULL), "clEnqueueTask");
}

/* The dot product of x and y. */
static double dot_product(cl_mem x, cl_mem y)
{
    cl_int one = 1;
    double result;
    set(dot, 0, sizeof points, &points);
    set(dot, 1, sizeof x, &x);
    set(dot, 2, sizeof one, &one);
    set(dot, 3, sizeof y, &y);
    set(dot, 4, sizeof one, &one);
    set(dot, 5, sizeof product, &product);
    launch(dot);
    check(clEnqueueReadBuffer(queue, product, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    return result;
}

/* y = y + alpha x */
static void add_multiple(double alpha, cl_mem x, cl_mem y)
{
    cl_int one = 1;
    set(add, 0, sizeof points, &points);
    set(add, 1, sizeof alpha, &alpha);
    set(add, 2, sizeof x, &x);
    set(add, 3, sizeof one, &one);
    set(add, 4, sizeof y, &y);
    set(add, 5, sizeof one, &one);
    launch(add);
}

/* x = alpha x */
static void multiply_by(double alpha, cl_mem x)
{
    cl_int one = 1;
    set(scale, 0, sizeof points, &points);
    set(scale, 1, sizeof alpha, &alpha);
    set(scale, 2, sizeof x, &x);
    set(scale, 3, sizeof one, &one);
    launch(scale);
}

int main(int count, char **arguments)
{
    cl_uint side = count > 1 ? (cl_uint)atoi(arguments[1]) : 100;
    if (side < 2 || side > 10000) {
        fprintf(stderr, "usage: solve [SIDE]   (2 to 10000)\n");
        return EXIT_FAILURE;
    }
    points = side * side;

    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    cl_program program =
        clCreateProgramWithBuiltInKernels(context, 1, &device, "dcsrmv;ddot;daxpy;dscal", &code);
    check(code, "clCreateProgramWithBuiltInKernels");
    cl_kernel *kernels[] = {&multiply, &dot, &add, &scale};
    const char *names[] = {"dcsrmv", "ddot", "daxpy", "dscal"};
    for (int k = 0; k < 4; k++) {
        *kernels[k] = clCreateKernel(program, names[k], &code);
        check(code, "clCreateKernel");
    }

    /* Each point is four times its own value less those of its neighbours. */
    double *values = malloc(sizeof *values * 5 * points), *right = calloc(points, sizeof *right);
    cl_int *places = malloc(sizeof *places * 5 * points), *starts = malloc(sizeof *starts * (points + 1));
    if (!values || !right || !places || !starts) {
        fprintf(stderr, "no memory\n");
        return EXIT_FAILURE;
    }
    cl_int entries = 0;
    for (cl_uint point = 0; point < points; point++) {
        cl_uint row = point / side, column = point % side;
        starts[point] = entries;
        const cl_uint neighbours[] = {point - side, point - 1, point, point + 1, point + side};
        const int exists[] = {row > 0, column > 0, 1, column + 1 < side, row + 1 < side};
        for (int n = 0; n < 5; n++) {
            if (exists[n]) {
                values[entries] = n == 2 ? 4.0 : -1.0;
                places[entries++] = (cl_int)neighbours[n];
            }
        }
        /* The first row touches a heater. */
        right[point] = row == 0 ? 1.0 : 0.0;
    }
    starts[points] = entries;

    size_t bytes = sizeof(double) * points;
    cl_mem a = buffer(sizeof *values * (size_t)entries, values);
    cl_mem columns = buffer(sizeof *places * (size_t)entries, places);
    cl_mem rows = buffer(sizeof *starts * (points + 1), starts);
    cl_mem x = buffer(bytes, NULL), residual = buffer(bytes, right), direction = buffer(bytes, right);
    cl_mem image = buffer(bytes, NULL);
    product = buffer(sizeof(double), NULL);
    double zero = 0.0, one = 1.0;
    check(clEnqueueFillBuffer(queue, x, &zero, sizeof zero, 0, bytes, 0, NULL, NULL), "clEnqueueFillBuffer");
    cl_uint entry_count = (cl_uint)entries;
    set(multiply, 0, sizeof points, &points);
    set(multiply, 1, sizeof points, &points);
    set(multiply, 2, sizeof entry_count, &entry_count);
    set(multiply, 3, sizeof one, &one);
    set(multiply, 4, sizeof a, &a);
    set(multiply, 5, sizeof columns, &columns);
    set(multiply, 6, sizeof rows, &rows);
    set(multiply, 7, sizeof direction, &direction);
    set(multiply, 8, sizeof zero, &zero);
    set(multiply, 9, sizeof image, &image);

    double size = dot_product(residual, residual);
    const double goal = size * 1e-20;
    unsigned steps = 0;
    for (; size > goal && steps < 10 * side; steps++) {
        launch(multiply);
        double length = size / dot_product(direction, image);
        add_multiple(length, direction, x);
        add_multiple(-length, image, residual);
        double next = dot_product(residual, residual);
        multiply_by(next / size, direction);
        add_multiple(1.0, residual, direction);
        size = next;
    }

    /* The solution satisfies the equations. */
    double *solution = malloc(bytes), worst = 0.0;
    if (!solution) {
        fprintf(stderr, "no memory\n");
        return EXIT_FAILURE;
    }
    check(clEnqueueReadBuffer(queue, x, CL_TRUE, 0, bytes, solution, 0, NULL, NULL), "clEnqueueReadBuffer");
    for (cl_uint point = 0; point < points; point++) {
        double sum = -right[point];
        for (cl_int entry = starts[point]; entry < starts[point + 1]; entry++)
            sum += values[entry] * solution[places[entry]];
        worst = fmax(worst, fabs(sum));
    }
    printf("%u equations solved in %u steps, largest error %.1e: %s\n", points, steps, worst,
           worst < 1e-8 ? "right" : "WRONG");

    cl_mem memories[] = {a, columns, rows, x, residual, direction, image, product};
    for (size_t m = 0; m < sizeof memories / sizeof *memories; m++)
        clReleaseMemObject(memories[m]);
    for (int k = 0; k < 4; k++)
        clReleaseKernel(*kernels[k]);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(values), free(right), free(places), free(starts), free(solution);
    return worst < 1e-8 ? EXIT_SUCCESS : EXIT_FAILURE;
}
