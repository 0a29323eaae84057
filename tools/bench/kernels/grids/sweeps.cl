// Sweeps over grids in global memory, row after row.

// The mean of a point and its four neighbours.
kernel void jacobi(global const float *from, global float *to, int n)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1)
        to[i * n + j] = 0.2f * (from[i * n + j] + from[i * n + j - 1] + from[i * n + j + 1] +
                                from[(i + 1) * n + j] + from[(i - 1) * n + j]);
}

kernel void copy_back(global const float *from, global float *to, int n)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1)
        to[i * n + j] = from[i * n + j];
}

// Electric fields in two directions and the magnetic field across them, finite differences in
// time.
kernel void electric_y(global const float *source, global float *ey, global const float *hz, int n,
                       int step)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < n) {
        if (i == 0)
            ey[i * n + j] = source[step];
        else
            ey[i * n + j] = ey[i * n + j] - 0.5f * (hz[i * n + j] - hz[(i - 1) * n + j]);
    }
}

kernel void electric_x(global float *ex, global const float *hz, int n)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < n && j > 0)
        ex[i * n + j] = ex[i * n + j] - 0.5f * (hz[i * n + j] - hz[i * n + j - 1]);
}

kernel void magnetic(global const float *ex, global const float *ey, global float *hz, int n)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n - 1 && j < n - 1)
        hz[i * n + j] = hz[i * n + j] - 0.7f * (ex[i * n + j + 1] - ex[i * n + j] +
                                                ey[(i + 1) * n + j] - ey[i * n + j]);
}

// Weighted sums of 3 x 3 x 3 points; a work-item takes one line across the planes.
kernel void convolution_3d(global const float *in, global float *out, constant float *weights, int n)
{
    int k = get_global_id(0), j = get_global_id(1);
    if (j < 1 || j >= n - 1 || k < 1 || k >= n - 1)
        return;
    for (int i = 1; i < n - 1; i++) {
        float sum = 0.0f;
        for (int z = 0; z < 3; z++)
            for (int y = 0; y < 3; y++)
                for (int x = 0; x < 3; x++)
                    sum += weights[(z * 3 + y) * 3 + x] *
                        in[((i + z - 1) * n + j + y - 1) * n + k + x - 1];
        out[(i * n + j) * n + k] = sum;
    }
}
