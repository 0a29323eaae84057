#include "check.h"

int main(void)
{
    open_cluster(0);
    RUN(2, "memory");
    RUN(1, "floating");
    RUN(1, "integers");
    RUN(24, "exchange");
    hthread_free(failed);
    hthread_dev_close(0);
    return finish();
}
