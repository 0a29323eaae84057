/* The folder that a program runs in may be deleted. */
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
