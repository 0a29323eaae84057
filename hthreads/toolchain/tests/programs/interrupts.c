#include "hthread_device.h"

#define CHECK(condition)                                    \
    do {                                                    \
        if (!(condition) && !failed[get_thread_id()])       \
            failed[get_thread_id()] = __LINE__;             \
    } while (0)

/* What each thread has taken: how many, and their numbers as digits. */
volatile long count[24];
volatile long numbers[24];
volatile int released;
volatile long other[24];

static void take(int number)
{
    int me = get_thread_id();
    numbers[me] = 100 * numbers[me] + number;
    count[me] = count[me] + 1;
}

static void take_other(int number)
{
    other[get_thread_id()] = number;
}

static void begin(unsigned int barrier)
{
    int me = get_thread_id();
    count[me] = numbers[me] = other[me] = 0;
    if (me == 0)
        released = 0;
    group_barrier(barrier);
}

/* The host answers each interrupt by one with the number that it got, as public programs do. */
__global__ void answered(int *failed, unsigned int barrier, long *asked)
{
    int me = get_thread_id();
    begin(barrier);
    CHECK(intr_handler_register(take) == 0);
    for (int i = 0; i < 3; i++) {
        cpu_interrupt(20 + i);
        while (count[me] <= i)
            ;
        CHECK(asked[me] == 20 + i);
    }
    CHECK(numbers[me] == 202122);
}

/* The host sends 16 and 59 to each thread, the first one before the threads begin. */
__global__ void sent(int *failed, unsigned int barrier)
{
    int me = get_thread_id();
    begin(barrier);
    intr_handler_register(take);
    while (count[me] < 2)
        ;
    CHECK(numbers[me] == 1659);
}

/* Handlers run while threads wait at a barrier or for a lock; the waits continue. */
__global__ void waiting(int *failed, unsigned int barrier, unsigned int lock)
{
    int me = get_thread_id(), size = get_group_size();
    begin(barrier);
    intr_handler_register(take);
    if (me == 0) {
        rwlock_wrlock(lock);
        cpu_interrupt(30);
        for (int i = 1; i < size; i++)
            while (count[i] < 1)
                ;
        rwlock_unlock(lock);
        CHECK(count[0] == 0);
    } else if (me % 2) {
        rwlock_rdlock(lock);
        CHECK(count[me] == 1 && numbers[me] == 30);
        rwlock_unlock(lock);
    }
    group_barrier(barrier);
    for (int i = 1; i < size; i++)
        CHECK(numbers[i] == 30);
}

static volatile unsigned int meeting;

static void meet(int number)
{
    take(number);
    core_barrier(meeting, 2);
    core_barrier(meeting, 2);
}

/* A handler waits itself, in a wait that it interrupts and that ends meanwhile. */
__global__ void nested(int *failed, unsigned int barrier, unsigned int second)
{
    int me = get_thread_id();
    begin(barrier);
    if (me == 0) {
        meeting = second;
        intr_handler_register(meet);
    } else if (me == 1) {
        dsp_sleep(1000);
        cpu_interrupt(40);
        core_barrier(second, 2);
    }
    group_barrier(barrier);
    if (me == 1)
        core_barrier(second, 2);
    CHECK(numbers[0] == 40);
}

/* Assembly waits for an interrupt. */
__global__ void idles(int *failed, unsigned int barrier)
{
    int me = get_thread_id();
    begin(barrier);
    if (me == 0) {
        intr_handler_register(take);
        __asm__ volatile("SWAIT");
        CHECK(numbers[0] == 40);
        __asm__ volatile("SWAIT");
        CHECK(numbers[0] == 4041);
    } else if (me == 1) {
        dsp_sleep(1000);
        cpu_interrupt(40);
        while (!numbers[0])
            ;
        dsp_sleep(1000);
        cpu_interrupt(41);
    }
}

/* Threads busy-wait one after the other for a variable that is not volatile, which compilers have to read again. */
static int turn;

#define COMPILER_BARRIER() __asm__ __volatile__("" ::: "memory")

__global__ void fenced(int *failed, unsigned int barrier)
{
    int me = get_thread_id(), size = get_group_size();
    if (me == 0)
        turn = 0;
    begin(barrier);
    for (int round = 0; round < 5; round++) {
        while (turn != round * size + me)
            COMPILER_BARRIER();
        other[me] = me ? other[me - 1] + 1 : round;
        turn = turn + 1;
    }
    while (turn != 5 * size)
        COMPILER_BARRIER();
    CHECK(other[me] == 4 + me);
}

/* The handler is replaced; interrupts that came before there was one are taken when there is. */
__global__ void replaced(int *failed, unsigned int barrier)
{
    int me = get_thread_id();
    begin(barrier);
    cpu_interrupt(50);
    dsp_sleep(1000);
    CHECK(intr_handler_register(take) == 0);
    while (count[me] < 1)
        ;
    CHECK(intr_handler_register(take_other) == (unsigned long)take);
    cpu_interrupt(51);
    while (!other[me])
        ;
    CHECK(other[me] == 51 && numbers[me] == 50 && intr_handler_register(NULL) == (unsigned long)take_other);
}

/* The host's handler starts a kernel on another group, and is called as often as it is interrupted. */
/* Sets what the host busy-waits for, when it can be interrupted. */
__global__ void polled(int *failed, volatile long *ready)
{
    (void)failed;
    int me = get_thread_id();
    count[me] = 0;
    intr_handler_register(take);
    ready[me] = 1;
    while (!count[me])
        ;
    ready[me] = 2;
}

__global__ void starts(void)
{
    cpu_interrupt(7 + get_thread_id());
    cpu_interrupt(100);
}

__global__ void started(int *failed, long *values)
{
    (void)failed;
    values[get_thread_id()] = 1 + get_thread_id();
}
