#define TWO_PI 6.2831853f

// One step of Stockham's transform of radix 4 between two arrays in global memory: indices and
// roots of unity are computed. `length` is what the steps before have transformed.
kernel void radix_4(global const float2 *in, global float2 *out, int length)
{
    int i = get_global_id(0), quarter = get_global_size(0);
    int k = i & (length - 1);
    int to = ((i - k) << 2) + k;
    float2 x[4];
    for (int part = 0; part < 4; part++) {
        float2 value = in[i + part * quarter];
        float cosine;
        float sine = sincos(-TWO_PI * (float)(part * k) / (float)(4 * length), &cosine);
        x[part] = (float2)(value.x * cosine - value.y * sine, value.x * sine + value.y * cosine);
    }
    float2 even = x[0] + x[2], odd = x[1] + x[3];
    float2 even_difference = x[0] - x[2], odd_difference = x[1] - x[3];
    float2 turned = (float2)(odd_difference.y, -odd_difference.x);
    out[to] = even + odd;
    out[to + length] = even_difference + turned;
    out[to + 2 * length] = even - odd;
    out[to + 3 * length] = even_difference - turned;
}
