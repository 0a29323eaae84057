// One step: elements `stride` apart, in runs of `length` that alternately rise and fall.
kernel void bitonic_step(global uint *keys, uint stride, uint length)
{
    uint i = get_global_id(0);
    uint low = 2 * i - (i & (stride - 1));
    uint a = keys[low], b = keys[low + stride];
    bool rising = (low & length) == 0;
    if ((a > b) == rising) {
        keys[low] = b;
        keys[low + stride] = a;
    }
}

#define BLOCK 512

void local_step(local uint *keys, uint i, uint stride, bool rising)
{
    uint low = 2 * i - (i & (stride - 1));
    uint a = keys[low], b = keys[low + stride];
    if ((a > b) == rising) {
        keys[low] = b;
        keys[low + stride] = a;
    }
}

// All steps of runs of up to BLOCK elements, by groups of BLOCK / 2.
kernel void bitonic_sort_blocks(global uint *keys)
{
    local uint block[BLOCK];
    uint i = get_local_id(0);
    uint start = get_group_id(0) * BLOCK;
    block[i] = keys[start + i];
    block[i + BLOCK / 2] = keys[start + i + BLOCK / 2];
    for (uint length = 2; length <= BLOCK; length *= 2) {
        bool rising = ((start + 2 * i) & length) == 0;
        for (uint stride = length / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            local_step(block, i, stride, rising);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    keys[start + i] = block[i];
    keys[start + i + BLOCK / 2] = block[i + BLOCK / 2];
}

// The last steps, with strides below BLOCK, of runs of `length`.
kernel void bitonic_merge_blocks(global uint *keys, uint length)
{
    local uint block[BLOCK];
    uint i = get_local_id(0);
    uint start = get_group_id(0) * BLOCK;
    bool rising = (start & length) == 0;
    block[i] = keys[start + i];
    block[i + BLOCK / 2] = keys[start + i + BLOCK / 2];
    for (uint stride = BLOCK / 2; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        local_step(block, i, stride, rising);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    keys[start + i] = block[i];
    keys[start + i + BLOCK / 2] = block[i + BLOCK / 2];
}
