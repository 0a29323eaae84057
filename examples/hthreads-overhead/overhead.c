/* Launches an empty kernel by each kind of launch, and adds vectors. `mocl3 stat -- ./overhead` shows what each
 * takes. Arguments: threads, image. */
#include <stdio.h>
#include <stdlib.h>

#include "hthread_host.h"
#include "libmt.h"

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 24, wrong = 0;
    hthread_dev_open(0);
    hthread_dat_load(0, argc > 2 ? argv[2] : "overhead_kernel.dat");
    if (threads < 1 || threads > hthread_get_avail_threads(0)) {
        fprintf(stderr, "1 to %d threads\n", hthread_get_avail_threads(0));
        return 1;
    }
    unsigned long n = threads * 65536ul;
    double *a = hthread_malloc(0, n * sizeof *a, HT_MEM_RO);
    double *b = hthread_malloc(0, n * sizeof *b, HT_MEM_RO);
    double *c = hthread_malloc(0, n * sizeof *c, HT_MEM_WO);
    for (unsigned long i = 0; i < n; i++) {
        a[i] = i;
        b[i] = i % 1000;
        c[i] = -1;
    }
    /* Arrays are fired, and run the resident runtime from then on. */
    int group = hthread_group_create(0, threads, "created", 0, 0, NULL);
    hthread_group_wait(group);
    /* The runtime is interrupted. */
    hthread_group_exec(group, "executed", 0, 0, NULL);
    hthread_group_wait(group);
    uint64_t arguments[] = {n, (uint64_t)a, (uint64_t)b, (uint64_t)c};
    hthread_group_exec(group, "add_vector", 1, 3, arguments);
    hthread_group_wait(group);
    for (unsigned long i = 0; i < n; i++)
        wrong += c[i] != a[i] + b[i];
    hthread_group_destroy(group);
    /* libMT fires the cores for each kernel, and asks each for its end. */
    unsigned int cores = 0xffffff >> (24 - threads);
    mt_open_core(0, cores);
    mt_set_entry(0, cores, "fired");
    wrong += mt_run(0, cores) != 0 || mt_wait(0, cores) != 0;
    mt_close_core(0, cores);
    hthread_free(a);
    hthread_free(b);
    hthread_free(c);
    hthread_dev_close(0);
    printf("%d threads, %lu elements, %d wrong\n", threads, n, wrong);
    return wrong != 0;
}
