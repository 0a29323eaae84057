/* Sorts a line of letters per group by exchanging neighbours until nothing changes. The number of
 * rounds depends on the data. */
bool exchange(local uchar *line, uint left, uint length) {
    if (left + 1 >= length || line[left] <= line[left + 1])
        return false;
    const uchar kept = line[left];
    line[left] = line[left + 1];
    line[left + 1] = kept;
    return true;
}

kernel void sort_lines(global uchar *lines, global uint *rounds, local uchar *line, uint length) {
    local volatile int changed;
    const uint item = get_local_id(0);
    global uchar *mine = lines + get_group_id(0) * length;
    for (uint i = item; i < length; i += get_local_size(0))
        line[i] = mine[i];
    uint round = 0;
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0)
            changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (exchange(line, 2 * item, length))
            changed = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (exchange(line, 2 * item + 1, length))
            changed = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (++round > 2 * length)
            break;
    } while (changed);
    for (uint i = item; i < length; i += get_local_size(0))
        mine[i] = line[i];
    if (item == 0)
        rounds[get_group_id(0)] = round;
}
