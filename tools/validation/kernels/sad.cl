// Sums of absolute differences on the ConnexArray: a work-item is a lane of 16 bits, and `store` is
// the local store, of which 30 vectors are compared with a value in each round.

#define VECTORS 30

kernel void sad(global const ushort *points, global ushort *sums, int rounds)
{
    local ushort store[VECTORS][128];
    size_t lane = get_local_id(0);
    for (int vector = 0; vector < VECTORS; ++vector)
        store[vector][lane] = points[vector * 128 + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    ushort sum = 0;
    for (int round = 0; round < rounds; ++round)
        for (int vector = 0; vector < VECTORS; ++vector)
            sum += abs_diff(store[vector][lane], (ushort)round);
    sums[lane] = sum;
}
