// A block of the kernel with several barriers was split at each of them, and the part after an
// earlier barrier was recorded before a later split moved it: statements between them were lost.
// fixed by: e032c39
// options: -cl-opt-disable
// kernel: rotated
// global: 16
// local: 8
// arg: global int[48] = 48*-1
// reference: reference
kernel void rotated(global int *to)
{
    local int shared[8];
    int i = get_local_id(0), next = (i + 1) % 8;
    for (int round = 0; round < 3; ++round) {
        shared[i] = 10 * i + round;
        barrier(CLK_LOCAL_MEM_FENCE);
        int kept = shared[next];
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[i] = kept;
        barrier(CLK_LOCAL_MEM_FENCE);
        to[16 * round + get_global_id(0)] = shared[next];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void reference(global int *to)
{
    for (int round = 0; round < 3; ++round)
        for (int i = 0; i < 16; ++i)
            to[16 * round + i] = 10 * ((i + 2) % 8) + round;
}
