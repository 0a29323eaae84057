#include "check.h"

int main(void)
{
    open_cluster(0);
    RUN(2, "all_functions");
    RUN(1, "special_values");
    hthread_free(failed);
    hthread_dev_close(0);
    return finish();
}
