/* Resizes by the linear filter of a sampler that the host made: normalised coordinates. */
kernel void resize(read_only image2d_t from, write_only image2d_t to, sampler_t sampler) {
    const int2 here = (int2)(get_global_id(0), get_global_id(1));
    const int2 size = (int2)(get_image_width(to), get_image_height(to));
    const float2 place = (convert_float2(here) + 0.5f) / convert_float2(size);
    write_imagef(to, here, read_imagef(from, sampler, place));
}
