// LLVM writes sums of numbers without common bits as `or disjoint`. The numbers of an inactive
// lane 0 may have common bits, so masked stores of the other lanes went to wrong addresses.
// fixed by: a4438ad
// environment: MOCL3_LANES=8
// kernel: steps
// global: 64
// local: 64
// arg: global float[64] = 64*0
// arg: global int[512] = 512*0
// expect: 1 = 152*0 8*(1 8*0) 288*0
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void steps(global const float *from, global int *to)
{
    int i = get_local_id(0), x = i - 19;
    if (x >= 0 && x < 8)
        to[i * 8 + x] = exp(from[i] * log(from[i] + 2)) + 0.5f;
}
