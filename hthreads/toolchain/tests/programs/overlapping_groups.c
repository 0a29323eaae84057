#include "hthread_device.h"

#define BLOCK (64 * 1024)

/* Loads blocks by DMA, one after the other. */
__global__ void stream(int *failed, char *source, unsigned long blocks)
{
    void *buffer = vector_malloc(BLOCK);
    for (unsigned long i = 0; i < blocks; i++)
        vector_load(source, buffer, BLOCK);
    vector_free(buffer);
}

/* Notes that a thread of this group was next, at times that are far apart. */
__global__ void take_turns(int *failed, volatile long *turns, unsigned long lock, unsigned long group,
                           unsigned long count, unsigned long microseconds)
{
    for (unsigned long i = 0; i < count; i++) {
        dsp_sleep(microseconds);
        rwlock_wrlock(lock);
        long turn = turns[0];
        turns[1 + turn] = group;
        turns[0] = turn + 1;
        rwlock_unlock(lock);
    }
}
