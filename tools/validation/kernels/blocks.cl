// y = f(x), block by block through local memory: a work-item for each element of a block, and
// n / (blocks in all groups) even.
#define BLOCK 256

// Twenty times the first terms of exp's series, scaled.
double f(double x)
{
    for (int i = 0; i < 20; i++) {
        double sum = 1. / 40320;
        sum = sum * x + 1. / 5040;
        sum = sum * x + 1. / 720;
        sum = sum * x + 1. / 120;
        sum = sum * x + 1. / 24;
        sum = sum * x + 1. / 6;
        sum = sum * x + 1. / 2;
        sum = sum * x + 1;
        x = (sum * x + 1) * 0.1;
    }
    return x;
}

kernel void single_buffered(int n, global const double *x, global double *y)
{
    local double in[BLOCK], out[BLOCK];
    int step = get_num_groups(0) * BLOCK, i = get_local_id(0);
    for (int at = get_group_id(0) * BLOCK; at < n; at += step) {
        event_t event = async_work_group_copy(in, x + at, BLOCK, 0);
        wait_group_events(1, &event);
        out[i] = f(in[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
        event = async_work_group_copy(y + at, out, BLOCK, 0);
        wait_group_events(1, &event);
    }
}

// The next block is read, and the previous one written, while this one is computed.
kernel void double_buffered(int n, global const double *x, global double *y)
{
    local double in_0[BLOCK], in_1[BLOCK], out_0[BLOCK], out_1[BLOCK];
    int step = get_num_groups(0) * BLOCK, i = get_local_id(0);
    int first = get_group_id(0) * BLOCK;
    event_t out_event_0, out_event_1;
    event_t in_event_0 = async_work_group_copy(in_0, x + first, BLOCK, 0);
    for (int at = first; at < n; at += 2 * step) {
        event_t in_event_1 = async_work_group_copy(in_1, x + at + step, BLOCK, 0);
        wait_group_events(1, &in_event_0);
        if (at > first)
            wait_group_events(1, &out_event_0);
        out_0[i] = f(in_0[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
        out_event_0 = async_work_group_copy(y + at, out_0, BLOCK, 0);
        if (at + 2 * step < n)
            in_event_0 = async_work_group_copy(in_0, x + at + 2 * step, BLOCK, 0);
        wait_group_events(1, &in_event_1);
        if (at > first)
            wait_group_events(1, &out_event_1);
        out_1[i] = f(in_1[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
        out_event_1 = async_work_group_copy(y + at + step, out_1, BLOCK, 0);
    }
    wait_group_events(1, &out_event_0);
    wait_group_events(1, &out_event_1);
}
