typedef struct {
    uint key;
    uint value;
} record;

#define EXCHANGE(a, b, up)                                                                \
    do {                                                                                  \
        if (((a).key > (b).key) == (up)) {                                                \
            record kept = (a);                                                            \
            (a) = (b);                                                                    \
            (b) = kept;                                                                   \
        }                                                                                 \
    } while (0)

/* The merge steps of distance `from` and less, among the group's 2 * local size records. */
void merge_in_group(local record *part, uint from, uint first, uint length) {
    const uint item = get_local_id(0);
    for (uint distance = from; distance > 0; distance >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint low = 2 * item - (item & (distance - 1));
        const bool up = ((first + low) & length) == 0;
        EXCHANGE(part[low], part[low + distance], up);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Sorts blocks of 2 * local size records, alternately in ascending and descending order. */
kernel void sort_blocks(global record *records, local record *part) {
    const uint size = get_local_size(0), item = get_local_id(0);
    const uint first = get_group_id(0) * 2 * size;
    part[item] = records[first + item];
    part[item + size] = records[first + item + size];
    for (uint length = 2; length <= 2 * size; length <<= 1)
        merge_in_group(part, length / 2, first, length);
    records[first + item] = part[item];
    records[first + item + size] = part[item + size];
}

/* One merge step, between records too far apart for one group. */
kernel void merge_step(global record *records, uint distance, uint length) {
    const uint item = get_global_id(0);
    const uint low = 2 * item - (item & (distance - 1));
    EXCHANGE(records[low], records[low + distance], (low & length) == 0);
}

/* The remaining merge steps, within groups. */
kernel void merge_blocks(global record *records, local record *part, uint length) {
    const uint size = get_local_size(0), item = get_local_id(0);
    const uint first = get_group_id(0) * 2 * size;
    part[item] = records[first + item];
    part[item + size] = records[first + item + size];
    merge_in_group(part, size, first, length);
    records[first + item] = part[item];
    records[first + item + size] = part[item + size];
}
