// The upper half of a 64-bit product is computed with 128-bit integers. Their vectors were
// described as lane 0's value and a 64-bit step, so mul_hi of negative ids was wrong.
// fixed by: 35da5b7
// environment: MOCL3_LANES=8
// kernel: upper
// global: 16
// local: 16
// arg: long = -297334724
// arg: global long[16] = 16*0
// expect: 1 = 16*0
kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void upper(long factor, global long *to)
{
    long i = get_local_id(0);
    to[i] = mul_hi(factor, -i);
}
