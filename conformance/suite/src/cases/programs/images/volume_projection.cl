/* The brightest value along rays through a volume: a three-dimensional image, linear filter,
 * and nothing beyond its border. */
constant sampler_t within = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

kernel void project(read_only image3d_t volume, global float *picture, float4 along, int steps) {
    const size_t x = get_global_id(0), y = get_global_id(1);
    float4 place = (float4)(x + 0.5f, y + 0.5f, 0, 0);
    float brightest = 0;
    for (int i = 0; i < steps; ++i, place += along)
        brightest = max(brightest, read_imagef(volume, within, place).x);
    picture[y * get_global_size(0) + x] = brightest;
}
