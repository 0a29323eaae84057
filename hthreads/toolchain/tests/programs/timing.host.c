#include "check.h"

int main(void)
{
    open_cluster(0);
    long *source = hthread_malloc(0, 4096, HT_MEM_RW);
    unsigned long *cycles = hthread_malloc(0, THREADS * sizeof *cycles, HT_MEM_RW);
    int *flag = hthread_malloc(0, sizeof *flag, HT_MEM_RW);
    *flag = 0;
    const uint64_t none[1] = {0};
    run(24, "nothing", 0, none);
    RUN(1, "load_from_ddr", (uint64_t)source);
    run(1, "load_from_gsm", 0, none);
    run(5, "meet", 0, none);
    RUN(3, "lock_alone", 2);
    RUN(3, "lock_together", 2);
    RUN(1, "dependent", 100);
    RUN(1, "dependent", 1100);
    RUN(1, "independent", 100);
    RUN(1, "independent", 1100);
    RUN(1, "clear", 100, (uint64_t)cycles);
    RUN(1, "clear", 1100, (uint64_t)cycles);
    for (int n = 256; n <= 512; n += 256) {
        RUN(1, "sum_ddr", n, (uint64_t)source, (uint64_t)cycles);
        RUN(1, "sum_gsm", n, (uint64_t)cycles);
        RUN(1, "sum_sm", n, (uint64_t)cycles);
    }
    RUN(24, "clock", (uint64_t)cycles);
    for (int i = 0; i < THREADS; i++)
        printf("%lu ", cycles[i]);
    RUN(1, "query", (uint64_t)source, (uint64_t)cycles);
    printf("%lu\n", cycles[0]);
    RUN(7, "hand_over", (uint64_t)flag);
    uint64_t arguments[] = {(uint64_t)failed};
    int group = hthread_group_create(0, 2, "too_late", 0, 1, arguments);
    EXPECT(hthread_group_wait(group) == 13);
    hthread_group_destroy(group);
    return finish();
}
