// Inactive lanes of a masked load read a dummy address. It was less aligned than the load
// assumes, so kernels that read small members of aligned structures in conditions crashed.
// fixed by: ffdbab6
// environment: MOCL3_LANES=8
// kernel: kinds
// global: 64
// local: 64
// arg: global int[64] = 2*(-1 1 2 -1 4 5 -1 7 0 -1 2 3 -1 5 6 -1 0 1 -1 3 4 -1 6 7) -1 1 2 -1 4 5 -1 7 0 -1 2 3 -1 5 6 -1
// arg: global uchar[256] = 32*0 32*1 32*2 32*3 32*4 32*5 32*6 32*7
// arg: global int[64] = 64*0
// reference: reference
struct entry {
    uint3 place;
    char2 kind;
};

kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void kinds(global const int *from, global const struct entry *entries, global int *to)
{
    int i = get_local_id(0);
    int kind = -1;
    if (from[i] >= 0)
        kind = entries[from[i]].kind.x;
    to[i] = kind;
}

kernel void reference(global const int *from, global const struct entry *entries, global int *to)
{
    for (int i = 0; i < 64; i++)
        to[i] = from[i];
}
