#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Cholesky decomposition by tiles of B x B; each kernel does one tile, by one group of B items. */
typedef global double *restrict tile;

/* A tile on the diagonal: L with L L^T = A. */
kernel void factor(tile a) {
    local double l[B][B + 1];
    const int row = get_local_id(0);
    for (int j = 0; j < B; j++)
        l[row][j] = a[row * B + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < B; k++) {
        if (row == k)
            l[k][k] = sqrt(l[k][k]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row > k)
            l[row][k] /= l[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = k + 1; j <= row; j++)
            l[row][j] -= l[row][k] * l[j][k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int j = 0; j < B; j++)
        a[row * B + j] = j <= row ? l[row][j] : 0;
}

/* A tile below the diagonal: X with X L^T = A, row by row. */
kernel void solve(global const double *restrict l, tile a) {
    const int row = get_local_id(0);
    double x[B];
    for (int j = 0; j < B; j++) {
        x[j] = a[row * B + j];
        for (int k = 0; k < j; k++)
            x[j] -= x[k] * l[j * B + k];
        x[j] /= l[j * B + j];
    }
    for (int j = 0; j < B; j++)
        a[row * B + j] = x[j];
}

/* A -= X Y^T; X and Y may be the same tile. */
kernel void update(global const double *x, global const double *y, tile a) {
    const int row = get_local_id(0);
    for (int j = 0; j < B; j++) {
        double sum = 0;
        for (int k = 0; k < B; k++)
            sum = fma(x[row * B + k], y[j * B + k], sum);
        a[row * B + j] -= sum;
    }
}
