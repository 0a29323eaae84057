#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Inversion of an N x N matrix in place of [A | 1], N x 2N, with row pivoting. */
typedef struct {
    double size;
    uint row;
} pivot;

/* The row with the largest element in a column, from the diagonal down. One group. */
kernel void find_pivot(global const double *a, uint column, global uint *row) {
    local pivot found[GROUP];
    const uint item = get_local_id(0);
    pivot mine = {-1.0, 0};
    for (uint i = column + item; i < N; i += GROUP) {
        const double size = fabs(a[i * 2 * N + column]);
        if (size > mine.size) {
            mine.size = size;
            mine.row = i;
        }
    }
    found[item] = mine;
    for (uint stride = GROUP / 2; stride > 0; stride >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < stride && found[item + stride].size > found[item].size)
            found[item] = found[item + stride];
    }
    if (item == 0)
        *row = found[0].row;
}

/* Swaps the rows, and keeps the new pivot row: elimination changes it. */
kernel void swap_rows(global double *a, uint column, global const uint *row,
                      global double *pivot_row) {
    const uint j = get_global_id(0);
    const double here = a[column * 2 * N + j];
    const double there = a[*row * 2 * N + j];
    a[*row * 2 * N + j] = here;
    a[column * 2 * N + j] = there;
    pivot_row[j] = there;
}

/* All factors are computed before any row changes. */
kernel void take_factors(global const double *a, uint column, global double *factors) {
    const uint i = get_global_id(0);
    factors[i] = a[i * 2 * N + column];
}

kernel void eliminate(global double *a, uint column, global const double *factors,
                      global const double *pivot_row) {
    const uint j = get_global_id(0), i = get_global_id(1);
    global double *element = &a[i * 2 * N + j];
    const double scaled = pivot_row[j] / factors[column];
    *element = i == column ? scaled : fma(-factors[i], scaled, *element);
}
