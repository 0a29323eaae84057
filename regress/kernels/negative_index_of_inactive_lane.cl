// An index that is not negative where it is used is zero-extended. For an inactive lane 0 it may
// be negative; zero-extended, it moved the addresses of all lanes by 16 GiB, and the kernel crashed.
// fixed by: b720396
// environment: MOCL3_LANES=4
// environment: MOCL3_LANES=8
// kernel: shifted
// global: 64
// local: 64
// arg: global int[64] = 100..163
// arg: global int[64] = 3*0 61*1
// expect: 1 = 3*0 100..160
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void shifted(global const int *from, global int *to)
{
    int i = get_local_id(0);
    int before = i - 3;
    if (to[i])
        to[i] = from[before];
}
