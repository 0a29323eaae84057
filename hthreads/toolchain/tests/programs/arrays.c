#include "hthread_device.h"

__global__ void count(int *failed, long *threads)
{
    if (get_group_size() != 8)
        failed[get_thread_id()] = __LINE__;
    threads[get_thread_id()]++;
}
