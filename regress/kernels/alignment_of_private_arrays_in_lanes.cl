// The lanes' copies of a private array of 12 bytes were 12 bytes apart, though the array is
// aligned to 16 bytes: aligned accesses to the second lane's copy crashed.
// fixed by: b810927
// environment: MOCL3_LANES=4
// environment: MOCL3_LANES=8
// kernel: indexed
// global: 64
// local: 64
// arg: global int[64] = 16*(0 2 1 0)
// arg: global int[64] = 64*0
// reference: reference
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void indexed(global const int *from, global int *to)
{
    int3 array[2] = {(int3)(7), (int3)(9)};
    int kept[3] __attribute__((aligned(16))) = {1, 2, 3};
    int i = get_local_id(0);
    kept[from[i]] = i;
    array[from[i] & 1].y = i;
    to[i] = kept[0] + 100 * kept[2] + array[0].y + array[1].y;
}

kernel void reference(global const int *from, global int *to)
{
    for (int i = 0; i < 64; i++) {
        int first = from[i] == 0 ? i : 1, third = from[i] == 2 ? i : 3;
        to[i] = first + 100 * third + i + (from[i] & 1 ? 7 : 9);
    }
}
