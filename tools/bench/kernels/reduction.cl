// Sums of 512 elements by each group of 256.
kernel void reduction(global const float *values, global float *sums, local float *partial)
{
    size_t i = get_local_id(0);
    size_t size = get_local_size(0);
    size_t start = get_group_id(0) * size * 2;
    partial[i] = values[start + i] + values[start + size + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t count = size / 2; count > 0; count /= 2) {
        if (i < count)
            partial[i] += partial[i + count];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0)
        sums[get_group_id(0)] = partial[0];
}
