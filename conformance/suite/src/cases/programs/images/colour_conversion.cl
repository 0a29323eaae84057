/* RGB to Y'CbCr with half the colour resolution (ITU-R BT.601 in integers), two by two pixels per
 * work-item, and back. */
uchar luma(int3 c) {
    return convert_uchar_sat(16 + ((mul24(66, c.x) + mad24(129, c.y, mul24(25, c.z)) + 128) >> 8));
}

kernel void to_ycc(global const uchar *restrict rgb, global uchar *restrict y,
                   global uchar2 *restrict cbcr) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1)) << 1;
    const int width = get_global_size(0) << 1;
    int3 sum = 0;
    for (int i = 0; i < 4; i++) {
        const int place = (at.y + (i >> 1)) * width + at.x + (i & 1);
        const int3 colour = convert_int3(vload3(place, rgb));
        y[place] = luma(colour);
        sum += colour;
    }
    const short3 mean = convert_short3(sum + 2 >> 2);
    const int2 chroma = (int2)(-38 * mean.x - 74 * mean.y + 112 * mean.z,
                               112 * mean.x - 94 * mean.y - 18 * mean.z);
    cbcr[get_global_id(1) * get_global_size(0) + get_global_id(0)] =
        convert_uchar2_sat((chroma + 128 >> 8) + 128);
}

kernel void to_rgb(global const uchar *restrict y, global const uchar2 *restrict cbcr,
                   global uchar *restrict rgb) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const int width = get_global_size(0);
    const int c = mul24(298, y[at.y * width + at.x] - 16);
    const int2 d = convert_int2(cbcr[(at.y >> 1) * (width >> 1) + (at.x >> 1)]) - 128;
    const int3 colour =
        (int3)(c + 409 * d.y, c - mad24(100, d.x, 208 * d.y), mad24(516, d.x, c));
    vstore3(convert_uchar3_sat((colour + 128) >> 8), at.y * width + at.x, rgb);
}
