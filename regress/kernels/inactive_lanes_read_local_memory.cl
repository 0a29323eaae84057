// Short masked blocks were executed for all lanes. Inactive lanes then loaded local memory at any
// index, here far outside of it, and the process crashed.
// fixed by: bc2f995
// environment: MOCL3_LANES=8
// kernel: none
// global: 64
// local: 64
// arg: global int[64] = 64*7
// arg: global int[64] = 64*0
// arg: int = 0
// arg: int = 536870912
// expect: 1 = 64*3
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void none(global const int *from, global int *to, int n, int far)
{
    local int kept[64];
    int i = get_local_id(0);
    kept[i] = from[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = 3;
    if (from[i] < n)
        x = kept[i + far];
    to[i] = x;
}
