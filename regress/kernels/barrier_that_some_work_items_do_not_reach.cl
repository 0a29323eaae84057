// Where some work-items do not reach a barrier, the last work-item chose what followed, for all of
// them: another one for each vector width.
// fixed by: 9a6cb41
// kernel: meet
// global: 64
// local: 64
// arg: global int[64] = 0..63
// reference: reference
kernel void meet(global int *p)
{
    local int kept[64];
    int i = get_local_id(0);
    kept[i] = p[i];
    if (i % 5 == 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        p[i] = kept[63 - i];
    } else {
        p[i] = -1;
    }
}

kernel void reference(global int *p)
{
    for (int i = 0; i < 64; ++i)
        p[i] = i % 5 == 0 ? 63 - i : -1;
}
