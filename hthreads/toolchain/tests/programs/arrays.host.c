/* On a machine whose clusters have eight arrays. */
#include "check.h"

int main(void)
{
    open_cluster(0);
    long *threads = hthread_malloc(0, THREADS * 8, HT_MEM_RW);
    CASE("arrays") {
        EXPECT(hthread_get_avail_threads(0) == 8);
        memset(threads, 0, THREADS * 8);
        RUN(8, "count", (uint64_t)threads);
        for (int thread = 0; thread < THREADS; thread++)
            EXPECT(threads[thread] == (thread < 8));
        EXPECT(hthread_group_create(0, 8) == 0 && hthread_get_avail_threads(0) == 0);
    }
    hthread_free(threads);
    hthread_free(failed);
    hthread_dev_close(0);
    return finish();
}
