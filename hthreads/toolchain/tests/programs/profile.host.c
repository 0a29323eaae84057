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
            int is_counted = event == 0 || event >= 15;
            EXPECT(is_counted || less[event] == 0);
        }
        EXPECT(less[2 * EVENTS] == 0);
    }
    if (getenv("HT_CASES")) {
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
