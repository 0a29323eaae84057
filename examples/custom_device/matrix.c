/* Multiplies matrices on a tile of matrix multiply accelerators, and prints the sustained rate.
 *
 *   cc -o matrix matrix.c -lOpenCL
 *   MOCL3_MACHINE=mma ./matrix [ROWS [DEPTH [TASKS]]]
 *
 * Each of the TASKS products (16) has matrices of its own: A has ROWS rows of DEPTH numbers (64 each), B
 * has DEPTH rows of ROWS. No product waits for another one: the queue is out of order. */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

static void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s failed with OpenCL error %d\n", what, code);
        exit(EXIT_FAILURE);
    }
}

/* Whole numbers: their products and sums are exact. */
static double element(unsigned matrix, size_t place)
{
    return (double)((matrix * 7919 + place * 31) % 17) - 8;
}

static cl_ulong time_of(cl_event event, cl_profiling_info which)
{
    cl_ulong time = 0;
    check(clGetEventProfilingInfo(event, which, sizeof time, &time, NULL), "clGetEventProfilingInfo");
    return time;
}

int main(int count, char **arguments)
{
    cl_uint rows = count > 1 ? (cl_uint)atoi(arguments[1]) : 64;
    cl_uint depth = count > 2 ? (cl_uint)atoi(arguments[2]) : 64;
    unsigned tasks = count > 3 ? (unsigned)atoi(arguments[3]) : 16;
    if (rows < 1 || depth < 1 || tasks < 1) {
        fprintf(stderr, "usage: matrix [ROWS [DEPTH [TASKS]]]\n");
        return EXIT_FAILURE;
    }
    size_t inputs = (size_t)rows * depth, results = (size_t)rows * rows;

    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(
        context, device, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    check(code, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithBuiltInKernels(context, 1, &device, "matrix_multiply", &code);
    check(code, "clCreateProgramWithBuiltInKernels");
    cl_kernel kernel = clCreateKernel(program, "matrix_multiply", &code);
    check(code, "clCreateKernel");

    double *a = malloc(inputs * sizeof *a), *b = malloc(inputs * sizeof *b);
    double *c = malloc(results * sizeof *c);
    cl_mem *outputs = malloc(tasks * sizeof *outputs);
    cl_event *events = malloc(tasks * sizeof *events);
    if (!a || !b || !c || !outputs || !events)
        return EXIT_FAILURE;
    for (unsigned task = 0; task < tasks; ++task) {
        for (size_t i = 0; i < inputs; ++i) {
            a[i] = element(2 * task, i);
            b[i] = element(2 * task + 1, i);
        }
        cl_mem_flags copied = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
        cl_mem left = clCreateBuffer(context, copied, inputs * sizeof *a, a, &code);
        check(code, "clCreateBuffer");
        cl_mem right = clCreateBuffer(context, copied, inputs * sizeof *b, b, &code);
        check(code, "clCreateBuffer");
        outputs[task] = clCreateBuffer(context, CL_MEM_WRITE_ONLY, results * sizeof *c, NULL, &code);
        check(code, "clCreateBuffer");
        check(clSetKernelArg(kernel, 0, sizeof left, &left), "clSetKernelArg");
        check(clSetKernelArg(kernel, 1, sizeof right, &right), "clSetKernelArg");
        check(clSetKernelArg(kernel, 2, sizeof outputs[task], &outputs[task]), "clSetKernelArg");
        check(clSetKernelArg(kernel, 3, sizeof rows, &rows), "clSetKernelArg");
        check(clSetKernelArg(kernel, 4, sizeof depth, &depth), "clSetKernelArg");
        check(clEnqueueTask(queue, kernel, 0, NULL, &events[task]), "clEnqueueTask");
        clReleaseMemObject(left);
        clReleaseMemObject(right);
    }
    check(clFinish(queue), "clFinish");

    cl_ulong begin = ~(cl_ulong)0, end = 0;
    size_t wrong = 0;
    for (unsigned task = 0; task < tasks; ++task) {
        cl_ulong started = time_of(events[task], CL_PROFILING_COMMAND_START);
        cl_ulong ended = time_of(events[task], CL_PROFILING_COMMAND_END);
        begin = started < begin ? started : begin;
        end = ended > end ? ended : end;
        check(clEnqueueReadBuffer(queue, outputs[task], CL_TRUE, 0, results * sizeof *c, c, 0, NULL, NULL),
              "clEnqueueReadBuffer");
        for (size_t i = 0; i < rows; ++i) {
            for (size_t j = 0; j < rows; ++j) {
                double sum = 0;
                for (size_t k = 0; k < depth; ++k)
                    sum += element(2 * task, i * depth + k) * element(2 * task + 1, k * rows + j);
                wrong += sum != c[i * rows + j];
            }
        }
        clReleaseEvent(events[task]);
        clReleaseMemObject(outputs[task]);
    }
    double operations = 2.0 * rows * rows * depth * tasks;
    printf("%u products of %u x %u and %u x %u: %zu wrong elements, %llu ns, %.1f GFLOP/s\n", tasks, rows,
           depth, depth, rows, wrong, (unsigned long long)(end - begin), operations / (double)(end - begin));

    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(a);
    free(b);
    free(c);
    free(outputs);
    free(events);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
