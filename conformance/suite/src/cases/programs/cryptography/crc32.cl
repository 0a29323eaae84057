/* CRC-32 of a long text: of chunks by tables for four bytes at once, then combined. */
#define POLYNOMIAL 0xEDB88320u

kernel void make_tables(global uint (*tables)[256]) {
    const uint i = get_global_id(0);
    uint crc = i;
    for (int bit = 0; bit < 8; bit++)
        crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
    tables[0][i] = crc;
}

kernel void next_table(global uint (*tables)[256], uint number) {
    const uint i = get_global_id(0);
    const uint before = tables[number - 1][i];
    tables[number][i] = before >> 8 ^ tables[0][before & 0xff];
}

kernel void crc_of_chunks(global const uint (*tables)[256], global const uint *text, uint words,
                          global uint *crcs) {
    const uint chunk = get_global_id(0);
    uint crc = 0;
    for (uint i = 0; i < words; i++) {
        const uint word = text[chunk * words + i] ^ crc;
        const uchar4 byte = as_uchar4(word);
        crc = tables[3][byte.s0] ^ tables[2][byte.s1] ^ tables[1][byte.s2] ^ tables[0][byte.s3];
    }
    crcs[chunk] = crc;
}

/* The product of two polynomials, bits reversed, modulo the CRC's. */
uint product(uint a, uint b) {
    uint sum = 0;
    for (uint bit = 0x80000000u; bit; bit >>= 1) {
        sum ^= a & bit ? b : 0;
        b = b & 1 ? b >> 1 ^ POLYNOMIAL : b >> 1;
    }
    return sum;
}

/* Pairs of neighbours become one; `shift` is x to the power of the bits in the second. */
kernel void combine(global uint *crcs, uint step, uint shift) {
    const uint left = get_global_id(0) * 2 * step;
    crcs[left] = product(crcs[left], shift) ^ crcs[left + step];
}
