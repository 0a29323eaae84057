#define RADIUS 2
#define WIDTH (2 * RADIUS + 1)

// Weighted means of 5 x 5 pixels, clamped to the edge.
kernel void convolution(read_only image2d_t in, write_only image2d_t out, sampler_t edges,
                        constant float *weights)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = (float4)(0.0f);
    for (int y = -RADIUS; y <= RADIUS; y++)
        for (int x = -RADIUS; x <= RADIUS; x++)
            sum += weights[(y + RADIUS) * WIDTH + x + RADIUS] *
                read_imagef(in, edges, at + (int2)(x, y));
    write_imagef(out, at, sum);
}
