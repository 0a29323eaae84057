#define POINTS 1024

// Transforms of 1024 complex numbers, one by each group of 512, by Stockham's method: ten
// steps of radix 2 between two arrays in local memory. `roots` holds exp(-2 pi i k / 1024).
kernel void fft(global const float2 *in, global float2 *out, global const float2 *roots)
{
    local float2 a[POINTS], b[POINTS];
    local float2 *from = a, *to = b;
    uint i = get_local_id(0);
    size_t start = get_group_id(0) * POINTS;
    from[i] = in[start + i];
    from[i + POINTS / 2] = in[start + i + POINTS / 2];
    for (uint length = 1; length < POINTS; length *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = i & (length - 1);
        float2 root = roots[k * (POINTS / 2 / length)];
        float2 x = from[i], y = from[i + POINTS / 2];
        float2 turned = (float2)(y.x * root.x - y.y * root.y, y.x * root.y + y.y * root.x);
        uint place = 2 * i - k;
        to[place] = x + turned;
        to[place + length] = x - turned;
        local float2 *other = from;
        from = to;
        to = other;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[start + i] = from[i];
    out[start + i + POINTS / 2] = from[i + POINTS / 2];
}
