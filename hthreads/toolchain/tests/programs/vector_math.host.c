#define TABLE "vector_math.table.h"
#include "lanes.host.h"

int main(void)
{
    open_cluster(0);
    run_table();
    const uint64_t none[1] = {0};
    run(24, "exponents", 0, none);
    run(7, "special_values", 0, none);
    hthread_free(failed);
    hthread_dev_close(0);
    return finish();
}
