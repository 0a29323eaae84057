#define BINS 256

// The number of occurrences of each value. A group counts in local memory, then adds its counts to
// the result.
kernel void histogram(global const uchar *values, global uint *counts, uint per_item)
{
    local uint bins[BINS];
    uint lane = get_local_id(0), size = get_local_size(0);
    for (uint bin = lane; bin < BINS; bin += size)
        bins[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    global const uchar *mine = values + (size_t)get_group_id(0) * size * per_item;
    for (uint i = 0; i < per_item; i++)
        atomic_inc(&bins[mine[i * size + lane]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = lane; bin < BINS; bin += size)
        atomic_add(&counts[bin], bins[bin]);
}
