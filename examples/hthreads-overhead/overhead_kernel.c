/* Kernels that show what the runtime takes: launches that do nothing, and a sum with an array on the stack. */
#include "hthread_device.h"

#define BLOCK 64

__global__ void created(void) {}

__global__ void executed(void) {}

__global__ void fired(void) {}

/* Each thread adds a part of the vectors, of which it keeps a block on its stack. */
__global__ void add_vector(unsigned long n, double *a, double *b, double *c)
{
    double block[BLOCK];
    unsigned long part = n / get_group_size(), first = get_thread_id() * part;
    for (unsigned long at = first; at < first + part; at += BLOCK) {
        for (int i = 0; i < BLOCK; i++)
            block[i] = a[at + i];
        for (int i = 0; i < BLOCK; i++)
            c[at + i] = block[i] + b[at + i];
    }
}
