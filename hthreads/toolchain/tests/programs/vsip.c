#define TABLE "vsip.table.h"
#include <compiler/vsip.h>
#include "lanes.device.h"

/* Buffers are those of AM. */
__global__ void buffers(long *out)
{
    int all = get_am_free_space();
    long *first = vmalloc(1000);
    out[0] = all - get_am_free_space();
    vfree(first);
    out[1] = all - get_am_free_space();
    out[2] = first != NULL;
}
