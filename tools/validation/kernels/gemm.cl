// c = a b: square matrices of n rows, row after row; groups of TILE x TILE work-items, one for
// each element of c.

kernel void naive(int n, global const double *a, global const double *b, global double *c)
{
    int column = get_global_id(0), row = get_global_id(1);
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

kernel void tiled(int n, global const double *a, global const double *b, global double *c)
{
    local double tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    a += get_group_id(1) * TILE * n;
    b += get_group_id(0) * TILE;
    double sum = 0;
    for (int at = 0; at < n; at += TILE) {
        event_t event = 0;
        for (int i = 0; i < TILE; i++) {
            event = async_work_group_copy(tile_a[i], a + i * n + at, TILE, event);
            event = async_work_group_copy(tile_b[i], b + (at + i) * n, TILE, event);
        }
        wait_group_events(1, &event);
        for (int k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[get_global_id(1) * n + get_global_id(0)] = sum;
}
