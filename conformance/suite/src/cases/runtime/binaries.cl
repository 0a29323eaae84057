kernel void multiply(global int *numbers)
{
    numbers[get_global_id(0)] *= FACTOR;
}

kernel void reverse_groups(global int *out, local int *names)
{
    const size_t size = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const size_t me = get_local_id(0)
        + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    const size_t group = get_group_id(0)
        + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
    names[me] = group * 1000 + me;
    barrier(CLK_LOCAL_MEM_FENCE);
    const size_t here = get_global_id(0)
        + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
    out[here] = names[size - 1 - me] * FACTOR;
}
