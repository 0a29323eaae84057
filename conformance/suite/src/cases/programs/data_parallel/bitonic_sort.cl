typedef struct {
    uint key;
    uint value;
} record;

#define SWAP(T, a, b)   \
    do {                \
        T kept = (a);   \
        (a) = (b);      \
        (b) = kept;     \
    } while (0)

/* The merge steps of distance `from` and less, among the group's 2 * local size records. */
void merge_in_group(local uint *keys, local uint *values, uint from, uint first, uint length) {
    const uint item = get_local_id(0);
    for (uint distance = from; distance > 0; distance >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint low = 2 * item - (item & (distance - 1)), high = low + distance;
        const bool up = ((first + low) & length) == 0;
        if ((keys[low] > keys[high]) == up) {
            SWAP(uint, keys[low], keys[high]);
            SWAP(uint, values[low], values[high]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

void load_block(global const record *block, local uint *keys, local uint *values) {
    for (uint i = get_local_id(0); i < 2 * get_local_size(0); i += get_local_size(0)) {
        keys[i] = block[i].key;
        values[i] = block[i].value;
    }
}

void store_block(global record *block, local const uint *keys, local const uint *values) {
    for (uint i = get_local_id(0); i < 2 * get_local_size(0); i += get_local_size(0)) {
        block[i].key = keys[i];
        block[i].value = values[i];
    }
}

/* Sorts blocks of 2 * local size records, alternately in ascending and descending order. */
kernel void sort_blocks(global record *records, local uint *keys, local uint *values) {
    const uint size = get_local_size(0), first = get_group_id(0) * 2 * size;
    load_block(records + first, keys, values);
    for (uint length = 2; length <= 2 * size; length <<= 1)
        merge_in_group(keys, values, length / 2, first, length);
    store_block(records + first, keys, values);
}

/* One merge step, between records too far apart for one group. */
kernel void merge_step(global record *records, uint distance, uint length) {
    const uint item = get_global_id(0);
    const uint low = 2 * item - (item & (distance - 1)), high = low + distance;
    if ((records[low].key > records[high].key) == ((low & length) == 0))
        SWAP(record, records[low], records[high]);
}

/* The remaining merge steps, within groups. */
kernel void merge_blocks(global record *records, local uint *keys, local uint *values,
                         uint length) {
    const uint size = get_local_size(0), first = get_group_id(0) * 2 * size;
    load_block(records + first, keys, values);
    merge_in_group(keys, values, size, first, length);
    store_block(records + first, keys, values);
}
