// Symmetric updates of c, n x n, by matrices of n rows and m columns: work-items of one row of c
// read different rows of a and b.

// c = beta c + alpha (a b^T + b a^T)
kernel void syr2k(global const float *a, global const float *b, global float *c, float alpha,
                  float beta, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= n || j >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < m; k++) {
        sum += a[i * m + k] * b[j * m + k];
        sum += b[i * m + k] * a[j * m + k];
    }
    c[i * n + j] = beta * c[i * n + j] + alpha * sum;
}

// c = beta c + alpha a a^T, summed in global memory.
kernel void syrk(global const float *a, global float *c, float alpha, float beta, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < m; k++)
            c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
    }
}
