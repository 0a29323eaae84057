#include "check.h"

static volatile long *asked;
static int group;

static void answer(int id, unsigned long value)
{
    asked[id] = value;
    hthread_intr_send(group, id, value);
}

static void to_all(int id, unsigned long value)
{
    int threads = asked[0];
    EXPECT(id == 0);
    for (int thread = 1; thread < threads; thread++)
        hthread_intr_send(group, thread, value);
}

static void to_first(int id, unsigned long value)
{
    EXPECT(id == 1);
    hthread_intr_send(group, 0, value);
}

static long sums[THREADS];
static int second_group;

static void start(int id, unsigned long value)
{
    sums[id] = 1000 * sums[id] + value;
    if (id == 3 && value == 10) {
        uint64_t arguments[] = {(uint64_t)failed, (uint64_t)asked};
        EXPECT(hthread_group_exec(second_group, "started", 0, 2, arguments) == 0);
    }
}

/* Starts a kernel on the group. */
static void execute(const char *kernel, uint64_t first, uint64_t second)
{
    uint64_t arguments[] = {(uint64_t)failed, first, second};
    EXPECT(hthread_group_exec(group, kernel, 0, 3, arguments) == 0);
}

static void expect_end(const char *kernel)
{
    EXPECT(hthread_group_wait(group) == 0);
    expect_no_failure(kernel);
}

int main(void)
{
    open_cluster(0);
    int sizes[] = {1, 7, 24};
    int barrier = hthread_barrier_create(0), second = hthread_barrier_create(0);
    int lock = hthread_rwlock_create(0);
    asked = hthread_malloc(0, THREADS * sizeof *asked, HT_MEM_RW);
    for (int i = 0; i < 3; i++) {
        int size = sizes[i];
        group = hthread_group_create(0, size);
        CASE("answered") {
            EXPECT(hthread_handler_register(group, answer) == 0);
            execute("answered", barrier, (uint64_t)asked);
            expect_end("answered");
        }
        CASE("sent") {
            execute("sent", barrier, 0);
            for (int thread = size - 1; thread >= 0; thread--) {
                hthread_intr_send(group, thread, 16);
                hthread_intr_send(group, thread, 59);
            }
            expect_end("sent");
        }
        CASE("waiting") {
            asked[0] = size;
            EXPECT(hthread_handler_register(group, to_all) == (unsigned long)answer);
            execute("waiting", barrier, lock);
            expect_end("waiting");
        }
        CASE("nested") {
            hthread_handler_register(group, to_first);
            if (size > 1) {
                execute("nested", barrier, second);
                expect_end("nested");
            }
        }
        CASE("idles") {
            hthread_handler_register(group, to_first);
            if (size > 1) {
                execute("idles", barrier, 0);
                expect_end("idles");
            }
        }
        CASE("fenced") {
            execute("fenced", barrier, 0);
            expect_end("fenced");
        }
        CASE("replaced") {
            hthread_handler_register(group, answer);
            execute("replaced", barrier, 0);
            expect_end("replaced");
        }
        hthread_group_destroy(group);
    }
    CASE("polled") {
        group = hthread_group_create(0, 2);
        memset((void *)asked, 0, THREADS * sizeof *asked);
        execute("polled", (uint64_t)asked, 0);
        for (int thread = 0; thread < 2; thread++) {
            while (asked[thread] != 1)
                ;
            hthread_intr_send(group, thread, 33);
        }
        expect_end("polled");
        EXPECT(asked[0] == 2 && asked[1] == 2);
        hthread_group_destroy(group);
    }
    CASE("starts") {
        group = hthread_group_create(0, 7);
        second_group = hthread_group_create(0, 5);
        memset((void *)asked, 0, THREADS * sizeof *asked);
        EXPECT(hthread_handler_register(group, start) == 0);
        execute("starts", (uint64_t)asked, 0);
        expect_end("starts");
        EXPECT(hthread_group_wait(second_group) == 0);
        for (int thread = 0; thread < 7; thread++) {
            EXPECT(sums[thread] == (7 + thread) * 1000 + 100);
            EXPECT(asked[thread] == (thread < 5 ? 1 + thread : 0));
        }
        hthread_group_destroy(group);
        group = hthread_group_create(0, 7);
        EXPECT(hthread_handler_register(group, NULL) == 0);
    }
    return finish();
}
