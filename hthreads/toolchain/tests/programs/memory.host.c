#include "check.h"

int main(void)
{
    CASE("not_open")
        EXPECT(hthread_malloc(0, 64, HT_MEM_RW) == NULL);
    open_cluster(0);
    for (int launch = 0; launch < 3; launch++)
        RUN(24, "capacities");
    RUN(7, "entries");

    CASE("resident") {
        static uint64_t place[THREADS];
        uint64_t arguments[] = {(uint64_t)failed, (uint64_t)place};
        int group = hthread_group_create(0, 24, "leave", 0, 2, arguments);
        EXPECT(hthread_group_exec(group, "find", 0, 2, arguments) == 0);
        EXPECT(hthread_group_wait(group) == 0);
        expect_no_failure("find");
        hthread_group_destroy(group);
    }

    RUN(24, "fill_gsm");
    RUN(2, "read_gsm");
    RUN(24, "hbsm", 48 << 20);

    double *data = hthread_malloc(0, 512, HT_MEM_RO);
    for (int i = 0; i < 64; i++)
        data[i] = i;
    RUN(24, "vectors", (uint64_t)data);

    double *numbers = hthread_malloc(0, THREADS * 64 * sizeof *numbers, HT_MEM_RO);
    for (int i = 0; i < THREADS * 64; i++)
        numbers[i] = i;
    RUN(24, "has_addresses", (uint64_t)numbers);
    RUN(24, "gets_addresses", 0x400000000, 0x400108000, (uint64_t)numbers);
    RUN(24, "has_gsm_addresses", 0x400000, 600);
    hthread_free(numbers);

    CASE("address") {
        /* As a program that does not rely on the header declares it. */
        extern unsigned long hthread_phyaddr(void *);
        uint64_t arguments[] = {(uint64_t)failed, hthread_phyaddr(data)};
        int group = hthread_group_create(0, 1, "vectors", 0, 2, arguments);
        EXPECT(hthread_group_wait(group) == 0);
        expect_no_failure("vectors");
        hthread_group_destroy(group);
        EXPECT(hthread_phyaddr(data + 1) == hthread_phyaddr(data) + sizeof *data);
        EXPECT(hthread_phyaddr(&group) == 0 && hthread_phyaddr(NULL) == 0);
    }

    /* DDR: 13 GB, at page boundaries. */
    CASE("ddr") {
        EXPECT(hthread_malloc(0, 14ul << 30, HT_MEM_RW) == NULL);
        char *large = hthread_malloc(0, 12ul << 30, HT_MEM_CACHE);
        EXPECT(large && (uint64_t)large % 4096 == 0);
        EXPECT(hthread_malloc(0, 2ul << 30, HT_MEM_WO) == NULL);
        large[(12ul << 30) - 1] = 1;
        hthread_free(large);
        hthread_free(large);
        hthread_free(NULL);
        hthread_free(data + 1);
        large = hthread_malloc(0, 12ul << 30, HT_MEM_RW);
        EXPECT(large);
        EXPECT(hthread_dev_close(0) == 0);
        hthread_free(large);
    }
    return finish();
}
