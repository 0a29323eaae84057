/* Means of five neighbours: each work-group copies its elements and two more on either side. */
kernel void smooth(global const float *in, global float *out, local float *tile, float scale)
{
    local float sums[256];
    size_t size = get_local_size(0), item = get_local_id(0);

    event_t event = async_work_group_copy(tile, in + get_group_id(0) * size, size + 4, 0);
    wait_group_events(1, &event);

    sums[item] = tile[item] + tile[item + 1] + tile[item + 2] + tile[item + 3] + tile[item + 4];
    barrier(CLK_LOCAL_MEM_FENCE);

    /* The root of the product of an element's sum with that of the opposite one. */
    out[get_global_id(0)] = sqrt(scale * sums[item] * sums[size - 1 - item]);
}
