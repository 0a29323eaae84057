// Only the code between two rounds of a loop used a private array. Its elements were not kept across
// the barrier: all work-items shared one array, or those of different vectors did.
// fixed by: 4083946
// kernel: rounds
// global: 64
// local: 64
// arg: global int[64] = 0..63
// expect: 0 = 2..65
kernel void rounds(global int *p)
{
    int i = get_local_id(0);
    int kept[4];
    for (int round = 0; round < 3; ++round) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (round == 0)
            kept[p[i] & 3] = i;
        else
            kept[p[i] & 3] += 1;
    }
    p[i] = kept[p[i] & 3];
}
