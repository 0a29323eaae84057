#include "check.h"

static char *source;

static int stream(int threads, unsigned long blocks)
{
    uint64_t arguments[] = {(uint64_t)failed, (uint64_t)source, blocks};
    return hthread_group_create(0, threads, "stream", 1, 2, arguments);
}

static void stream_again(int group, unsigned long blocks)
{
    uint64_t arguments[] = {(uint64_t)failed, (uint64_t)source, blocks};
    EXPECT(hthread_group_exec(group, "stream", 1, 2, arguments) == 0);
}

static void end(int group)
{
    EXPECT(hthread_group_wait(group) == 0);
    EXPECT(hthread_group_destroy(group) == 0);
}

int main(void)
{
    open_cluster(0);
    source = hthread_malloc(0, 64 * 1024, HT_MEM_RO);
    memset(source, 1, 64 * 1024);

    /* Alone, and both at once; the host takes its time between the calls. */
    end(stream(8, 400));
    int first = stream(8, 400);
    usleep(20000);
    int second = stream(8, 400);
    usleep(20000);
    end(first);
    end(second);

    /* The first group ends, and runs again while the second one still does. */
    first = stream(8, 100);
    second = stream(8, 400);
    EXPECT(hthread_group_wait(first) == 0);
    usleep(20000);
    stream_again(first, 100);
    end(first);
    end(second);

    /* The program asks until they have ended. */
    first = stream(8, 100);
    second = stream(8, 200);
    while (hthread_group_get_status(first) == 1)
        continue;
    while (hthread_group_get_status(second) == 1)
        continue;
    end(first);
    end(second);

    /* Turns, by the time at which they are taken. */
    int lock = hthread_rwlock_create(0);
    long *turns = hthread_malloc(0, 100 * sizeof *turns, HT_MEM_RW);
    memset(turns, 0, 100 * sizeof *turns);
    uint64_t slow[] = {(uint64_t)failed, (uint64_t)turns, lock, 1, 4, 3000};
    uint64_t fast[] = {(uint64_t)failed, (uint64_t)turns, lock, 2, 12, 1000};
    first = hthread_group_create(0, 1, "take_turns", 4, 2, slow);
    second = hthread_group_create(0, 1, "take_turns", 4, 2, fast);
    end(first);
    end(second);
    for (int i = 1; i <= turns[0]; i++)
        printf("%ld", turns[i]);
    printf("\n");
    return finish();
}
