#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* One row per work-item. */
kernel void by_item(global const uint *starts, global const uint *columns,
                    global const double *values, global const double *x, global double *y,
                    uint rows) {
    const uint row = get_global_id(0);
    if (row >= rows)
        return;
    double sum = 0;
    for (uint i = starts[row]; i != starts[row + 1]; ++i)
        sum = fma(values[i], x[columns[i]], sum);
    y[row] = sum;
}

double sum_of_group(double mine, local double *partial) {
    const uint item = get_local_id(0);
    partial[item] = mine;
    for (uint half_size = get_local_size(0) / 2; half_size; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_size)
            partial[item] += partial[item + half_size];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return partial[0];
}

/* One row per work-group at a time. */
__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void by_group(global const uint *starts, global const uint *columns,
                     global const double *values, global const double *x, global double *y,
                     uint rows) {
    local double partial[32];
    for (uint row = get_group_id(0); row < rows; row += get_num_groups(0)) {
        double sum = 0;
        for (uint i = starts[row] + get_local_id(0); i < starts[row + 1]; i += 32)
            sum += values[i] * x[columns[i]];
        sum = sum_of_group(sum, partial);
        if (get_local_id(0) == 0)
            y[row] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
