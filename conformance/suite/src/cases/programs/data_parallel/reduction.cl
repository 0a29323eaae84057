/* Smallest and largest element, where they are, and the sum: first in a group's own part, then
 * over what the groups found. */
typedef struct {
    long sum;
    struct {
        int value;
        uint place;
    } least, most;
} summary;

summary combine(summary a, summary b) {
    summary both = a;
    both.sum += b.sum;
    /* The first of equal values. */
    if (b.least.value < a.least.value ||
        (b.least.value == a.least.value && b.least.place < a.least.place))
        both.least = b.least;
    if (b.most.value > a.most.value ||
        (b.most.value == a.most.value && b.most.place < a.most.place))
        both.most = b.most;
    return both;
}

/* The local size need not be a power of two. */
summary of_group(summary mine, local summary *all) {
    const uint item = get_local_id(0);
    all[item] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint size = get_local_size(0); size > 1;) {
        const uint rest = (size + 1) / 2;
        if (item < size / 2)
            all[item] = combine(all[item], all[item + rest]);
        size = rest;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return all[0];
}

constant summary nothing = {0, {INT_MAX, UINT_MAX}, {INT_MIN, UINT_MAX}};

kernel void first_stage(global const int *values, uint count, global summary *results,
                        local summary *all) {
    summary mine = nothing;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
        const int value = values[i];
        const summary one = {value, {value, i}, {value, i}};
        mine = combine(mine, one);
    }
    mine = of_group(mine, all);
    if (get_local_id(0) == 0)
        results[get_group_id(0)] = mine;
}

kernel void last_stage(global summary *results, local summary *all) {
    const summary whole = of_group(results[get_local_id(0)], all);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        results[0] = whole;
}
