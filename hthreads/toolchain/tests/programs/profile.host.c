/* In simulated time. `mocl3 stat` is compared with what is printed. */
#include "check.h"

#define EVENTS 26

static unsigned long *counts;

static void profile(unsigned long n, unsigned long *found)
{
    uint64_t arguments[] = {(uint64_t)failed, n, (uint64_t)counts};
    memset(counts, 0xff, (2 * EVENTS + 1) * sizeof *counts);
    int group = hthread_group_create(0, 1, "profiled", 1, 2, arguments);
    EXPECT(hthread_group_wait(group) == 0);
    hthread_group_destroy(group);
    memcpy(found, counts, (2 * EVENTS + 1) * sizeof *counts);
}

/* What 1,000 iterations more of a kernel count. */
static void count(const char *kernel, unsigned long *more)
{
    long *data = hthread_malloc(0, 1100 * 64, HT_MEM_RO);
    memset(data, 0, 1100 * 64);
    unsigned long before[EVENTS];
    for (uint64_t n = 100; n <= 1100; n += 1000) {
        uint64_t arguments[] = {(uint64_t)failed, n, (uint64_t)data, (uint64_t)counts};
        int group = hthread_group_create(0, 1, kernel, 1, 3, arguments);
        EXPECT(hthread_group_wait(group) == 0);
        hthread_group_destroy(group);
        memcpy(n == 100 ? before : more, counts, sizeof before);
    }
    for (int event = 0; event < EVENTS; event++)
        more[event] -= before[event];
    hthread_free(data);
    /* Cycles are packets with instructions, waits between them, and stalls. */
    EXPECT(more[0] == more[11] + more[12] + more[13]);
}

static int interrupted;

static void answer(int id, unsigned long number)
{
    hthread_intr_send(interrupted, id, number);
}

int main(void)
{
    open_cluster(0);
    counts = hthread_malloc(0, (2 * EVENTS + 1) * sizeof *counts, HT_MEM_RW);
    unsigned long less[2 * EVENTS + 1], more[2 * EVENTS + 1];
    CASE("profiled") {
        profile(100, less);
        profile(1100, more);
        /* Three products and sums, fused from -O1 on, and a branch in each of 1,000 iterations. */
        for (int unit = 21; unit <= 23; unit++)
            EXPECT(more[unit] - less[unit] >= 1000 && more[unit] - less[unit] <= 2000);
        EXPECT(more[18] - less[18] >= 1000);
        EXPECT(more[0] > less[0] + 1000);
        for (int event = 0; event < EVENTS; event++) {
            /* Reading others takes cycles and instructions. */
            EXPECT(less[EVENTS + event] >= less[event]);
            int is_counted = event < 7 || event > 10;
            EXPECT(is_counted || less[event] == 0);
        }
        EXPECT(less[2 * EVENTS] == 0);
    }
    if (getenv("HT_CASES")) {
        unsigned long found[EVENTS];
        CASE("assembled") {
            count("assembled", found);
            EXPECT(found[1] == 1000 && found[3] == 3000 && found[12] == 5000 && found[13] == 2000);
            /* Each line is missed once. The miss takes what DDR takes longer than the cache. */
            EXPECT(found[4] == 1000 && found[5] == 1000 && found[11] == 1000 * (260 - 7));
            EXPECT(found[18] == 1000 && found[19] == 2000);
        }
        CASE("loads") {
            count("loads", found);
            EXPECT(found[1] == 1000 && found[4] == 1000 && found[5] == 0);
            /* Addition, increment and comparison take one unit three cycles, in which the others issue as well. */
            EXPECT(found[3] == 3000 && found[12] == 0 && found[13] == 3000);
            EXPECT(found[15] == 3000 && found[18] == 1000 && found[19] == 1000);
            /* Lines of code, if the program cache has no room for the loop's five instructions. */
            const char *lines = getenv("HT_CODE_LINES");
            EXPECT(found[6] == (lines ? 1000ul * atoi(lines) : 0));
        }
        CASE("branches") {
            count("branches", found);
            /* In four iterations, the loop's own, three past the call, the call and the return are taken. */
            EXPECT(found[1] == 250 * 9 && found[18] == 250 * 10);
            /* The variable is loaded and stored. */
            EXPECT(found[4] == 0 && found[5] == 250 * 2 && found[19] == 250 * 2);
        }
        CASE("interrupted") {
            uint64_t arguments[] = {(uint64_t)failed, (uint64_t)counts};
            interrupted = hthread_group_create(0, 1);
            hthread_handler_register(interrupted, answer);
            hthread_group_exec(interrupted, "interrupted", 0, 2, arguments);
            EXPECT(hthread_group_wait(interrupted) == 0);
            EXPECT(counts[0] == 2 && counts[1] == 2);
        }
    } else {
        for (int event = 0; event < EVENTS; event++)
            printf("%lu ", more[event] - less[event]);
    }
    return finish();
}
