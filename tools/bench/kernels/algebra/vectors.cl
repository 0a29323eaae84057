// Products of matrices, row after row, with vectors.

// y = a x: a row for each work-item.
kernel void rows(global const float *a, global const float *x, global float *y, int n, int m)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int j = 0; j < m; j++)
        sum += a[i * m + j] * x[j];
    y[i] = sum;
}

// y = a^T x: a column for each work-item.
kernel void columns(global const float *a, global const float *x, global float *y, int n, int m)
{
    int j = get_global_id(0);
    if (j >= m)
        return;
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum += a[i * m + j] * x[i];
    y[j] = sum;
}

// The same two, summed in global memory.
kernel void rows_in_memory(global const float *a, global const float *p, global float *q, int n,
                           int m)
{
    int i = get_global_id(0);
    if (i < n) {
        q[i] = 0.0f;
        for (int j = 0; j < m; j++)
            q[i] += a[i * m + j] * p[j];
    }
}

kernel void columns_in_memory(global const float *a, global const float *r, global float *s, int n,
                              int m)
{
    int j = get_global_id(0);
    if (j < m) {
        s[j] = 0.0f;
        for (int i = 0; i < n; i++)
            s[j] += a[i * m + j] * r[i];
    }
}

// A row and a column of the square matrix in one loop.
kernel void rows_and_columns(global const float *a, global const float *y1, global const float *y2,
                             global float *x1, global float *x2, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        float sum1 = x1[i], sum2 = x2[i];
        for (int j = 0; j < n; j++) {
            sum1 += a[i * n + j] * y1[j];
            sum2 += a[j * n + i] * y2[j];
        }
        x1[i] = sum1;
        x2[i] = sum2;
    }
}

// y = alpha a x + beta b x
kernel void two_matrices(global const float *a, global const float *b, global const float *x,
                         global float *y, float alpha, float beta, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        float of_a = 0.0f, of_b = 0.0f;
        for (int j = 0; j < n; j++) {
            of_a += a[i * n + j] * x[j];
            of_b += b[i * n + j] * x[j];
        }
        y[i] = alpha * of_a + beta * of_b;
    }
}

// y = a x by float4: a row for each group of 64.
kernel void rows_by_groups(global const float4 *a, global const float4 *x, global float *y, int quads)
{
    local float partial[64];
    int item = get_local_id(0), row = get_group_id(0);
    float4 sum = (float4)(0.0f);
    for (int j = item; j < quads; j += 64)
        sum += a[row * quads + j] * x[j];
    partial[item] = sum.x + sum.y + sum.z + sum.w;
    for (int count = 32; count > 0; count /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < count)
            partial[item] += partial[item + count];
    }
    if (item == 0)
        y[row] = partial[0];
}
