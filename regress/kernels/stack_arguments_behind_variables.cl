// A kernel crashed without optimisation: the entry block was split between variables of the stack,
// those behind the split moved the stack pointer, and a vector passed on the stack was not aligned.
// fixed by: 32a9de9
// options: -cl-opt-disable
// kernel: k
// global: 1
// local: 1
// arg: global ulong[4] = 1 2 3 4
// expect: 0 = 92 175 222 305
ulong4 sum(ulong4 a, ulong4 b)
{
    return a + b;
}

#define TIMES_8(statement) statement statement statement statement statement statement statement statement

kernel void k(global ulong4 *to)
{
    ulong4 numbers = to[0];
    float2 remainders = 0.0f;
    TIMES_8(TIMES_8(numbers = sum(numbers, to[0]);))
    TIMES_8(remainders += fmod((float2)(7, 5), (float2)(4, 6));)
    remainders += fmod((float2)(7, 5), (float2)(4, 6));
    to[0] = numbers + convert_ulong4(remainders.xyxy);
}
