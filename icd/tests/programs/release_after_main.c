/* Objects of static storage are released by handlers that run after main. */
#include "common.h"

__attribute__((destructor)) static void last(void)
{
    tear_down();
}

int main(void)
{
    set_up();
    launch(1000);
    return 0;
}
