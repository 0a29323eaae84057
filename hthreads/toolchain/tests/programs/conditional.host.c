#define TABLE "conditional.table.h"
#include "lanes.host.h"

int main(void)
{
    open_cluster(0);
    run_table();
    hthread_free(failed);
    hthread_dev_close(0);
    return finish();
}
