#include "hthread_device.h"

#define CHECK(condition)                                    \
    do {                                                    \
        if (!(condition) && !failed[get_thread_id()])       \
            failed[get_thread_id()] = __LINE__;             \
    } while (0)

__gsm__ long slots[24];
__gsm__ long total, maximum;
volatile int turn;
volatile int ready[24];
long handed[24];

__global__ void barriers(int *failed, unsigned int all, unsigned int some)
{
    int me = get_thread_id(), size = get_group_size();
    CHECK(me >= 0 && me < size && get_group_cores() == (1u << size) - 1 && get_core_id() == me);
    for (long round = 1; round < 40; round++) {
        slots[me] = round * (me + 1);
        group_barrier(all);
        for (int i = 0; i < size; i++)
            CHECK(slots[i] == round * (i + 1));
        core_barrier(all, size);
    }
    /* Half of the threads at another unit. */
    int half = (size + 1) / 2;
    for (long round = 1; round < 10; round++) {
        if (me < half) {
            slots[me] = -round;
            core_barrier(some, half);
            CHECK(slots[half - 1] == -round && slots[0] == -round);
            core_barrier_wait(some, half, 1000);
        }
    }
}

__global__ void locks(int *failed, unsigned int lock, unsigned int barrier)
{
    int size = get_group_size();
    if (get_thread_id() == 0)
        total = maximum = 0;
    group_barrier(barrier);
    for (int i = 0; i < 25; i++) {
        rwlock_wrlock(lock);
        long seen = total;
        total = seen + 1;
        rwlock_unlock(lock);
        rwlock_rdlock(lock);
        CHECK(total > 0 && total <= 25 * size);
        rwlock_unlock(lock);
    }
    group_barrier(barrier);
    CHECK(total == 25 * size);
    /* Readers share; a writer is alone. */
    CHECK(rwlock_try_rdlock(lock) == 1);
    group_barrier(barrier);
    CHECK(rwlock_try_wrlock(lock) == 0);
    group_barrier(barrier);
    rwlock_unlock(lock);
    group_barrier(barrier);
    if (rwlock_try_wrlock(lock))
        maximum++;
    group_barrier(barrier);
    CHECK(maximum == 1);
    if (get_thread_id() == 0)
        rwlock_unlock(lock);
}

/* Data goes from thread to thread, which busy-wait for a variable. */
__global__ void ring(int *failed, unsigned int barrier)
{
    int me = get_thread_id(), size = get_group_size();
    ready[me] = 0;
    if (me == 0)
        turn = 0;
    group_barrier(barrier);
    for (int round = 0; round < 5; round++) {
        while (turn != round * size + me)
            ;
        handed[me] = me ? handed[me - 1] + 1 : round;
        turn = turn + 1;
    }
    if (me == 0)
        while (turn != 5 * size)
            ;
    CHECK(handed[me] == 4 + me);
}
