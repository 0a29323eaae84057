/* Heat in a plate: Jacobi steps of a five-point stencil. The plate is divided into horizontal
 * strips, one for each rank; before each step, neighbours exchange the rows at their borders (the
 * halo) while the device computes the rows that do not need them.
 *
 *   stencil [rows and columns] [steps] [unchecked]
 *
 * The first rank computes the plate alone as well, and compares every cell. With the word `unchecked`
 * it does not, and needs no memory for the whole plate. */

#include "device.h"
#include <string.h>

static const char *SOURCE =
    "kernel void step(global const double *from, global double *to, int columns, int first)\n"
    "{\n"
    "    int x = get_global_id(0) + 1, y = get_global_id(1) + first;\n"
    "    int at = y * columns + x;\n"
    "    to[at] = 0.25 * ((from[at - 1] + from[at + 1])\n"
    "                     + (from[at - columns] + from[at + columns]));\n"
    "}\n";

/* The plate at first: hot at its upper edge, cold elsewhere. */
static double initial(int row) { return row == 0 ? 100.0 : 0.0; }

/* Steps on the host, in the order of operations of the kernel. */
static double *reference(int size, int steps) {
    size_t cells = (size_t)size * size;
    double *from = malloc(cells * sizeof *from), *to = malloc(cells * sizeof *to);
    for (size_t i = 0; i < cells; i++) from[i] = to[i] = initial((int)(i / size));
    for (int step = 0; step < steps; step++) {
        for (int y = 1; y < size - 1; y++)
            for (int x = 1; x < size - 1; x++) {
                size_t at = (size_t)y * size + x;
                to[at] = 0.25 * ((from[at - 1] + from[at + 1]) + (from[at - size] + from[at + size]));
            }
        double *swapped = from;
        from = to;
        to = swapped;
    }
    free(to);
    return from;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int size = argc > 1 ? atoi(argv[1]) : 258, steps = argc > 2 ? atoi(argv[2]) : 10;
    int checks = argc <= 3 || strcmp(argv[3], "unchecked") != 0;
    int inner = size - 2;
    if (size < 3 || steps < 0 || inner < ranks) {
        if (rank == 0) fprintf(stderr, "a plate has a row for each rank, and two more\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    /* Rows of this rank, with one more above and below. */
    int begin = (int)((long)inner * rank / ranks), end = (int)((long)inner * (rank + 1) / ranks);
    int rows = end - begin;
    size_t row_bytes = (size_t)size * sizeof(double);
    double *strip = malloc((rows + 2) * row_bytes);
    for (int y = 0; y < rows + 2; y++)
        for (int x = 0; x < size; x++) strip[(size_t)y * size + x] = initial(begin + y);

    device it = device_open(SOURCE);
    cl_kernel kernel = device_kernel(&it, "step");
    cl_mem from = device_buffer(&it, (rows + 2) * row_bytes, strip);
    cl_mem to = device_buffer(&it, (rows + 2) * row_bytes, strip);
    OK(clSetKernelArg(kernel, 2, sizeof(int), &size));

    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    double *top = malloc(row_bytes), *bottom = malloc(row_bytes);
    double *above = malloc(row_bytes), *below = malloc(row_bytes);

    for (int step = 0; step < steps; step++) {
        OK(clSetKernelArg(kernel, 0, sizeof from, &from));
        OK(clSetKernelArg(kernel, 1, sizeof to, &to));
        /* The rows at the borders leave the device first. */
        OK(clEnqueueReadBuffer(it.queue, from, CL_FALSE, row_bytes, row_bytes, top, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(it.queue, from, CL_TRUE, rows * row_bytes, row_bytes, bottom, 0, NULL,
                               NULL));
        if (rows > 2) {
            size_t global[2] = {inner, rows - 2};
            int first = 2;
            OK(clSetKernelArg(kernel, 3, sizeof first, &first));
            OK(clEnqueueNDRangeKernel(it.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
            OK(clFlush(it.queue));
        }
        MPI_Request requests[4];
        MPI_Status statuses[4];
        MPI_Irecv(above, size, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(below, size, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(top, size, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(bottom, size, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, statuses);
        if (up != MPI_PROC_NULL)
            OK(clEnqueueWriteBuffer(it.queue, from, CL_FALSE, 0, row_bytes, above, 0, NULL, NULL));
        if (down != MPI_PROC_NULL)
            OK(clEnqueueWriteBuffer(it.queue, from, CL_FALSE, (rows + 1) * row_bytes, row_bytes,
                                    below, 0, NULL, NULL));
        int borders[2] = {1, rows};
        for (int i = 0; i < (rows > 1 ? 2 : 1); i++) {
            size_t global[2] = {inner, 1};
            OK(clSetKernelArg(kernel, 3, sizeof(int), &borders[i]));
            OK(clEnqueueNDRangeKernel(it.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
        }
        OK(clFinish(it.queue));
        cl_mem swapped = from;
        from = to;
        to = swapped;
    }
    OK(clEnqueueReadBuffer(it.queue, from, CL_TRUE, 0, (rows + 2) * row_bytes, strip, 0, NULL, NULL));

    int wrong = 0;
    if (checks) {
        /* All rows at the first rank. */
        int *counts = malloc(ranks * sizeof *counts), *places = malloc(ranks * sizeof *places);
        for (int i = 0; i < ranks; i++) {
            places[i] = (int)((long)inner * i / ranks) * size;
            counts[i] = (int)((long)inner * (i + 1) / ranks) * size - places[i];
        }
        double *plate = rank == 0 ? malloc(inner * row_bytes) : NULL;
        MPI_Gatherv(strip + size, rows * size, MPI_DOUBLE, plate, counts, places, MPI_DOUBLE, 0,
                    MPI_COMM_WORLD);
        if (rank == 0) {
            double *expected = reference(size, steps), heat = 0;
            for (size_t i = 0; i < (size_t)inner * size; i++) {
                wrong += plate[i] != expected[size + i];
                heat += plate[i];
            }
            printf("stencil: %d x %d cells, %d steps, heat %.12e: %s\n", size, size, steps, heat,
                   wrong ? "WRONG" : "all cells are right");
            free(expected);
            free(plate);
        }
        free(counts), free(places);
    } else if (rank == 0) {
        printf("stencil: %d x %d cells, %d steps, not checked\n", size, size, steps);
    }
    MPI_Bcast(&wrong, 1, MPI_INT, 0, MPI_COMM_WORLD);

    OK(clReleaseMemObject(from));
    OK(clReleaseMemObject(to));
    OK(clReleaseKernel(kernel));
    device_close(&it);
    free(strip), free(top), free(bottom), free(above), free(below);
    MPI_Finalize();
    return wrong != 0;
}
