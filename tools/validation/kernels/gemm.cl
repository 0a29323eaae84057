// c = a b: square matrices of n rows, row after row; groups of COLUMNS x ROWS work-items, one for
// each element of c, and steps of DEPTH elements of each sum.

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
    local double tile_a[ROWS][DEPTH], tile_b[DEPTH][COLUMNS];
    int x = get_local_id(0), y = get_local_id(1);
    a += get_group_id(1) * ROWS * n;
    b += get_group_id(0) * COLUMNS;
    double sum = 0;
    for (int at = 0; at < n; at += DEPTH) {
        event_t event = 0;
        for (int i = 0; i < ROWS; i++)
            event = async_work_group_copy(tile_a[i], a + i * n + at, DEPTH, event);
        for (int i = 0; i < DEPTH; i++)
            event = async_work_group_copy(tile_b[i], b + (at + i) * n, COLUMNS, event);
        wait_group_events(1, &event);
        for (int k = 0; k < DEPTH; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[get_global_id(1) * n + get_global_id(0)] = sum;
}
