// A private array that is live across a barrier, next to a char and aligned vectors.
kernel void test(global const uint *trials, global uint2 *result)
{
    const uint me = get_local_id(0), here = get_global_id(0);
    uint sums[Y][Z];
    char between = me;
    int4 vectors[Y][Z];
    local char local_between;
    local uint shared[X][Y][Z];
    local int4 shared_vectors[Y];
    if (me == 0)
        local_between = 1;
    for (int i = 0; i < Y; ++i)
        for (int j = 0; j < Z; ++j) {
            sums[i][j] = 0;
            vectors[i][j] = (int4)(1, 2, 3, 4) * (int)here;
            shared[me][i][j] = 0;
        }
    for (int i = 0; i < Y; ++i)
        for (int j = 0; j < Z; ++j) {
            sums[i][j] += trials[j] * 4 * (between + 1);
            shared[me][i][j] += sums[i][j];
        }
    if (me == 0)
        for (int i = 0; i < Y; ++i)
            shared_vectors[i] = local_between;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0, vector_sum = 0;
    for (uint k = 0; k < get_local_size(0); ++k)
        for (int i = 0; i < Y; ++i)
            for (int j = 0; j < Z; ++j)
                sum += shared[k][i][j];
    for (int i = 0; i < Y; ++i)
        for (int j = 0; j < Z; ++j) {
            const int4 vector = vectors[i][j] * shared_vectors[i];
            vector_sum += vector.x + vector.y + vector.z + vector.w;
        }
    // Misaligned vectors change the sum.
    vector_sum += (ulong)&vectors[0][0] % sizeof(int4) + (ulong)&shared_vectors[0] % sizeof(int4);
    result[here] = (uint2)(sum, vector_sum);
}
