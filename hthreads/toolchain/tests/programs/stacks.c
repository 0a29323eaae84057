/* Kernels whose functions take much of the stacks. */
#include <compiler/m3000.h>
#include "hthread_device.h"

#define KIB 1024

static __attribute__((noinline)) long nested(long depth, volatile long *place)
{
    volatile char frame[KIB];
    frame[depth % KIB] = (char)*place;
    return depth <= 1 ? frame[0] : nested(depth - 1, place) + frame[depth % KIB];
}

/* `depth` frames of a KiB, again and again. */
__global__ void nests(int *failed, long depth, volatile long *place)
{
    (void)failed;
    for (int time = 0; time < 3; time++)
        *place = nested(depth, place);
}

static __attribute__((noinline)) void in_sm(volatile long *place)
{
    volatile char large[60 * KIB];
    large[*place] = 1;
    *place = large[*place];
}

static __attribute__((noinline)) void beyond_sm(volatile long *place)
{
    volatile char large[70 * KIB];
    large[*place] = 1;
    *place = large[*place];
}

__global__ void large(int *failed, long exceeds, volatile long *place)
{
    (void)failed;
    if (exceeds)
        beyond_sm(place);
    else
        in_sm(place);
}

/* Arrays of a size that is known at run time only: in a loop, whose end gives them back, and in nested calls. */
static __attribute__((noinline)) long sized(long bytes, long depth, volatile long *place)
{
    long sum = 0;
    for (int time = 0; time < 4; time++) {
        volatile char some[bytes];
        some[*place] = 1;
        sum += some[*place];
        if (time == 2) {
            volatile lvector long lanes[bytes / 1024 + 1];
            lanes[*place] = lanes[*place] + 1;
        }
    }
    return depth <= 1 ? sum : sized(bytes, depth - 1, place) + sum;
}

/* After all, the arrays have been given back. */
__global__ void known_late(int *failed, long bytes, volatile long *place)
{
    (void)failed;
    for (int time = 0; time < 3; time++)
        *place = sized(bytes, 3, place) == 0;
}

static __attribute__((noinline)) void in_am(volatile long *place)
{
    volatile lvector long many[5 * KIB];
    many[*place] = many[*place] + 1;
}

static __attribute__((noinline)) void beyond_am(volatile long *place)
{
    volatile lvector long many[7 * KIB];
    many[*place] = many[*place] + 1;
}

/* 640 KiB and 896 KiB of vectors. */
__global__ void vectors(int *failed, long exceeds, volatile long *place)
{
    (void)failed;
    if (exceeds)
        beyond_am(place);
    else
        in_am(place);
}
