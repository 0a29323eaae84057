/* Pictures in an array of layers, coloured by a table that is a one-dimensional image. */
constant sampler_t between = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t exactly = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

kernel void colour(read_only image2d_array_t layers, read_only image1d_t table,
                   write_only image2d_t mean, global float4 *coloured) {
    const int2 here = (int2)(get_global_id(0), get_global_id(1));
    const int count = (int)get_image_array_size(layers);
    const float width = get_image_width(table);
    uint sum = 0;
    float4 colour = 0;
    for (int layer = 0; layer < count; layer++) {
        const uint value = read_imageui(layers, exactly, (int4)(here, layer, 0)).x;
        sum += value;
        /* From the middle of the first entry to that of the last. */
        colour += read_imagef(table, between, (value / 65535.0f * (width - 1) + 0.5f) / width);
    }
    write_imageui(mean, here, (uint4)(sum / count, count, 0, 0));
    coloured[here.y * get_image_width(mean) + here.x] = colour / (float)count;
}
