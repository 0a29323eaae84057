/* y = a x + y: C moves the data, and a function in assembly computes (docs/hthreads.md#assembly). */
#include <compiler/m3000.h>
#include "hthread_device.h"

#define STEP (16 * 1024)

void axpy(double a, const double *x, double *y, long vectors);

__global__ void axpy_all(unsigned long length, double a, double *x, double *y)
{
    unsigned long offset = get_thread_id() * length;
    double *am_x = vector_malloc(STEP * sizeof(double));
    double *am_y = vector_malloc(STEP * sizeof(double));
    for (unsigned long i = 0; i < length; i += STEP) {
        vector_load(&x[offset + i], am_x, STEP * sizeof(double));
        vector_load(&y[offset + i], am_y, STEP * sizeof(double));
        axpy(a, am_x, am_y, STEP / 16);
        vector_store(am_y, &y[offset + i], STEP * sizeof(double));
    }
    vector_free(am_x);
    vector_free(am_y);
}
