/* AES-128, FIPS 197, in counter mode. Each group makes its table of the first three steps of a
 * round (substitute, mix) in local memory. */
typedef union {
    uchar16 bytes;
    uint4 columns;
    uchar byte[16];
} block;

uchar doubled(uchar x) { return (uchar)(x << 1) ^ (x & 0x80 ? 0x1b : 0); }

void make_table(constant uchar *restrict substitutes, local uint *table) {
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) {
        const uchar s = substitutes[i], d = doubled(s);
        table[i] = as_uint((uchar4)(d, s, s, s ^ d));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

void expand_key(constant uchar *restrict substitutes, constant uint *key, uint *round_keys) {
    uchar factor = 1;
    for (int i = 0; i < 44; ++i) {
        if (i < 4) {
            round_keys[i] = key[i];
            continue;
        }
        uint word = round_keys[i - 1];
        if (i % 4 == 0) {
            const uchar4 b = as_uchar4(word).yzwx;
            uchar4 s = (uchar4)(substitutes[b.x], substitutes[b.y], substitutes[b.z],
                                substitutes[b.w]);
            s.x ^= factor;
            factor = doubled(factor);
            word = as_uint(s);
        }
        round_keys[i] = round_keys[i - 4] ^ word;
    }
}

uint4 encrypt(uint4 state, constant uchar *restrict substitutes, local const uint *table,
              const uint *round_keys) {
    block now;
    now.columns = state ^ vload4(0, round_keys);
    for (int round = 1; round < 10; round++) {
        uint mixed[4];
        for (int c = 0; c < 4; c++) {
            mixed[c] = round_keys[4 * round + c];
            for (int r = 0; r < 4; r++)
                mixed[c] ^= rotate(table[now.byte[(4 * c + 5 * r) % 16]], (uint)(8 * r));
        }
        now.columns = (uint4)(mixed[0], mixed[1], mixed[2], mixed[3]);
    }
    block last;
    for (int i = 0; i < 16; i++)
        last.byte[i] = substitutes[now.byte[i * 5 % 16]];
    return last.columns ^ vload4(10, round_keys);
}

kernel void counter_mode(constant uchar *substitutes, constant uint *key, ulong nonce,
                         global uchar16 *text) {
    local uint table[256];
    uint round_keys[44];
    make_table(substitutes, table);
    expand_key(substitutes, key, round_keys);
    const ulong counter = get_global_id(0);
    /* Nonce and counter, most significant byte first. */
    const uchar16 bytes = (uchar16)(as_uchar8(nonce).s76543210, as_uchar8(counter).s76543210);
    block pad;
    pad.columns = encrypt(as_uint4(bytes), substitutes, table, round_keys);
    text[get_global_id(0)] ^= pad.bytes;
}
