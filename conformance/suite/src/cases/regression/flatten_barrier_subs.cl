// Exclusive prefix sums, eight elements per work-item.

int4 load(global const int4 *from, uint place, uint length)
{
    if (4 * place + 4 <= length)
        return from[place];
    int4 loaded = (int4)(0);
    if (4 * place < length)
        loaded.x = from[place].x;
    if (4 * place + 1 < length)
        loaded.y = from[place].y;
    if (4 * place + 2 < length)
        loaded.z = from[place].z;
    return loaded;
}

void store(int4 value, global int4 *to, uint place, uint length)
{
    global int *one = (global int *)(to + place);
    if (4 * place + 4 <= length) {
        to[place] = value;
    } else {
        if (4 * place < length)
            one[0] = value.x;
        if (4 * place + 1 < length)
            one[1] = value.y;
        if (4 * place + 2 < length)
            one[2] = value.z;
    }
}

// Sums of pairs, of pairs of pairs, and so on, each at the place of its last element.
void sweep_up(local int *shared, uint me, uint size)
{
    for (uint stride = 1; stride < size; stride *= 2) {
        if (me < size / (2 * stride))
            shared[2 * (me + 1) * stride - 1] += shared[(2 * me + 1) * stride - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// The down-sweep: each node passes the sum of what precedes it to both children.
void sweep_down(local int *shared, uint me, uint size)
{
    for (uint stride = size / 2; stride > 0; stride /= 2) {
        if (me < size / (2 * stride)) {
            const int left = shared[(2 * me + 1) * stride - 1];
            shared[(2 * me + 1) * stride - 1] = shared[2 * (me + 1) * stride - 1];
            shared[2 * (me + 1) * stride - 1] += left;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

int group_scan(local int *shared, uint me, uint size)
{
    int sum = 0;
    sweep_up(shared, me, size);
    if (me == 0) {
        sum = shared[size - 1];
        shared[size - 1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sweep_down(shared, me, size);
    return sum;
}

// Scans the elements of one group; the first work-item gets their sum.
int scan_block(global const int4 *in, global int4 *out, uint place, uint length, local int *shared)
{
    const uint me = get_local_id(0);
    const int4 a = load(in, 2 * place, length), b = load(in, 2 * place + 1, length);
    const int sum_a = a.x + a.y + a.z + a.w, sum_b = b.x + b.y + b.z + b.w;
    shared[me] = sum_a + sum_b;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int sum = group_scan(shared, me, get_local_size(0));
    const int before = shared[me];
    barrier(CLK_LOCAL_MEM_FENCE);
    store((int4)(before, before + a.x, before + a.x + a.y, before + sum_a - a.w), out, 2 * place,
          length);
    store((int4)(0, b.x, b.x + b.y, sum_b - b.w) + before + sum_a, out, 2 * place + 1, length);
    return sum;
}

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void scan_blocks(
    global const int4 *in, global int4 *out, uint length, global int *sums, local int *shared)
{
    const int sum = scan_block(in, out, get_global_id(0), length, shared);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}

// One group, in place, block after block.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void scan(
    global int *numbers, uint length, local int *shared)
{
    local int carried;
    if (get_local_id(0) == 0)
        carried = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint first = 0; first < length; first += 64) {
        const uint here = first + get_local_id(0);
        shared[get_local_id(0)] = here < length ? numbers[here] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        const int sum = group_scan(shared, get_local_id(0), 64);
        const int carry = carried;
        if (here < length)
            numbers[here] = shared[get_local_id(0)] + carry;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            carried = carry + sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void add_sums(global const int *sums, global int4 *out, uint length)
{
    for (uint i = 0; i < 2; ++i) {
        const uint place = 2 * get_global_id(0) + i;
        store(load(out, place, length) + sums[get_group_id(0)], out, place, length);
    }
}
