/* With HT_MEM_LAYOUT_POS: SM has 64 KiB; the stack has a part, which ends at a multiple of 128 bytes, and the
 * library's tables have 1 KiB. */
#include "check.h"

int main(void)
{
    open_cluster(0);
    double stack = atof(getenv("HT_MEM_LAYOUT_POS"));
    int space = ((int)(65536 * (1 - stack) + 0.001) & ~127) - 1024;
    RUN(7, "sm_without_stack", space < 0 ? 0 : space);
    return finish();
}
