// Components a few apart were stored by masked vector stores with constant masks. LLVM stored
// narrow vectors of 16-bit elements whole, over what lies between the components.
// fixed by: d2e7f7a
// environment: MOCL3_LANES=4
// environment: MOCL3_LANES=8
// environment: MOCL3_LANES=16
// kernel: spaced
// global: 16
// local: 16
// arg: global ushort[64] = 100..163
// expect: 0 = 1 101 102 103 2 105 106 107 3 109 110 111 4 113 114 115 5 117 118 119 6 121 122 123 7 125 126 127 8 129 130 131
kernel void spaced(global ushort *out)
{
    int i = get_local_id(0);
    out[4 * i] = i + 1;
}
