#define TABLE "vsip.table.h"
#include "lanes.host.h"

int main(void)
{
    open_cluster(0);
    run_table();
    CASE("buffers") {
        long *out = hthread_malloc(0, 64, HT_MEM_WO);
        uint64_t argument = (uint64_t)out;
        int group = hthread_group_create(0, 1, "buffers", 0, 1, &argument);
        EXPECT(hthread_group_wait(group) == 0);
        EXPECT(out[0] == 1000 && out[1] == 0 && out[2] == 1);
    }
    RUN(1, "complex");
    hthread_free(failed);
    hthread_dev_close(0);
    return finish();
}
