/* A separable blur of an image, across and then down. */
constant sampler_t at_pixels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void blur(read_only image2d_t from, write_only image2d_t to, constant float *weights,
                 int radius, int2 direction) {
    const int2 here = (int2)(get_global_id(0), get_global_id(1));
    if (any(here >= get_image_dim(from)))
        return;
    float4 sum = weights[0] * read_imagef(from, at_pixels, here);
    for (int i = 1; i <= radius; i++) {
        const int2 step = i * direction;
        sum += weights[i] * (read_imagef(from, at_pixels, here + step) +
                             read_imagef(from, at_pixels, here - step));
    }
    write_imagef(to, here, sum);
}
