// The last vector of each row of work-items is half full. Its inactive lanes wrote back local
// memory of the neighbouring row, which unroll-and-jam runs at the same time.
// fixed by: bc2f995
// environment: MOCL3_LANES=8
// kernel: reversed
// global: 12 8
// local: 12 8
// arg: global float[12] = 0..11
// arg: global float[96] = 96*0
// reference: reference
kernel __attribute__((reqd_work_group_size(12, 8, 1)))
void reversed(global const float *from, global float *to)
{
    local float kept[96];
    int x = get_local_id(0), y = get_local_id(1);
    int at = x < 8 ? y * 8 + x : 64 + (7 - y) * 4 + x - 8;
    kept[at] = from[x] + 100 * y;
    barrier(CLK_LOCAL_MEM_FENCE);
    to[y * 12 + x] = kept[at];
}

kernel void reference(global const float *from, global float *to)
{
    for (int i = 0; i < 96; i++)
        to[i] = i % 12 + 100 * (i / 12);
}
