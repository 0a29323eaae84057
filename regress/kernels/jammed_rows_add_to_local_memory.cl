// Unroll-and-jam of rows that share a load combined their atomic additions to one address of
// local memory, and lost those of all rows but one.
// fixed by: 0d0f716
// environment: MOCL3_LANES=8
// kernel: sums
// global: 16 8
// local: 16 8
// arg: global int[16] = 0 100 200 300 400 500 600 700 800 900 1000 1100 1200 1300 1400 1500
// arg: global int[128] = 128*0
// reference: reference
kernel __attribute__((reqd_work_group_size(16, 8, 1)))
void sums(global const int *from, global int *to)
{
    local int sum;
    int x = get_local_id(0), y = get_local_id(1);
    sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int value = from[x] + y;
    to[y * 16 + x] = value;
    atomic_add(&sum, value);
    barrier(CLK_LOCAL_MEM_FENCE);
    to[y * 16 + x] += sum;
}

kernel void reference(global const int *from, global int *to)
{
    int sum = 8 * 12000 + 16 * 28;
    for (int i = 0; i < 128; i++)
        to[i] = 100 * (i % 16) + i / 16 + sum;
}
