/* A distributed matrix product, C = A B, by SUMMA (van de Geijn and Watts, 1997, DOI
 * 10.1002/(SICI)1096-9128(199704)9:4<255::AID-CPE250>3.0.CO;2-2): q x q ranks have a block of each
 * matrix. In step k, the ranks of column k send their blocks of A along their rows, those of row k
 * their blocks of B along their columns, and each rank adds the product of the two to its block of C.
 *
 *   summa [rows and columns of a block] [unchecked]
 *
 * The numbers are small integers, so that sums are exact; each rank checks its block, except with the
 * word `unchecked`. */

#include "device.h"
#include <string.h>

static const char *SOURCE =
    "kernel void multiply(global const double *a, global const double *b, global double *c, int n)\n"
    "{\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    double sum = c[y * n + x];\n"
    "    for (int k = 0; k < n; k++)\n"
    "        sum += a[y * n + k] * b[k * n + x];\n"
    "    c[y * n + x] = sum;\n"
    "}\n";

static double element_of_a(long y, long x) { return (double)((3 * y + x) % 7 - 3); }
static double element_of_b(long y, long x) { return (double)((y + 2 * x) % 5 - 2); }

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int n = argc > 1 ? atoi(argv[1]) : 32, q = 1;
    while (q * q < ranks) q++;
    if (q * q != ranks || n < 1) {
        if (rank == 0) fprintf(stderr, "the number of ranks is no square\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int checks = argc <= 2 || strcmp(argv[2], "unchecked") != 0;
    int row = rank / q, column = rank % q;
    MPI_Comm along_row, along_column;
    MPI_Comm_split(MPI_COMM_WORLD, row, column, &along_row);
    MPI_Comm_split(MPI_COMM_WORLD, column, row, &along_column);

    size_t cells = (size_t)n * n, bytes = cells * sizeof(double);
    double *a = malloc(bytes), *b = malloc(bytes), *c = calloc(cells, sizeof *c);
    double *a_sent = malloc(bytes), *b_sent = malloc(bytes);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            a[y * n + x] = element_of_a((long)row * n + y, (long)column * n + x);
            b[y * n + x] = element_of_b((long)row * n + y, (long)column * n + x);
        }

    device it = device_open(SOURCE);
    cl_kernel kernel = device_kernel(&it, "multiply");
    cl_mem on_a = device_buffer(&it, bytes, NULL), on_b = device_buffer(&it, bytes, NULL);
    cl_mem on_c = device_buffer(&it, bytes, c);
    OK(clSetKernelArg(kernel, 0, sizeof on_a, &on_a));
    OK(clSetKernelArg(kernel, 1, sizeof on_b, &on_b));
    OK(clSetKernelArg(kernel, 2, sizeof on_c, &on_c));
    OK(clSetKernelArg(kernel, 3, sizeof n, &n));

    for (int k = 0; k < q; k++) {
        if (column == k) memcpy(a_sent, a, bytes);
        if (row == k) memcpy(b_sent, b, bytes);
        MPI_Bcast(a_sent, (int)cells, MPI_DOUBLE, k, along_row);
        MPI_Bcast(b_sent, (int)cells, MPI_DOUBLE, k, along_column);
        OK(clEnqueueWriteBuffer(it.queue, on_a, CL_TRUE, 0, bytes, a_sent, 0, NULL, NULL));
        OK(clEnqueueWriteBuffer(it.queue, on_b, CL_TRUE, 0, bytes, b_sent, 0, NULL, NULL));
        size_t global[2] = {n, n};
        OK(clEnqueueNDRangeKernel(it.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
        OK(clFlush(it.queue));
    }
    OK(clEnqueueReadBuffer(it.queue, on_c, CL_TRUE, 0, bytes, c, 0, NULL, NULL));

    long wrong = 0, all = 0;
    double sum = 0, total;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double expected = 0;
            for (long k = 0; checks && k < (long)n * q; k++)
                expected += element_of_a((long)row * n + y, k) * element_of_b(k, (long)column * n + x);
            wrong += checks && c[y * n + x] != expected;
            sum += c[y * n + x];
        }
    MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("summa: %d x %d ranks, matrices of %d x %d, sum %.0f: %s\n", q, q, n * q, n * q, total,
               !checks ? "not checked" : all ? "WRONG" : "all elements are right");

    OK(clReleaseMemObject(on_a));
    OK(clReleaseMemObject(on_b));
    OK(clReleaseMemObject(on_c));
    OK(clReleaseKernel(kernel));
    device_close(&it);
    free(a), free(b), free(c), free(a_sent), free(b_sent);
    MPI_Comm_free(&along_row);
    MPI_Comm_free(&along_column);
    MPI_Finalize();
    return all != 0;
}
