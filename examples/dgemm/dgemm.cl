/* C = A * B in double precision, all matrices n x n, row-major, n a multiple of BLOCK.
 *
 * One work-group makes one BLOCK x BLOCK tile of C; each of its work-items keeps
 * ROWS x 4 elements of it in registers. The tiles of A and B are brought into local
 * memory by async copies, into two pairs of buffers: while one pair is being
 * multiplied, the other is being filled.
 *
 * BLOCK, DEPTH and ROWS are given by the host with -D. */

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Starts the copy of a tile of `rows` rows of `columns` elements. Each row is
 * contiguous in global memory; the copies share one event. */
event_t copy_tile(__local double *tile, const __global double *matrix, uint stride,
                  uint rows, uint columns, event_t event)
{
    for (uint row = 0; row < rows; ++row)
        event = async_work_group_copy(tile + row * columns, matrix + (size_t)row * stride,
                                      (size_t)columns, event);
    return event;
}

__kernel __attribute__((reqd_work_group_size(BLOCK / 4, BLOCK / ROWS, 1)))
void dgemm(const uint n, const __global double *a, const __global double *b, __global double *c)
{
    __local double a_tile[2][BLOCK * DEPTH];
    __local double b_tile[2][DEPTH * BLOCK];

    const uint x = get_local_id(0);
    const uint y = get_local_id(1);
    const size_t first_column = get_group_id(0) * (size_t)BLOCK;
    const size_t first_row = get_group_id(1) * (size_t)BLOCK;

    const __global double *a_rows = a + first_row * n;
    const __global double *b_columns = b + first_column;

    double4 sum[ROWS];
    for (uint i = 0; i < ROWS; ++i)
        sum[i] = 0.0;

    const uint steps = n / DEPTH;
    event_t copied = copy_tile(a_tile[0], a_rows, n, BLOCK, DEPTH, 0);
    copied = copy_tile(b_tile[0], b_columns, n, DEPTH, BLOCK, copied);

    for (uint step = 0; step < steps; ++step) {
        const uint now = step & 1;
        wait_group_events(1, &copied);

        if (step + 1 < steps) {
            const size_t k = (size_t)(step + 1) * DEPTH;
            copied = copy_tile(a_tile[1 - now], a_rows + k, n, BLOCK, DEPTH, 0);
            copied = copy_tile(b_tile[1 - now], b_columns + k * n, n, DEPTH, BLOCK, copied);
        }

#pragma unroll 4
        for (uint k = 0; k < DEPTH; ++k) {
            const double4 b_row = vload4(x, b_tile[now] + k * BLOCK);
            for (uint i = 0; i < ROWS; ++i)
                sum[i] = fma((double4)(a_tile[now][(y * ROWS + i) * DEPTH + k]), b_row, sum[i]);
        }

        /* No work-item may overwrite a tile that another one still reads. */
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (uint i = 0; i < ROWS; ++i)
        vstore4(sum[i], x, c + (first_row + y * ROWS + i) * n + first_column);
}
