/* C = alpha A B + beta C with 4 x 4 elements per work-item in registers and tiles in local memory.
 * Sizes are multiples of the tiles. */
#define TILE 32
#define DEPTH 8
#define ITEMS (TILE / 4)

kernel __attribute__((reqd_work_group_size(ITEMS, ITEMS, 1)))
__attribute__((vec_type_hint(float4)))
void matrix_product(const int n, const int k, const float alpha, const float beta,
                    const global float4 *restrict a, const global float4 *restrict b,
                    global float4 *restrict c) {
    local float a_tile[DEPTH][TILE] __attribute__((aligned(16)));
    local float4 b_tile[DEPTH][TILE / 4];
    const int x = get_local_id(0), y = get_local_id(1);
    const int row = get_group_id(1) * TILE, column = get_group_id(0) * (TILE / 4);
    const int item = y * ITEMS + x;
    float4 sum[4] = {0, 0, 0, 0};
    for (int first = 0; first < k; first += DEPTH) {
        /* 64 items load 32 x 8 elements of each, four at a time; A's become columns. */
        const int ar = item / 2, ak = item % 2;
        const float4 from_a = a[((row + ar) * k + first) / 4 + ak];
        a_tile[4 * ak][ar] = from_a.x;
        a_tile[4 * ak + 1][ar] = from_a.y;
        a_tile[4 * ak + 2][ar] = from_a.z;
        a_tile[4 * ak + 3][ar] = from_a.w;
        b_tile[y][x] = b[(first + y) * n / 4 + column + x];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            const float4 left = vload4(y, a_tile[i]), right = b_tile[i][x];
            sum[0] = mad(left.x, right, sum[0]);
            sum[1] = mad(left.y, right, sum[1]);
            sum[2] = mad(left.z, right, sum[2]);
            sum[3] = mad(left.w, right, sum[3]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 4; i++) {
        global float4 *to = &c[(row + 4 * y + i) * n / 4 + column + x];
        *to = alpha * sum[i] + beta * *to;
    }
}
