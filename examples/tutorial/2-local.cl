// The work-group copies the pixels that it needs to local memory and reads them there.

#define WIDTH 64
#define HEIGHT 16

constant float weight[5] = {1 / 16.f, 4 / 16.f, 6 / 16.f, 4 / 16.f, 1 / 16.f};

kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void smooth(global const float *in, global float *out, int pitch) {
    local float tile[HEIGHT + 4][WIDTH + 4];
    global const float *corner =
        in + get_group_id(1) * HEIGHT * pitch + get_group_id(0) * WIDTH;
    event_t copied = 0;
    for (int row = 0; row < HEIGHT + 4; row++)
        copied = async_work_group_copy(tile[row], corner + row * pitch, WIDTH + 4, copied);
    wait_group_events(1, &copied);

    int x = get_local_id(0), y = get_local_id(1);
    float sum = 0;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++)
            sum += weight[dy] * weight[dx] * tile[y + dy][x + dx];
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}
