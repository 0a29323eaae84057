#include "check.h"

int main(void)
{
    open_cluster(0);
    int sizes[] = {1, 7, 24}, units[64];
    int first = -1, second = -1, lock = -1;
    CASE("create") {
        first = hthread_barrier_create(0), second = hthread_barrier_create(0);
        EXPECT(first == 0 && second == 1);
        lock = hthread_rwlock_create(0);
        EXPECT(lock == 0);
    }
    for (int i = 0; i < 3; i++) {
        RUN(sizes[i], "barriers", first, second);
        RUN(sizes[i], "locks", lock, first);
        RUN(sizes[i], "ring", second);
    }
    CASE("exhausted") {
        for (int i = 2; i < 16; i++)
            EXPECT((units[i] = hthread_barrier_create(0)) == i);
        EXPECT(hthread_barrier_create(0) == -1);
        hthread_barrier_destroy(units[9]);
        EXPECT(hthread_barrier_create(0) == 9);
        for (int i = 1; i < 64; i++)
            EXPECT(hthread_rwlock_create(0) == i);
        EXPECT(hthread_rwlock_create(0) == -1);
        hthread_rwlock_destroy(5);
        EXPECT(hthread_rwlock_create(0) == 5);
        hthread_barrier_destroy(1000);
        hthread_rwlock_destroy(-1);
        EXPECT(hthread_barrier_create(3) == -1);
    }

    /* Ids of other clusters. */
    CASE("clusters") {
        open_cluster(2);
        int barrier = hthread_barrier_create(2);
        EXPECT(barrier == 32);
        uint64_t arguments[] = {(uint64_t)failed, barrier, hthread_barrier_create(2)};
        int group = hthread_group_create(2, 24, "barriers", 2, 1, arguments);
        EXPECT(group == 48 && hthread_group_wait(group) == 0);
        expect_no_failure("barriers");
        EXPECT(hthread_rwlock_create(2) == 128);
    }
    return finish();
}
