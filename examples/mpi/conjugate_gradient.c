/* Conjugate gradients for a linear system whose matrix is that of the one-dimensional Laplace
 * operator, shifted so that it is well conditioned: 4 on the diagonal, -1 next to it. Each rank has
 * consecutive rows; it exchanges one number with each neighbour for a matrix product, and dot
 * products are summed over all ranks.
 *
 *   conjugate_gradient [rows of a rank]
 *
 * The right side is chosen so that the solution is known; each rank compares its part. */

#include "device.h"
#include <math.h>

static const char *SOURCE =
    "#define GROUP 64\n"
    /* q = A p; `left` and `right` are the neighbours' elements. */
    "kernel void product(global const double *p, global double *q, double left, double right, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    double before = i > 0 ? p[i - 1] : left, after = i < n - 1 ? p[i + 1] : right;\n"
    "    q[i] = 4.0 * p[i] - before - after;\n"
    "}\n"
    /* The sum of products of each work-group's elements. */
    "kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))\n"
    "void dot_product(global const double *x, global const double *y, global double *sums, int n)\n"
    "{\n"
    "    local double part[GROUP];\n"
    "    int i = get_global_id(0), own = get_local_id(0);\n"
    "    part[own] = i < n ? x[i] * y[i] : 0.0;\n"
    "    for (int distance = GROUP / 2; distance > 0; distance /= 2) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (own < distance) part[own] += part[own + distance];\n"
    "    }\n"
    "    if (own == 0) sums[get_group_id(0)] = part[0];\n"
    "}\n"
    /* y = a x + b y */
    "kernel void combine(global const double *x, global double *y, double a, double b)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    y[i] = a * x[i] + b * y[i];\n"
    "}\n";

enum { GROUP = 64 };

static device it;
static cl_kernel product, dot_product, combine;
static cl_mem sums;
static double *host_sums;
static int n, rank, ranks;

static double dot(cl_mem x, cl_mem y) {
    size_t groups = ((size_t)n + GROUP - 1) / GROUP, global = groups * GROUP, local = GROUP;
    OK(clSetKernelArg(dot_product, 0, sizeof x, &x));
    OK(clSetKernelArg(dot_product, 1, sizeof y, &y));
    OK(clSetKernelArg(dot_product, 2, sizeof sums, &sums));
    OK(clSetKernelArg(dot_product, 3, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(it.queue, dot_product, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(it.queue, sums, CL_TRUE, 0, groups * sizeof(double), host_sums, 0, NULL,
                           NULL));
    double own = 0, all;
    for (size_t i = 0; i < groups; i++) own += host_sums[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void add(cl_mem x, cl_mem y, double a, double b) {
    size_t global = n;
    OK(clSetKernelArg(combine, 0, sizeof x, &x));
    OK(clSetKernelArg(combine, 1, sizeof y, &y));
    OK(clSetKernelArg(combine, 2, sizeof a, &a));
    OK(clSetKernelArg(combine, 3, sizeof b, &b));
    OK(clEnqueueNDRangeKernel(it.queue, combine, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static void multiply(cl_mem p, cl_mem q) {
    double first, last, left = 0, right = 0;
    size_t global = n;
    OK(clEnqueueReadBuffer(it.queue, p, CL_FALSE, 0, sizeof first, &first, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(it.queue, p, CL_TRUE, (n - 1) * sizeof last, sizeof last, &last, 0, NULL,
                           NULL));
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int after = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&first, 1, MPI_DOUBLE, before, 0, &right, 1, MPI_DOUBLE, after, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&last, 1, MPI_DOUBLE, after, 1, &left, 1, MPI_DOUBLE, before, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    OK(clSetKernelArg(product, 0, sizeof p, &p));
    OK(clSetKernelArg(product, 1, sizeof q, &q));
    OK(clSetKernelArg(product, 2, sizeof left, &left));
    OK(clSetKernelArg(product, 3, sizeof right, &right));
    OK(clSetKernelArg(product, 4, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(it.queue, product, 1, NULL, &global, NULL, 0, NULL, NULL));
}

/* Element i of the solution. */
static double solution(long i) { return 1.0 + (double)(i % 3); }

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    n = argc > 1 ? atoi(argv[1]) : 1024;
    if (n < 1) {
        if (rank == 0) fprintf(stderr, "a rank has at least one row\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    long all = (long)n * ranks, begin = (long)n * rank;
    size_t bytes = n * sizeof(double);
    double *right_side = malloc(bytes), *result = calloc(n, sizeof *result);
    for (long i = begin; i < begin + n; i++) {
        double before = i > 0 ? solution(i - 1) : 0, after = i < all - 1 ? solution(i + 1) : 0;
        right_side[i - begin] = 4.0 * solution(i) - before - after;
    }

    it = device_open(SOURCE);
    product = device_kernel(&it, "product");
    dot_product = device_kernel(&it, "dot_product");
    combine = device_kernel(&it, "combine");
    size_t groups = ((size_t)n + GROUP - 1) / GROUP;
    host_sums = malloc(groups * sizeof *host_sums);
    sums = device_buffer(&it, groups * sizeof *host_sums, NULL);
    cl_mem x = device_buffer(&it, bytes, result), r = device_buffer(&it, bytes, right_side);
    cl_mem p = device_buffer(&it, bytes, right_side), q = device_buffer(&it, bytes, result);

    double residual = dot(r, r), first = residual;
    int steps = 0;
    while (residual > 1e-24 * first && steps < 200) {
        multiply(p, q);
        double alpha = residual / dot(p, q);
        add(p, x, alpha, 1.0);
        add(q, r, -alpha, 1.0);
        double next = dot(r, r);
        add(r, p, 1.0, next / residual);
        residual = next;
        steps++;
    }
    OK(clEnqueueReadBuffer(it.queue, x, CL_TRUE, 0, bytes, result, 0, NULL, NULL));
    double error = 0, largest;
    for (int i = 0; i < n; i++) error = fmax(error, fabs(result[i] - solution(begin + i)));
    MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    /* The smallest eigenvalue is above 2, so that no element is wrong by more than half of the
     * residual's norm. */
    int wrong = !(largest < 1e-12 * sqrt(first));
    if (rank == 0)
        printf("conjugate_gradient: %ld rows, %d steps: %s\n", all, steps,
               wrong ? "WRONG" : "the solution is right");

    cl_mem buffers[] = {x, r, p, q, sums};
    for (int i = 0; i < 5; i++) OK(clReleaseMemObject(buffers[i]));
    cl_kernel kernels[] = {product, dot_product, combine};
    for (int i = 0; i < 3; i++) OK(clReleaseKernel(kernels[i]));
    device_close(&it);
    free(right_side), free(result), free(host_sums);
    MPI_Finalize();
    return wrong;
}
