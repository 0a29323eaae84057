#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Tridiagonal systems by cyclic reduction: each row eliminates its neighbours at distance 1, 2, 4 ...
 * One system per group, one row per work-item; any number of rows. */
typedef struct {
    double below, diagonal, above, right;
} row;

row eliminate(local const row *rows, int i, int distance, int count) {
    row mine = rows[i];
    const row none = {0, 1, 0, 0};
    const row up = i - distance >= 0 ? rows[i - distance] : none;
    const row down = i + distance < count ? rows[i + distance] : none;
    const double a = -mine.below / up.diagonal, c = -mine.above / down.diagonal;
    mine.below = a * up.below;
    mine.above = c * down.above;
    mine.diagonal += a * up.above + c * down.below;
    mine.right += a * up.right + c * down.right;
    return mine;
}

kernel void solve(global const row *systems, global double *solutions, local row *rows) {
    const int i = get_local_id(0), count = get_local_size(0);
    rows[i] = systems[get_global_id(0)];
    for (int distance = 1; distance < count; distance <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const row mine = eliminate(rows, i, distance, count);
        barrier(CLK_LOCAL_MEM_FENCE);
        rows[i] = mine;
    }
    solutions[get_global_id(0)] = rows[i].right / rows[i].diagonal;
}
