/* y = a x + y: each thread has `length` numbers, a multiple of 16. */
#include <compiler/m3000.h>
#include "hthread_device.h"

__global__ void axpy(long length, double a, double *x, double *y)
{
    long offset = get_thread_id() * length;
    lvector double *part_of_x = vector_malloc(length * sizeof(double));
    lvector double *part_of_y = vector_malloc(length * sizeof(double));
    vector_load(&x[offset], part_of_x, length * sizeof(double));
    vector_load(&y[offset], part_of_y, length * sizeof(double));
    for (long i = 0; i < length / 16; i++)
        part_of_y[i] = a * part_of_x[i] + part_of_y[i];
    vector_store(part_of_y, &y[offset], length * sizeof(double));
    vector_free(part_of_x);
    vector_free(part_of_y);
}
