/* Prints cycles that kernels measure. */
#include "hthread_host.h"

#include <stdio.h>

static int group;

static void answer(int id, unsigned long number)
{
    hthread_intr_send(group, id, number);
}

int main(void)
{
    hthread_dev_open(0);
    hthread_dat_load(0, "kernel.dat");
    unsigned long *cycles = hthread_malloc(0, 24 * sizeof *cycles, HT_MEM_RW);
    uint64_t arguments[] = {(uint64_t)cycles, hthread_barrier_create(0)};
    group = hthread_group_create(0, 3);
    hthread_handler_register(group, answer);
    const char *kernels[] = {"round_trip", "in_barrier", "from_host"};
    for (int i = 0; i < 3; i++) {
        hthread_group_exec(group, kernels[i], 1, 1, arguments);
        if (i == 2)
            for (int thread = 2; thread >= 0; thread--)
                hthread_intr_send(group, thread, 20);
        hthread_group_wait(group);
        printf("%lu %lu %lu\n", cycles[0], cycles[1], cycles[2]);
    }
    hthread_dev_close(0);
    return 0;
}
