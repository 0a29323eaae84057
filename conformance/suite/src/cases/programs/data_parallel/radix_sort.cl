#define DIGITS (1 << BITS)

uint digit_of(int key, uint shift) {
    /* Negative keys come first. */
    return ((as_uint(key) ^ 0x80000000u) >> shift) & (DIGITS - 1);
}

/* Each work-item counts the digits of CHUNK keys; counts are ordered by digit, then item. */
kernel void count(global const int *restrict keys, global uint *restrict counts, uint shift) {
    const size_t item = get_global_id(0), items = get_global_size(0);
    ushort found[DIGITS] = {0};
    for (size_t i = 0; i < CHUNK; i++)
        ++found[digit_of(keys[item * CHUNK + i], shift)];
    for (size_t digit = 0; digit < DIGITS; digit++)
        counts[digit * items + item] = found[digit];
}

/* Counts become the numbers of keys before them. One work-group. */
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void scan(global uint *counts, uint total) {
    local uint sums[256];
    const uint item = get_local_id(0), each = total / 256;
    uint sum = 0;
    for (uint i = item * each; i < (item + 1) * each; ++i)
        sum += counts[i];
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < 256; distance *= 2) {
        const uint before = item >= distance ? sums[item - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[item] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint next = sums[item] - sum;
    for (uint i = item * each; i < (item + 1) * each; ++i) {
        const uint here = counts[i];
        counts[i] = next;
        next += here;
    }
}

kernel void scatter(global const int *restrict keys, global int *restrict sorted,
                    global const uint *restrict counts, uint shift) {
    const size_t item = get_global_id(0), items = get_global_size(0);
    uint next[DIGITS];
    for (size_t digit = 0; digit < DIGITS; digit++)
        next[digit] = counts[digit * items + item];
    for (size_t i = 0; i < CHUNK; i++) {
        const int key = keys[item * CHUNK + i];
        sorted[next[digit_of(key, shift)]++] = key;
    }
}
