/* High-dynamic-range pictures: halves in memory, floats to compute with, halves and bytes out. */
float luminance(float3 colour) { return dot(colour, (float3)(0.25f, 0.625f, 0.125f)); }

kernel void map(global const half *picture, global half *mapped, global uchar *display,
                float exposure) {
    const size_t i = get_global_id(0);
    const float4 in = vload_half4(i, picture);
    const float bright = exposure * luminance(in.xyz);
    float4 out = in * (exposure / (1 + bright));
    out.w = in.w;
    vstore_half4_rte(out, i, mapped);
    /* The nearest byte; brighter values become 255. */
    vstore4(convert_uchar4_sat_rte(out * 255), i, display);
}

/* The brightest component of each line of components, without leaving halves. */
kernel void brightest(global const half *picture, global half *most, uint width) {
    const size_t line = get_global_id(0);
    float largest = -INFINITY;
    for (uint x = 0; x < width; x++)
        largest = fmax(largest, vload_half(line * width + x, picture));
    vstore_half(largest, line, most);
}
