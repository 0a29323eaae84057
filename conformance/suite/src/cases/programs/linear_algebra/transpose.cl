/* A tile goes through local memory, so that rows are read and written as rows; the spare column
 * keeps columns in different banks. TILE x ROWS work-items. */
kernel void transpose(global const TYPE *restrict from, global TYPE *restrict to, uint width,
                      uint height) {
    local TYPE tile[TILE][TILE + 1];
    const size_t lx = get_local_id(0), ly = get_local_id(1);
    size_t x = get_group_id(0) * TILE + lx, y = get_group_id(1) * TILE + ly;
    for (size_t i = 0; i < TILE; i += ROWS)
        if (x < width && y + i < height)
            tile[ly + i][lx] = from[(y + i) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + lx;
    y = get_group_id(0) * TILE + ly;
    for (size_t i = 0; i < TILE; i += ROWS)
        if (x < height && y + i < width)
            to[(y + i) * height + x] = tile[lx][ly + i];
}
