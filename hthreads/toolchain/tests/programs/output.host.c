#include "check.h"

int main(void)
{
    open_cluster(0);
    uint64_t barrier = hthread_barrier_create(0);
    long *results = hthread_malloc(0, 64, HT_MEM_WO);
    CASE("print") {
        printf("before\n");
        int group = hthread_group_create(0, 3, "print", 1, 0, &barrier);
        hthread_group_wait(group);
        printf("after\n");
        hthread_group_destroy(group);
    }
    CASE("times") {
        uint64_t argument = (uint64_t)results;
        int group = hthread_group_create(0, 1, "times", 0, 1, &argument);
        hthread_group_wait(group);
        /* 2 ms at 1.2 GHz. */
        EXPECT(results[0] >= 2400000 && results[1] >= 2000);
        EXPECT(results[2] == 9 && results[3] == 0);
    }
    CASE("triggers") {
        int group = hthread_group_create(0, 2, "triggers", 0, 0, NULL);
        hthread_group_wait(group);
    }
    return finish();
}
