// Kernels that stay within their arguments whatever these are; see kernels.rs.

struct pair {
    int first;
    long second;
};

kernel void fill(global uchar *bytes, uint count, uchar value) {
    size_t i = get_global_id(0);
    if (i < count)
        bytes[i] = (uchar)(value + i);
}

kernel void sum(global const uint *numbers, global uint *total, uint count, local uint *scratch) {
    if (get_local_id(0) == 0)
        scratch[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t i = get_global_id(0);
    if (i < count)
        atomic_add(scratch, numbers[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (total && get_local_id(0) == 0)
        atomic_add(total, scratch[0]);
}

kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(
    global uint *out, constant float4 *values, struct pair pair) {
    size_t i = get_global_id(0);
    if (out && values && i < 8)
        out[i] = (uint)values[0].x + (uint)pair.first + (uint)pair.second;
}

kernel void pixels(read_only image2d_t image, sampler_t sampler, global float4 *out,
                   write_only image2d_t target) {
    int2 place = (int2)((int)get_global_id(0), (int)get_global_id(1));
    float4 pixel = read_imagef(image, sampler, convert_float2(place));
    if (out && place.x == 0 && place.y == 0)
        out[0] = pixel;
    if (place.x < get_image_width(target) && place.y < get_image_height(target))
        write_imagef(target, place, pixel);
}

kernel void nothing(void) {}
