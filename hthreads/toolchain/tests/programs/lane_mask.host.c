#include "check.h"

static double *in, *out;

static void launch(int threads, const char *kernel, uint64_t first)
{
    uint64_t arguments[] = {first, (uint64_t)in, (uint64_t)out};
    if (!strcmp(kernel, "threads"))
        arguments[1] = arguments[2];
    int group = hthread_group_create(0, threads, kernel, 1, 2, arguments);
    EXPECT(hthread_group_wait(group) == 0);
    hthread_group_destroy(group);
}

int main(void)
{
    open_cluster(0);
    in = hthread_malloc(0, 256 * 8, HT_MEM_RO);
    out = hthread_malloc(0, THREADS * 128, HT_MEM_WO);
    const unsigned masks[] = {0xffff, 0, 1, 0x8000, 0x00ff, 0xa5a5};
    for (int i = 0; i < 256; i++)
        in[i] = 10 + i;
    CASE("assigns")
    for (int m = 0; m < 6; m++) {
        /* What memory holds where nothing is stored is what the buffer held: that is not checked. */
        launch(1, "assigns", masks[m]);
        for (int i = 0; i < 16; i++) {
            int on = masks[m] >> i & 1;
            EXPECT(!on || (out[16 + i] == -1 && out[32 + i] == in[i]));
            double b = on ? 2 * in[i] : 5, c = on ? in[i] + b : in[i];
            EXPECT(out[48 + i] == b + c);
        }
    }
    CASE("tail")
    for (int count = 1; count < 256; count += 5) {
        double sums[16] = {0};
        for (int i = 0; i < count; i++)
            sums[i % 16] += in[i];
        launch(1, "tail", count);
        for (int i = 0; i < 16; i++)
            EXPECT(out[i] == sums[i] && out[16 + i] == 0);
    }
    CASE("sizes")
    for (int m = 0; m < 6; m++) {
        int *words = (int *)in, *found = (int *)out;
        for (int i = 0; i < 32; i++)
            words[i] = i * 70001 - 5;
        launch(1, "sizes", masks[m]);
        for (int i = 0; i < 32; i++) {
            int on = masks[m] >> i / 2 & 1;
            EXPECT(found[i] == (on ? words[i] + 3 : 1));
            EXPECT(((float *)out)[32 + i] == (on ? (float)words[i] : 1));
            EXPECT(found[64 + i] == (on ? words[i] : 0x10001));
        }
        for (int i = 0; i < 16; i++)
            in[i] = 10 + i;
    }
    CASE("calls")
    for (int m = 0; m < 6; m++) {
        launch(1, "calls", masks[m]);
        for (int i = 0; i < 16; i++)
            EXPECT(out[i] == (masks[m] >> i & 1 ? in[i] + 1 : 0.5));
    }
    CASE("threads")
    for (int again = 0; again < 2; again++) {
        launch(24, "threads", hthread_barrier_create(0));
        for (int i = 0; i < 24 * 16; i++)
            EXPECT(out[i] == (i % 16 == i / 16 % 16 ? 2 : 1));
    }
    hthread_free(failed);
    hthread_dev_close(0);
    return finish();
}
