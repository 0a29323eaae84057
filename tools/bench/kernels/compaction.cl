// The values above a limit, one after another in any order.
kernel void compaction(global const int *values, global int *kept, global int *count, int limit)
{
    int value = values[get_global_id(0)];
    if (value > limit)
        kept[atomic_inc(count)] = value;
}
