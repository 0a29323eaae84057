#include "check.h"

int main(void)
{
    open_cluster(0);
    CASE("multiply") {
        for (uint64_t k = 2; k <= 512; k *= 4) {
            uint64_t arguments[] = {k, 1, (uint64_t)failed};
            int group = hthread_group_create(0, 3, "multiply", 2, 1, arguments);
            EXPECT(hthread_group_wait(group) == 0);
            hthread_group_destroy(group);
            expect_no_failure("multiply");
        }
    }
    CASE("only_multiply") {
        for (int which = 0; which < 2; which++)
            for (uint64_t k = 2; k <= 512; k += 510) {
                uint64_t arguments[] = {k, which};
                int group = hthread_group_create(0, 1, "only_multiply", 2, 0, arguments);
                EXPECT(hthread_group_wait(group) == 0);
                hthread_group_destroy(group);
            }
    }
    RUN(24, "passes_arguments");
    RUN(24, "calls_c");
    RUN(24, "shares_variables");
    RUN(24, "shares_lane_mask");
    RUN(24, "has_statements");
    RUN(24, "has_statements_with_vectors");
    RUN(24, "has_statements_with_exits");
    RUN(24, "has_statements_with_outputs");
    RUN(24, "has_statements_with_memory");
    uint64_t *words = hthread_malloc(0, THREADS * sizeof *words, HT_MEM_RW);
    memset(words, 0, THREADS * sizeof *words);
    RUN(24, "add_id", (uint64_t)words);
    for (int thread = 0; thread < THREADS; thread++)
        EXPECT(words[thread] == (uint64_t)thread);
    return finish();
}
