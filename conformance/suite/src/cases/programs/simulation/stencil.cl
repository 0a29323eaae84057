/* One explicit step of the heat equation. The group's tile has a border of one cell. */
kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, 1)))
void diffuse(global const float *restrict from, global float *restrict to, int width,
             int height, float rate) {
    local float tile[TILE_Y + 2][TILE_X + 2];
    const int left = get_group_id(0) * TILE_X - 1, top = get_group_id(1) * TILE_Y - 1;
    const int lx = get_local_id(0), ly = get_local_id(1);

    /* Cells outside are as cold as the nearest cell inside: no heat leaves. */
    for (int y = ly; y < TILE_Y + 2; y += TILE_Y)
        for (int x = lx; x < TILE_X + 2; x += TILE_X) {
            const int sx = clamp(left + x, 0, width - 1);
            const int sy = clamp(top + y, 0, height - 1);
            tile[y][x] = from[sy * width + sx];
        }
    barrier(CLK_LOCAL_MEM_FENCE);

    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    local const float *here = &tile[ly + 1][lx + 1];
    const float around = here[-1] + here[1] + here[-(TILE_X + 2)] + here[TILE_X + 2];
    to[y * width + x] = mad(rate, around - 4 * *here, *here);
}
