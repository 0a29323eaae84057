/* Runs a kernel of OpenCL C that `mocl3 compile --emit m3000-c` has written as C (docs/hthreads.md#kernels-of-opencl-c). */
#include "hthread_host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The index space of a launch, as the kernel reads it. */
struct nd_range {
    uint64_t work_dimensions;
    uint64_t global_offset[3];
    uint64_t global_size[3];
    uint64_t local_size[3];
    uint64_t group_count[3];
};

enum { LOCAL = 128 };

static float sum(const float *in, unsigned long i)
{
    return in[i] + in[i + 1] + in[i + 2] + in[i + 3] + in[i + 4];
}

int main(int argc, char **argv)
{
    int dev_id = 0;
    int num_threads = argc > 1 ? atoi(argv[1]) : 24;
    unsigned long groups = 1000;
    unsigned long count = groups * LOCAL;

    hthread_dev_open(dev_id);
    hthread_dat_load(dev_id, "smooth_kernel.dat");
    float *in = hthread_malloc(dev_id, (count + 4) * sizeof(float), HT_MEM_RO);
    float *out = hthread_malloc(dev_id, count * sizeof(float), HT_MEM_WO);
    struct nd_range *range = hthread_malloc(dev_id, sizeof *range, HT_MEM_RO);
    if (!in || !out || !range) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    for (unsigned long i = 0; i < count + 4; i++)
        in[i] = (i * 7919 % 1000) / 8.0f;
    *range = (struct nd_range){1, {0, 0, 0}, {count, 1, 1}, {LOCAL, 1, 1}, {groups, 1, 1}};

    float scale = 0.04f;
    uint64_t args[] = {(uint64_t)range, (uint64_t)in, (uint64_t)out, (LOCAL + 4) * sizeof(float), 0};
    memcpy(&args[4], &scale, sizeof scale);
    int tg_id = hthread_group_create(dev_id, num_threads, "smooth", 2, 3, args);
    hthread_group_wait(tg_id);
    hthread_group_destroy(tg_id);

    unsigned long wrong = 0;
    for (unsigned long i = 0; i < count; i++) {
        unsigned long opposite = i / LOCAL * LOCAL + LOCAL - 1 - i % LOCAL;
        wrong += out[i] != sqrtf(scale * sum(in, i) * sum(in, opposite));
    }
    printf("%d threads, %lu elements, %lu wrong\n", num_threads, count, wrong);

    hthread_free(in);
    hthread_free(out);
    hthread_free(range);
    hthread_dev_close(dev_id);
    return wrong != 0;
}
