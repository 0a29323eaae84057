// Each work-item reads the 25 pixels around its own from global memory.

constant float weight[5] = {1 / 16.f, 4 / 16.f, 6 / 16.f, 4 / 16.f, 1 / 16.f};

kernel __attribute__((reqd_work_group_size(64, 16, 1)))
void smooth(global const float *in, global float *out, int pitch) {
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++)
            sum += weight[dy] * weight[dx] * in[(y + dy) * pitch + x + dx];
    out[y * get_global_size(0) + x] = sum;
}
