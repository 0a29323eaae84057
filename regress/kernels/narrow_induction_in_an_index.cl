// LLVM's loop vectoriser loaded x[4 * i + i % 4] with a stride of five: scalar evolution took the check
// that 4 * i does not wrap as one for the two bits of i % 4.
// fixed by: 6010a5df
// environment: MOCL3_LANES=0
// kernel: diagonal
// global: 25
// local: 25
// arg: global uint[128] = 0..127
// arg: global uint[25] = 25*0
// expect: 1 = 0 5 10 15 0 21 26 31 0 37 42 47 0 53 58 63 0 69 74 79 0 85 90 95 0
kernel __attribute__((reqd_work_group_size(25, 1, 1)))
void diagonal(global uint *from, global uint *to)
{
    local uint read[25];
    uint l = get_local_id(0), g = get_global_id(0);
    from[4 * g] = 0;
    read[l] = from[4 * g + l % 4];
    to[g] = read[l];
}
