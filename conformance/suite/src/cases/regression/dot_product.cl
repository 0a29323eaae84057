// x and y start at first_x and first_y; with a negative stride, at their far ends.
kernel void dot(global const float *all_x, global const float *all_y, global float *sums,
                uint length, uint first_x, int stride_x, uint first_y, int stride_y)
{
    global const float *x = all_x + first_x, *y = all_y + first_y;
    if (stride_x < 0 && length > 0)
        x += (length - 1) * abs(stride_x);
    if (stride_y < 0 && length > 0)
        y += (length - 1) * abs(stride_y);
    float sum = 0;
    int at = get_global_id(0) * 4;
    for (; at + 3 < (int)length; at += get_global_size(0) * 4) {
        global const float *a = x + at * stride_x, *b = y + at * stride_y;
        const float4 left = (float4)(a[0], a[stride_x], a[2 * stride_x], a[3 * stride_x]);
        const float4 right = (float4)(b[0], b[stride_y], b[2 * stride_y], b[3 * stride_y]);
        const float4 product = left * right;
        sum += product.S0 + product.S1 + product.S2 + product.S3;
    }
    for (; at < (int)length; ++at)
        sum += x[at * stride_x] * y[at * stride_y];
    local float partial[64];
    const uint me = get_local_id(0);
    partial[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 32)
        partial[me] += partial[me + 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 16)
        partial[me] += partial[me + 16];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 8)
        partial[me] += partial[me + 8];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 4)
        partial[me] += partial[me + 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 2)
        partial[me] += partial[me + 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0)
        sum = partial[0] + partial[1];
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}
