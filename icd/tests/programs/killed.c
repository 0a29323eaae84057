/* Is killed while a command runs. */
#include "common.h"
#include <signal.h>

int main(void)
{
    set_up();
    launch(10);
    OK(clFinish(queue));
    launch(1 << 20);
    raise(SIGKILL);
}
