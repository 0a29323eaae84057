#define TABLE "intrinsics.table.h"
#include "lanes.host.h"

static long *in, *out;

/* Runs a kernel that reads `in` and writes `out`. */
static void transform(const char *kernel)
{
    uint64_t arguments[] = {(uint64_t)in, (uint64_t)out};
    int group = hthread_group_create(0, 1, kernel, 0, 2, arguments);
    EXPECT(hthread_group_wait(group) == 0);
    hthread_group_destroy(group);
}

int main(void)
{
    open_cluster(0);
    run_table();
    in = hthread_malloc(0, 512, HT_MEM_RO);
    out = hthread_malloc(0, 1024, HT_MEM_WO);
    for (int i = 0; i < 64; i++)
        in[i] = bits(i);
    CASE("windows") {
        transform("windows");
        EXPECT(!memcmp(out, in + 1, 128) && !memcmp(out + 16, in + 15, 128));
        for (int i = 0; i < 64; i++) {
            double number;
            float halves[2];
            memcpy(&number, out + 32 + i, 8);
            memcpy(halves, out + 32 + i, 8);
            EXPECT(i < 3 || i >= 19 || number == 2.5);
            EXPECT(i < 33 || i >= 49 || (halves[0] == 1.5f && halves[1] == 1.5f));
            EXPECT((i >= 3 && i < 19) || (i >= 33 && i < 49) || out[32 + i] == in[i]);
        }
    }
    CASE("reinterprets") {
        transform("reinterprets");
        EXPECT(!memcmp(out, in, 128) && !memcmp(out + 16, in, 128));
        for (int i = 0; i < 16; i++) {
            EXPECT(out[32 + i] == (long)((unsigned long)in[i] >> 32));
            EXPECT(out[48 + i] == (in[i] & 0x7fffffffffffffff));
            EXPECT(((double *)out)[64 + i] == 6 && ((float *)out)[160 + 2 * i] == 2.5f);
        }
    }
    const char *through[] = {"through_v16df", "through_v16di", "through_v32sf",
                             "through_v32si", "through_mvcgc", "through_vmvcgc"};
    for (int kernel = 0; kernel < 6; kernel++)
        CASE(through[kernel]) {
            transform(through[kernel]);
            for (int i = 0; i < 16; i++)
                EXPECT(out[i] == (i == 5 ? 77 : in[i]));
        }
    for (int n = 0; n < 16; n++) {
        static char name[16][8];
        sprintf(name[n], "svr%d", n);
        CASE(name[n]) {
            transform(name[n]);
            EXPECT(out[0] == in[n] && out[1] == in[n] + 1 && out[2] == 2 * n + 1 && out[3] == 4 * n + 2);
        }
    }
    hthread_free(failed);
    hthread_dev_close(0);
    return finish();
}
