#include "check.h"

static uint64_t bits(double value)
{
    uint64_t word;
    memcpy(&word, &value, 8);
    return word;
}

static uint64_t bits_of_float(float value)
{
    uint32_t word;
    memcpy(&word, &value, 4);
    return 0xabcd000000000000 | word;
}

int main(void)
{
    CASE("constants") {
        EXPECT(HT_STAT_BUSY == 0 && HT_STAT_IDLE == 1 && HT_STAT_FAIL == 2);
        EXPECT(HT_SUCCESS == 0 && HT_FAIL_UNKNOWN == -1 && HT_OUT_OF_RANGE == -2);
        EXPECT(HT_NOT_INITIALIZED == -3 && HT_DEV_OPEN_FAILED == -4);
        EXPECT(HT_PROGRAM_UNLOADED == -5 && HT_TIMEOUT == -6 && HT_LAST_KERNEL_EXCP == -7);
        EXPECT(HT_MEM_RO == 1 && HT_MEM_WO == 2 && HT_MEM_RW == 3 && HT_MEM_CACHE == 4);
    }
    CASE("owner") {
        EXPECT(hthread_dev_owner(0) == 0 && hthread_get_avail_threads(0) == 0);
        open_cluster(0);
        EXPECT(hthread_dev_open(0) == 0 && hthread_dev_owner(0) == getpid());
        EXPECT(strcmp(hthread_dat_query(0), "kernel.dat") == 0 && hthread_dat_query(1) == NULL);
    }

    CASE("all_types") {
        double *values = hthread_malloc(0, THREADS * 8, HT_MEM_WO);
        uint64_t types[] = {-3, 253, -30000, 4000000000, -5000000000000, (uint64_t)failed,
                            bits(-0.1), bits_of_float(1.5f), 1, (uint64_t)values, 11, 12, 13};
        int group = hthread_group_create(0, 24, "all_types", 8, 5, types);
        memset(types, 0, sizeof types);
        EXPECT(hthread_get_avail_threads(0) == 0);
        EXPECT(hthread_group_wait(group) == 0 && hthread_group_wait(group) == 0);
        EXPECT(values[0] == -0.1 + 1.5 && values[23] == values[0]);
        expect_no_failure("all_types");
        EXPECT(hthread_group_destroy(group) == 0 && hthread_group_destroy(group) == -1);
    }
    RUN(3, "recursion");

    /* A resident group, created in each form. */
    CASE("resident") {
        long *words = hthread_malloc(0, THREADS * 8, HT_MEM_RW);
        uint64_t arguments[] = {(uint64_t)failed, (uint64_t)words};
        memset(words, 0, THREADS * 8);
        int first = hthread_group_create(0, 5);
        int second = hthread_group_create(0, 7, NULL, 0, 0, NULL);
        int masked = hthread_group_masked_create(0, 0x90f000, "whoami", 0, 2, arguments);
        EXPECT(first == 0 && second == 1 && masked == 2);
        EXPECT(hthread_get_avail_threads(0) == 24 - 5 - 7 - 6);
        EXPECT(hthread_group_wait(masked) == 0);
        EXPECT(words[12] == 6 && words[15] == 306 && words[20] == 406 && words[23] == 506);
        EXPECT(hthread_group_masked_create(0, 0x801000, "whoami", 0, 2, arguments) == -1);
        EXPECT(hthread_group_wait(first) == 0 && hthread_group_get_status(second) == 0);
        memset(words, 0, THREADS * 8);
        for (int i = 0; i < 20; i++) {
            EXPECT(hthread_group_exec(first, "add_one", 0, 2, arguments) == 0);
            if (i % 2)
                EXPECT(hthread_group_wait(first) == 0);
        }
        hthread_group_wait(first);
        EXPECT(words[0] == 20 && words[4] == 20 && words[5] == 0);
        hthread_group_exec(second, "whoami", 0, 2, arguments);
        hthread_group_wait(second);
        EXPECT(words[4] == 20 && words[5] == 7 && words[11] == 607);
        hthread_group_destroy(first);
        EXPECT(hthread_group_create(0, 2) == 0 && hthread_get_avail_threads(0) == 9);
        EXPECT(hthread_group_get_status(23) == -1 && hthread_group_wait(-5) == -1);
    }

    /* Several clusters. */
    CASE("clusters") {
        for (int cluster = 1; cluster < 4; cluster++) {
            int *mine = failed;
            open_cluster(cluster);
            long *own = hthread_malloc(cluster, THREADS * 8, HT_MEM_RW);
            memset(own, 0, THREADS * 8);
            uint64_t its[] = {(uint64_t)failed, (uint64_t)own};
            int group = hthread_group_create(cluster, 24, "whoami", 0, 2, its);
            EXPECT(group == 24 * cluster && hthread_group_wait(group) == 0 && own[23] == 2324);
            failed = mine;
        }
        EXPECT(hthread_dev_close(1) == 0 && hthread_dev_owner(1) == 0 && hthread_dev_open(1) == 0);
        EXPECT(hthread_dat_unload(0) == 0 && hthread_dat_query(0) == NULL);
    }
    return finish();
}
