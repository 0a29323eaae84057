// The product of two vectors of integers: groups add in local memory and then to the result.
kernel void dot_product(global const int *a, global const int *b, global int *result)
{
    local int sum;
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t i = get_global_id(0);
    atomic_add(&sum, a[i] * b[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(result, sum);
}
