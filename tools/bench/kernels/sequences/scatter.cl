// Elements go where sums of all that is before them point. Groups of GROUP elements.

#define GROUP 256
#define DIGITS 16

// The sum of the values of the group's work-items before this one; `total` is that of all.
uint sum_before(uint value, local uint *sums, uint *total)
{
    uint item = get_local_id(0);
    sums[item] = value;
    for (uint distance = 1; distance < GROUP; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint other = item >= distance ? sums[item - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[item] += other;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = sums[GROUP - 1];
    uint before = sums[item] - value;
    barrier(CLK_LOCAL_MEM_FENCE);
    return before;
}

// Replaces each of `length` counts by the sum of those before. One group.
kernel void scan_counts(global uint *counts, uint length)
{
    local uint sums[GROUP];
    uint before = 0;
    for (uint start = 0; start < length; start += GROUP) {
        uint i = start + get_local_id(0);
        uint count = i < length ? counts[i] : 0;
        uint total;
        uint sum = before + sum_before(count, sums, &total);
        if (i < length)
            counts[i] = sum;
        before += total;
    }
}

kernel void count_kept(global const int *values, global uint *counts, int threshold)
{
    local uint sums[GROUP];
    uint total;
    sum_before(values[get_global_id(0)] > threshold, sums, &total);
    if (get_local_id(0) == 0)
        counts[get_group_id(0)] = total;
}

// Keeps the order of the values.
kernel void keep(global const int *values, global const uint *starts, global int *kept,
                 int threshold)
{
    local uint sums[GROUP];
    int value = values[get_global_id(0)];
    uint total;
    uint before = sum_before(value > threshold, sums, &total);
    if (value > threshold)
        kept[starts[get_group_id(0)] + before] = value;
}

// How often each digit occurs in a group: first all groups' numbers of the digit 0, and so on.
kernel void count_digits(global const uint *keys, global uint *counts, uint shift)
{
    local uint own[DIGITS];
    uint item = get_local_id(0);
    if (item < DIGITS)
        own[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&own[keys[get_global_id(0)] >> shift & (DIGITS - 1)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < DIGITS)
        counts[item * get_num_groups(0) + get_group_id(0)] = own[item];
}

// Sorts the group's keys by the digit, a bit at a time, and moves them to the digits' places.
kernel void move_digits(global const uint *keys, global const uint *starts, global uint *sorted,
                        uint shift)
{
    local uint sums[GROUP], own[GROUP], firsts[DIGITS];
    uint item = get_local_id(0);
    uint key = keys[get_global_id(0)];
    for (uint bit = 1; bit < DIGITS; bit *= 2) {
        bool is_zero = (key >> shift & bit) == 0;
        uint zeros;
        uint before = sum_before(is_zero, sums, &zeros);
        own[is_zero ? before : zeros + item - before] = key;
        barrier(CLK_LOCAL_MEM_FENCE);
        key = own[item];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint digit = key >> shift & (DIGITS - 1);
    if (item == 0 || (own[item - 1] >> shift & (DIGITS - 1)) != digit)
        firsts[digit] = item;
    barrier(CLK_LOCAL_MEM_FENCE);
    sorted[starts[digit * get_num_groups(0) + get_group_id(0)] + item - firsts[digit]] = key;
}
