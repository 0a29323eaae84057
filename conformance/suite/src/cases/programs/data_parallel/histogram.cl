/* Counts bytes: 16 at a time, in local memory, then for all groups. */
#define BINS 256

void count_sixteen(uchar16 bytes, local uint *bins) {
    union {
        uchar16 vector;
        uchar byte[16];
    } each = {bytes};
    for (int i = 0; i < 16; i++)
        atomic_inc(&bins[each.byte[i]]);
}

kernel void histogram(global const uchar *restrict bytes, uint count, global uint *restrict bins) {
    local uint own[BINS];
    const uint item = get_local_id(0), size = get_local_size(0);
    for (uint bin = item; bin < BINS; bin += size)
        own[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint stride = get_global_size(0);
    for (uint i = get_global_id(0); i < count / 16; i += stride)
        count_sixteen(vload16(i, bytes), own);
    if (get_group_id(0) == 0)
        for (uint i = count / 16 * 16 + item; i < count; i += size)
            atomic_inc(own + bytes[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = item; bin < BINS; bin += size)
        if (own[bin])
            atomic_add(bins + bin, own[bin]);
}
