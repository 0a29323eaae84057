/* JPEG: 8 x 8 cosine transform and quantisation of a grey image, and back. */
constant uchar quantum[64] = {
    16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
    14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
    18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};

float basis(uint frequency, uint place) {
    return (frequency ? 0.5f : 0.5f * M_SQRT1_2_F) *
           cospi((float)((2 * place + 1) * frequency) / 16);
}

/* Each of the 8 x 8 work-items gives one element of the product of the basis with a
 * block: rows first, then columns. */
float transform(float value, local float (*block)[8], bool inverse) {
    const uint x = get_local_id(0), y = get_local_id(1);
    for (int pass = 0; pass < 2; ++pass) {
        barrier(CLK_LOCAL_MEM_FENCE);
        block[y][x] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        value = 0;
        for (uint i = 0; i < 8; i++) {
            const uint mine = pass ? y : x;
            const float factor = inverse ? basis(i, mine) : basis(mine, i);
            value += factor * (pass ? block[i][x] : block[y][i]);
        }
    }
    return value;
}

kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void compress(global const uchar *image, global float *coefficients, global short *quantised) {
    local float block[8][8];
    const size_t width = get_global_size(0);
    const size_t here = get_global_id(1) * width + get_global_id(0);
    const float value = transform(convert_float(image[here]) - 128, block, false);
    coefficients[here] = value;
    const uint place = get_local_id(1) * 8 + get_local_id(0);
    quantised[here] = convert_short_rte(value / quantum[place]);
}

kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void expand(global const short *quantised, global uchar *image) {
    local float block[8][8];
    const size_t here = get_global_id(1) * get_global_size(0) + get_global_id(0);
    const uint place = get_local_id(1) * 8 + get_local_id(0);
    const float value = transform(quantised[here] * quantum[place], block, true);
    image[here] = convert_uchar_sat_rte(value + 128);
}
