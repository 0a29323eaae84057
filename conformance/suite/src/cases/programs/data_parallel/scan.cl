/* Work-efficient exclusive scan (Blelloch) of blocks, padded against bank conflicts. */
#define PLACE(i) ((i) + ((i) >> 5))

void up_sweep(local uint *tree, uint length) {
    uint offset = 1;
    for (uint active = length >> 1; active > 0; active >>= 1, offset <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint item = get_local_id(0);
        if (item < active)
            tree[PLACE(offset * (2 * item + 2) - 1)] += tree[PLACE(offset * (2 * item + 1) - 1)];
    }
}

void down_sweep(local uint *tree, uint length) {
    uint offset = length;
    for (uint active = 1; active < length; active <<= 1) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint item = get_local_id(0);
        if (item < active) {
            const uint left = PLACE(offset * (2 * item + 1) - 1);
            const uint right = PLACE(offset * (2 * item + 2) - 1);
            const uint kept = tree[left];
            tree[left] = tree[right];
            tree[right] += kept;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void scan_blocks(global uint *values, uint count, global uint *sums, local uint *tree) {
    const uint item = get_local_id(0), length = 2 * get_local_size(0);
    const uint first = get_group_id(0) * length;
    const uint low = first + item, high = first + item + length / 2;
    tree[PLACE(item)] = low < count ? values[low] : 0;
    tree[PLACE(item + length / 2)] = high < count ? values[high] : 0;
    up_sweep(tree, length);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        sums[get_group_id(0)] = tree[PLACE(length - 1)];
        tree[PLACE(length - 1)] = 0;
    }
    down_sweep(tree, length);
    if (low < count)
        values[low] = tree[PLACE(item)];
    if (high < count)
        values[high] = tree[PLACE(item + length / 2)];
}

kernel void add_sums(global uint *values, uint count, global const uint *sums, uint block) {
    const uint item = get_global_id(0);
    if (item < count)
        values[item] += sums[item / block];
}
