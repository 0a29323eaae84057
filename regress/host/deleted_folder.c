// clang crashed in builds of a program whose current folder had been deleted.
// fixed by: 8d7ae05

#include "common.h"
#include <unistd.h>

int main(void)
{
    char folder[] = "/tmp/mocl3-test-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) || rmdir(folder))
        return 1;
    set_up();
    launch(10);
    OK(clFinish(queue));
    tear_down();
    return 0;
}
