// Constant strides other than one.

kernel void reverse(global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    if (i < n)
        out[n - 1 - i] = in[i];
}

// Complex numbers to arrays of real and imaginary parts.
kernel void deinterleave_2(global const float *complex, global float *real, global float *imaginary)
{
    size_t i = get_global_id(0);
    real[i] = complex[2 * i];
    imaginary[i] = complex[2 * i + 1];
}

// Points in space to an array for each coordinate.
kernel void deinterleave_3(global const float *points, global float *x, global float *y,
                           global float *z)
{
    int i = get_global_id(0);
    x[i] = points[3 * i];
    y[i] = points[3 * i + 1];
    z[i] = points[3 * i + 2];
}

// And back.
kernel void interleave_3(global const float *x, global const float *y, global const float *z,
                         global float *points)
{
    int i = get_global_id(0);
    float x_i = x[i], y_i = y[i], z_i = z[i];
    points[3 * i] = x_i;
    points[3 * i + 1] = y_i;
    points[3 * i + 2] = z_i;
}
