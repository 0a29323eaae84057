/* Shortest paths between all nodes by blocks: the pivot block, then the blocks in its row and
 * column, then all others. Two blocks are kept in local memory. */
typedef local uint (*tile)[BLOCK];

void relax(tile to, tile first, tile second, bool each_step) {
    const uint x = get_local_id(0), y = get_local_id(1);
    uint best = to[y][x];
    for (uint k = 0; k < BLOCK; k++) {
        best = min(best, add_sat(first[y][k], second[k][x]));
        /* Where a block depends on itself, each step must see the one before. */
        if (each_step) {
            barrier(CLK_LOCAL_MEM_FENCE);
            to[y][x] = best;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    to[y][x] = best;
}

void load(tile to, global const uint *distances, uint row, uint column) {
    const uint x = get_local_id(0), y = get_local_id(1);
    to[y][x] = distances[(row * BLOCK + y) * NODES + column * BLOCK + x];
}

void store(tile from, global uint *distances, uint row, uint column) {
    const uint x = get_local_id(0), y = get_local_id(1);
    distances[(row * BLOCK + y) * NODES + column * BLOCK + x] = from[y][x];
}

kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1)))
void pivot_block(global uint *distances, uint pivot) {
    local uint own[BLOCK][BLOCK];
    load(own, distances, pivot, pivot);
    barrier(CLK_LOCAL_MEM_FENCE);
    relax(own, own, own, true);
    store(own, distances, pivot, pivot);
}

/* Group y = 0: the pivot's row; 1: its column. */
kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1)))
void row_and_column(global uint *distances, uint pivot) {
    local uint own[BLOCK][BLOCK], middle[BLOCK][BLOCK];
    const uint other = get_group_id(0);
    if (other == pivot)
        return;
    const bool is_row = get_group_id(1) == 0;
    load(middle, distances, pivot, pivot);
    load(own, distances, is_row ? pivot : other, is_row ? other : pivot);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_row)
        relax(own, middle, own, true);
    else
        relax(own, own, middle, true);
    store(own, distances, is_row ? pivot : other, is_row ? other : pivot);
}

kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1)))
void others(global uint *distances, uint pivot) {
    local uint own[BLOCK][BLOCK], left[BLOCK][BLOCK], above[BLOCK][BLOCK];
    const uint row = get_group_id(1), column = get_group_id(0);
    if (row == pivot || column == pivot)
        return;
    load(own, distances, row, column);
    load(left, distances, row, pivot);
    load(above, distances, pivot, column);
    barrier(CLK_LOCAL_MEM_FENCE);
    relax(own, left, above, false);
    store(own, distances, row, column);
}
