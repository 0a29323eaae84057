/* Vector addition, after Figure 5 of the MOCL3 paper (docs/hthreads.md names the differences). */
#include <compiler/m3000.h>
#include "hthread_device.h"

__global__ void add_vector(unsigned long length, long *A, long *B, long *C)
{
    int tid = get_thread_id();
    long i = 0, b = 0;
    long step_size = 16 * 1024;
    long num_steps = length / step_size;
    unsigned long offset = tid * length;
    lvector long *src1 = vector_malloc(step_size * sizeof(long));
    lvector long *src2 = vector_malloc(step_size * sizeof(long));
    lvector long *dst = vector_malloc(step_size * sizeof(long));

    for (b = 0; b < num_steps; b++) {
        vector_load(&A[offset], src1, step_size * sizeof(long));
        vector_load(&B[offset], src2, step_size * sizeof(long));
        for (i = 0; i < step_size / 16; i++)
            dst[i] = src1[i] + src2[i];
        vector_store(dst, &C[offset], step_size * sizeof(long));
        offset = offset + step_size;
    }
    vector_free(src1);
    vector_free(src2);
    vector_free(dst);
}
