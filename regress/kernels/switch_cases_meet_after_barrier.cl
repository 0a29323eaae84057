// Several cases of a switch lead to one block. A value kept across the barrier before it was
// loaded once for each case, and the block's phi had different values for one predecessor.
// fixed by: 61196da
// options: -cl-opt-disable
// kernel: cases
// global: 8
// local: 8
// arg: global int[8] = 10..17
// arg: int = 1
// expect: 0 = 10..17
kernel void cases(global int *p, int n)
{
    int i = get_local_id(0);
    int kept = p[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    int other = kept;
    switch (n) {
    case 1:
    case 3:
        break;
    case 2:
        other = kept * 2;
        break;
    default:
        break;
    }
    p[i] = other;
}
