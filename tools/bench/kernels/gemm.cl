// `real` is float or double.

// One work-item for each element of c = a b; matrices of n rows, row after row.
kernel void naive_gemm(global const real *a, global const real *b, global real *c, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    real sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

// As naive_gemm, with tiles of a and b in local memory. Groups of TILE x TILE.
#define TILE 16
kernel void tiled_gemm(global const real *a, global const real *b, global real *c, int n)
{
    local real tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_global_id(0), row = get_global_id(1);
    real sum = 0;
    for (int tile = 0; tile < n; tile += TILE) {
        tile_a[y][x] = a[row * n + tile + x];
        tile_b[y][x] = b[(tile + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

// Tiles of BLOCK x BLOCK, whose rows are copied while the ones before are used. Groups of
// 16 x 16, four elements for each work-item.
#define BLOCK 32
event_t fetch(local real tile_a[BLOCK][BLOCK], local real tile_b[BLOCK][BLOCK],
              global const real *a, global const real *b, int n, event_t event)
{
    for (int row = 0; row < BLOCK; row++) {
        event = async_work_group_copy(tile_a[row], a + row * n, BLOCK, event);
        event = async_work_group_copy(tile_b[row], b + row * n, BLOCK, event);
    }
    return event;
}

kernel void async_gemm(global const real *a, global const real *b, global real *c, int n)
{
    local real tile_a[2][BLOCK][BLOCK], tile_b[2][BLOCK][BLOCK];
    int x = get_local_id(0), y = get_local_id(1);
    a += get_group_id(1) * BLOCK * n;
    b += get_group_id(0) * BLOCK;
    c += get_group_id(1) * BLOCK * n + get_group_id(0) * BLOCK;
    real sum[2][2] = {{0, 0}, {0, 0}};
    event_t event = fetch(tile_a[0], tile_b[0], a, b, n, 0);
    for (int tile = 0; tile < n / BLOCK; tile++) {
        int now = tile % 2;
        wait_group_events(1, &event);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tile + 1 < n / BLOCK)
            event = fetch(tile_a[1 - now], tile_b[1 - now], a + (tile + 1) * BLOCK,
                          b + (tile + 1) * BLOCK * n, n, 0);
        for (int k = 0; k < BLOCK; k++) {
            real a0 = tile_a[now][y][k], a1 = tile_a[now][y + 16][k];
            real b0 = tile_b[now][k][x], b1 = tile_b[now][k][x + 16];
            sum[0][0] += a0 * b0;
            sum[0][1] += a0 * b1;
            sum[1][0] += a1 * b0;
            sum[1][1] += a1 * b1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            c[(y + i * 16) * n + x + j * 16] = sum[i][j];
}

// Tiles of 64 x 64 in steps of 16, a square of 4 x 4 elements in registers for each
// work-item. Groups of 16 x 16.
#define SIDE 64
#define DEPTH 16
kernel void blocked_gemm(global const real *a, global const real *b, global real *c, int n)
{
    local real tile_a[DEPTH][SIDE], tile_b[DEPTH][SIDE];
    int x = get_local_id(0), y = get_local_id(1);
    int row = get_group_id(1) * SIDE, column = get_group_id(0) * SIDE;
    real sum[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            sum[i][j] = 0;
    for (int tile = 0; tile < n; tile += DEPTH) {
        for (int i = 0; i < 4; i++) {
            tile_a[x][y + 16 * i] = a[(row + y + 16 * i) * n + tile + x];
            tile_b[y][x + 16 * i] = b[(tile + y) * n + column + x + 16 * i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < DEPTH; k++) {
            real of_a[4], of_b[4];
            for (int i = 0; i < 4; i++) {
                of_a[i] = tile_a[k][y + 16 * i];
                of_b[i] = tile_b[k][x + 16 * i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += of_a[i] * of_b[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(row + y + 16 * i) * n + column + x + 16 * j] = sum[i][j];
}
