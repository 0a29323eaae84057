#define BLOCK 512

// Blelloch's exclusive scan of BLOCK elements by each group of BLOCK / 2, in place; the blocks'
// sums are written to `sums`.
kernel void scan_blocks(global uint *values, global uint *sums)
{
    local uint tree[BLOCK];
    uint i = get_local_id(0);
    size_t start = get_group_id(0) * BLOCK;
    tree[2 * i] = values[start + 2 * i];
    tree[2 * i + 1] = values[start + 2 * i + 1];
    uint distance = 1;
    for (uint pairs = BLOCK / 2; pairs > 0; pairs /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < pairs)
            tree[distance * (2 * i + 2) - 1] += tree[distance * (2 * i + 1) - 1];
        distance *= 2;
    }
    if (i == 0) {
        sums[get_group_id(0)] = tree[BLOCK - 1];
        tree[BLOCK - 1] = 0;
    }
    for (uint pairs = 1; pairs < BLOCK; pairs *= 2) {
        distance /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < pairs) {
            uint left = distance * (2 * i + 1) - 1, right = distance * (2 * i + 2) - 1;
            uint before = tree[left];
            tree[left] = tree[right];
            tree[right] += before;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    values[start + 2 * i] = tree[2 * i];
    values[start + 2 * i + 1] = tree[2 * i + 1];
}

// Adds to each element the sum of the blocks before its block.
kernel void add_sums(global uint *values, global const uint *sums)
{
    size_t start = get_group_id(0) * BLOCK + get_local_id(0);
    uint sum = sums[get_group_id(0)];
    values[start] += sum;
    values[start + BLOCK / 2] += sum;
}
