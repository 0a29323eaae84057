// The global and local linear ids of a work-item, and its group's linear id.

size_t place(void)
{
    const size_t x = get_global_id(0) - get_global_offset(0);
    const size_t y = get_global_id(1) - get_global_offset(1);
    const size_t z = get_global_id(2) - get_global_offset(2);
    return (z * get_global_size(1) + y) * get_global_size(0) + x;
}

size_t lane(void)
{
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

size_t group(void)
{
    return (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
}

size_t group_size(void)
{
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

// The place of the work-item of this group with another local linear id.
size_t place_of(size_t other)
{
    const size_t wide = get_local_size(0), high = get_local_size(1);
    const size_t x = get_group_id(0) * wide + other % wide;
    const size_t y = get_group_id(1) * high + other / wide % high;
    const size_t z = get_group_id(2) * get_local_size(2) + other / wide / high;
    return (z * get_global_size(1) + y) * get_global_size(0) + x;
}

