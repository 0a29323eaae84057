// LLVM's back end for AVX-512 stored four bytes where only one lane stores a byte that is truncated from
// a wider value.
// fixed by: c4f86397
// kernel: shifted
// global: 1 4
// local: 1 4
// arg: global uchar[4] = 4*7
// arg: uint = 0
// arg: global uchar[4] = 4*255
// expect: 0 = 255 0 0 0
kernel void shifted(global uchar *to, uint shift, global const uchar *from)
{
    local uchar bytes[8];
    uint l = get_local_id(1), g = get_global_id(1);
    bytes[l * 2] = 0;
    if (l == 0)
        bytes[(uint)(int)get_local_id(1)] = (uchar)(from[g] << (long)shift);
    to[g] = bytes[l * 2];
}
