/* Local alignment with affine gaps. A group aligns one pair; a work-item computes one row,
 * and the group goes along the antidiagonals. */
constant char similarity[4][4] = {{5, -4, -1, -4}, {-4, 5, -4, -1}, {-1, -4, 5, -4}, {-4, -1, -4, 5}};

typedef struct {
    ushort query_start, query_length;
    uint reference_start;
    ushort reference_length;
    ushort unused;
} pair;

typedef struct __attribute__((packed)) {
    ushort score;
    uchar query_end;
    ushort reference_end;
} alignment;

kernel void align(global const char *queries, global const char *references,
                  global const pair *pairs, global alignment *results) {
    local short best_of_row[3][ROWS + 1];
    local short gap_down[2][ROWS + 1];
    local uint best;
    const pair task = pairs[get_group_id(0)];
    const int row = get_local_id(0);
    const int rows = task.query_length, columns = task.reference_length;
    if (row == 0) {
        best = 0;
        /* The row above the first. */
        for (int i = 0; i < 3; i++)
            best_of_row[i][0] = 0;
        for (int i = 0; i < 2; i++)
            gap_down[i][0] = -1000;
    }
    for (int i = 0; i < 3; i++)
        best_of_row[i][row + 1] = 0;
    for (int i = 0; i < 2; i++)
        gap_down[i][row + 1] = -1000;
    barrier(CLK_LOCAL_MEM_FENCE);

    short gap_right = -1000;
    for (int diagonal = 0; diagonal < rows + columns - 1; ++diagonal) {
        const int column = diagonal - row;
        local short *now = best_of_row[diagonal % 3];
        local short *last = best_of_row[(diagonal + 2) % 3];
        local short *before = best_of_row[(diagonal + 1) % 3];
        if (row < rows && column >= 0 && column < columns) {
            const char q = queries[task.query_start + row];
            const char r = references[task.reference_start + column];
            const short left = column ? last[row + 1] : (short)0;
            const short corner = column ? before[row] : (short)0;
            gap_right = max((short)(gap_right - EXTEND), (short)(left - OPEN));
            const short down = max((short)(gap_down[(diagonal + 1) % 2][row] - EXTEND),
                                   (short)(last[row] - OPEN));
            short score = max((short)(corner + similarity[q][r]), (short)0);
            score = max(score, max(gap_right, down));
            now[row + 1] = score;
            gap_down[diagonal % 2][row + 1] = down;
            /* The first of equal scores, by rows, then columns. */
            atomic_max(&best, (uint)score << 20 | (0xFFFFF - (uint)(row << 10 | column)));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row == 0) {
        const uint place = 0xFFFFF - (best & 0xFFFFF);
        alignment result = {(ushort)(best >> 20), (uchar)(place >> 10), (ushort)(place & 1023)};
        if (best == 0)
            result = (alignment){0, 0, 0};
        results[get_group_id(0)] = result;
    }
}
