/* The scalar stack has the part of SM that HT_MEM_LAYOUT_POS says, or all of it apart from the library's KiB; the
 * vector stack has AM. */
#include "check.h"

/* The exception of a kernel. */
static int exception(const char *kernel, long argument)
{
    long *place = hthread_malloc(0, sizeof *place, HT_MEM_RW);
    *place = 0;
    uint64_t arguments[] = {(uint64_t)failed, argument, (uint64_t)place};
    int group = hthread_group_create(0, 1, kernel, 1, 2, arguments);
    int number = hthread_group_wait(group);
    hthread_group_destroy(group);
    hthread_free(place);
    return number;
}

int main(void)
{
    open_cluster(0);
    /* KiB of the scalar stack. */
    const char *layout = getenv("HT_MEM_LAYOUT_POS");
    int all = layout ? (int)(atof(layout) * 64) : 63;
    int is_in_ddr = all == 0;
    CASE("nests") {
        /* Each frame has some bytes more than a KiB. */
        int fits = is_in_ddr ? 200 : all - all / 8;
        EXPECT(exception("nests", fits) == 0);
        if (!is_in_ddr)
            EXPECT(exception("nests", all + 1) == 11);
    }
    CASE("large") {
        EXPECT(exception("large", 0) == (is_in_ddr || all > 60 ? 0 : 11));
        EXPECT(exception("large", 1) == (is_in_ddr ? 0 : 11));
    }
    CASE("known_late") {
        EXPECT(exception("known_late", (is_in_ddr ? 64 : all - 1) * 1024) == 0);
        if (!is_in_ddr)
            EXPECT(exception("known_late", (all + 1) * 1024) == 11);
    }
    CASE("vectors") {
        EXPECT(exception("vectors", 0) == 0);
        EXPECT(exception("vectors", 1) == 10);
    }
    return finish();
}
