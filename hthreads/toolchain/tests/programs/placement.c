#include "hthread_device.h"

#define CHECK(condition)                                    \
    do {                                                    \
        if (!(condition) && !failed[get_thread_id()])       \
            failed[get_thread_id()] = __LINE__;             \
    } while (0)

/* Buffers in SM have what the stack leaves. */
__global__ void sm_without_stack(int *failed, int space)
{
    CHECK(get_sm_free_space() == space);
    CHECK(scalar_malloc(space + 1) == NULL);
    if (space == 0)
        return;
    char *all = scalar_malloc(space);
    CHECK(all && get_sm_free_space() == 0 && scalar_malloc(1) == NULL);
    all[0] = all[space - 1] = 1;
    CHECK(scalar_free(all) == 0);
}
