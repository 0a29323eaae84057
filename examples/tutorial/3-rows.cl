// Each work-item computes ROWS pixels of a column. The sum over the five columns is computed once
// for each row of the tile and then used for up to five pixels.

#define WIDTH 64
#define HEIGHT 16

constant float weight[5] = {1 / 16.f, 4 / 16.f, 6 / 16.f, 4 / 16.f, 1 / 16.f};

kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void smooth(global const float *in, global float *out, int pitch) {
    local float tile[HEIGHT * ROWS + 4][WIDTH + 4];
    global const float *corner =
        in + get_group_id(1) * HEIGHT * ROWS * pitch + get_group_id(0) * WIDTH;
    event_t copied = 0;
    for (int row = 0; row < HEIGHT * ROWS + 4; row++)
        copied = async_work_group_copy(tile[row], corner + row * pitch, WIDTH + 4, copied);
    wait_group_events(1, &copied);

    int x = get_local_id(0), y = get_local_id(1) * ROWS;
    float across[ROWS + 4];
    for (int row = 0; row < ROWS + 4; row++) {
        across[row] = 0;
        for (int dx = 0; dx < 5; dx++)
            across[row] += weight[dx] * tile[y + row][x + dx];
    }
    for (int row = 0; row < ROWS; row++) {
        float sum = 0;
        for (int dy = 0; dy < 5; dy++)
            sum += weight[dy] * across[row + dy];
        out[(get_global_id(1) * ROWS + row) * get_global_size(0) + get_global_id(0)] = sum;
    }
}
