// A fixed number of work-items, each of which takes every get_global_size(0)th element.

#define GROUP 256
#define BINS 256

kernel void saxpy(float a, global const float *x, global float *y, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        y[i] = a * x[i] + y[i];
}

// The sum of each group's elements.
kernel void reduction(global const float *values, global float *sums, uint n)
{
    local float partial[GROUP];
    uint item = get_local_id(0);
    float sum = 0.0f;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += values[i];
    partial[item] = sum;
    for (uint count = GROUP / 2; count > 0; count >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < count)
            partial[item] += partial[item + count];
    }
    if (item == 0)
        sums[get_group_id(0)] = partial[0];
}

kernel void histogram(global const uchar *bytes, global uint *counts, uint n)
{
    local uint bins[BINS];
    for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
        bins[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[bytes[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
        atomic_add(&counts[bin], bins[bin]);
}

kernel void dot_int(global const int *a, global const int *b, global int *product, int n)
{
    local int partial[GROUP];
    int item = get_local_id(0);
    int sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += a[i] * b[i];
    partial[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int count = get_local_size(0) / 2; count > 0; count /= 2) {
        if (item < count)
            partial[item] += partial[item + count];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        atomic_add(product, partial[0]);
}
