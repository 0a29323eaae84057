// LLVM computes the difference of two ulong vectors wrongly without optimisation if it knows
// which element is larger; abs_diff avoids the pattern.
// fixed by: 704fcd9
// options: -cl-opt-disable
// kernel: distances
// global: 16
// local: 16
// arg: global ulong[32] = 32*0
// reference: reference
kernel void distances(global ulong *to)
{
    size_t i = get_global_id(0);
    ulong2 x = (ulong2)(i, 5);
    ulong2 difference = abs_diff(x >> 1ul, x | (1ul << 63));
    to[2 * i] = difference.x;
    to[2 * i + 1] = difference.y;
}

ulong distance(ulong x)
{
    return (x | 1ul << 63) - (x >> 1);
}

kernel void reference(global ulong *to)
{
    for (ulong i = 0; i < 16; i++) {
        to[2 * i] = distance(i);
        to[2 * i + 1] = distance(5);
    }
}
