/* A program that uses libMT, and nothing of hthreads. */
#include "check.h"
#include "libmt.h"

/* Runs a function on a set of cores that is open. */
static int run_on(unsigned int mask, const char *function, int count, const uint64_t *arguments)
{
    EXPECT(mt_set_entry(1, mask, function) == 0);
    EXPECT(mt_load_args(1, mask, count, arguments) == 0);
    EXPECT(mt_run(1, mask) == 0);
    return mt_wait(1, mask);
}

int main(void)
{
    CASE("mt_init") {
        EXPECT(mt_init(4) == -1);
        EXPECT(mt_open_core(1, 1) == -1);
        EXPECT(mt_init(1) == 0 && mt_init(1) == 0);
    }
    CASE("load") {
        EXPECT(mt_load_dat(1, "missing.dat") == -1);
        EXPECT(mt_load_dat(1, "kernel.out") == -1);
        EXPECT(mt_load_dat(1, "kernel.dat") == 0);
        EXPECT(mt_load_dat(2, "kernel.dat") == -1);
    }
    long *results = mt_malloc(1, 96 * sizeof *results);
    CASE("addresses") {
        char *block = mt_malloc(1, 100);
        unsigned long address = mt_phyaddr(block + 99);
        EXPECT(address != 0 && mt_viraddr(address) == block + 99);
        EXPECT(mt_phyaddr(block + 100) == 0 && mt_phyaddr(NULL) == 0);
        int own;
        EXPECT(mt_phyaddr(&own) == 0 && mt_viraddr(12345) == NULL);
        mt_free(block);
        EXPECT(mt_phyaddr(block) == 0);
        mt_free(NULL);
        EXPECT(mt_malloc(3, 100) == NULL);
    }
    CASE("cores") {
        EXPECT(mt_open_core(1, 0) == -1);
        EXPECT(mt_open_core(1, 0x0000f0) == 0);
        EXPECT(mt_open_core(1, 0x000180) == -1);
        EXPECT(mt_close_core(1, 0x000010) == -1);
        EXPECT(mt_close_core(1, 0x0000f0) == 0);
        EXPECT(mt_close_core(1, 0x0000f0) == -1);
    }
    unsigned int masks[] = {0x000001, 0x8000a4, 0xffffff};
    for (int i = 0; i < 3; i++) {
        unsigned int mask = masks[i];
        int size = __builtin_popcount(mask);
        CASE("runs") {
            EXPECT(mt_open_core(1, mask) == 0);
            EXPECT(mt_run(1, mask) == -1);
            uint64_t arguments[31] = {mt_phyaddr(results), 7, (uint64_t)-3};
            EXPECT(run_on(mask, "identify", 3, arguments) == 0);
            for (int thread = 0, core = 0; thread < size; thread++, core++) {
                while (!(mask >> core & 1))
                    core++;
                long *found = results + 4 * thread;
                EXPECT(found[0] == core && found[1] == size && found[2] == mask && found[3] == 4);
            }
            EXPECT(mt_load_args(1, mask, 31, arguments) == -1);
            EXPECT(mt_set_entry(1, mask, "missing") == 0);
            EXPECT(mt_run(1, mask) == -1);
            EXPECT(run_on(mask, "fails", 0, NULL) == (size > 1 ? 22 : 0));
            EXPECT(mt_close_core(1, mask) == 0);
        }
        CASE("resumed") {
            uint64_t argument = mt_phyaddr(results);
            memset(results, 0, 24 * sizeof *results);
            EXPECT(mt_open_core(1, mask) == 0);
            EXPECT(mt_set_entry(1, mask, "again") == 0 && mt_load_args(1, mask, 1, &argument) == 0);
            /* Only cores that have been fired answer interrupts. */
            EXPECT(mt_xrun(1, mask) == -1);
            EXPECT(mt_run(1, mask) == 0 && mt_wait(1, mask) == 0);
            /* Waits for the one before. */
            EXPECT(mt_xrun(1, mask) == 0 && mt_xrun(1, mask) == 0 && mt_xwait(1, mask) == 0);
            for (int thread = 0; thread < 24; thread++)
                EXPECT(results[thread] == (thread < size ? 3 : 0));
            EXPECT(mt_close_core(1, mask) == 0);
        }
        CASE("answers") {
            uint64_t argument = mt_phyaddr(results);
            mt_flush(results, 24 * sizeof *results);
            EXPECT(mt_open_core(1, mask) == 0);
            EXPECT(mt_set_entry(1, mask, "answers") == 0 && mt_load_args(1, mask, 1, &argument) == 0);
            EXPECT(mt_run(1, mask) == 0);
            for (int core = 0; core < 24; core++)
                EXPECT(mt_send_intr(1, mask, core, 30 + core % 20) == (mask >> core & 1 ? 0 : -1));
            EXPECT(mt_send_intr(1, mask, 0, 60) == -1);
            EXPECT(mt_wait(1, mask) == 0);
            mt_inv(results, 24 * sizeof *results);
            for (int core = 0, thread = 0; core < 24; core++)
                if (mask >> core & 1)
                    EXPECT(results[thread++] == 30 + core % 20);
            EXPECT(mt_close_core(1, mask) == 0);
        }
    }
    /* Ends a kernel that never ends; memory and image stay. */
    CASE("reset") {
        uint64_t argument = mt_phyaddr(results);
        results[0] = 0;
        EXPECT(mt_open_core(1, 3) == 0);
        EXPECT(mt_set_entry(1, 3, "forever") == 0 && mt_load_args(1, 3, 1, &argument) == 0);
        EXPECT(mt_run(1, 3) == 0);
        while (!*(volatile long *)results)
            ;
        EXPECT(mt_reset_cluster(1) == 0);
        EXPECT(mt_wait(1, 3) == -1);
        EXPECT(mt_open_core(1, 7) == 0);
        EXPECT(run_on(7, "again", 1, &argument) == 0 && results[0] == 2);
        EXPECT(mt_reset_cluster(2) == -1);
    }
    CASE("mt_exit") {
        EXPECT(mt_exit(1) == 0);
        EXPECT(mt_malloc(1, 100) == NULL && mt_wait(1, 7) == -1);
    }
    return finish();
}
