/* Decodes a canonical Huffman code, one block of text per work-item. For each length of code
 * words: the first code word, how many, and where their letters begin. */
typedef struct {
    ushort first, count, letters;
} length_of_code;

typedef struct {
    global const uchar *bytes;
    ulong bits;
    int held;
} reader;

int next_bit(reader *r) {
    if (r->held == 0) {
        for (int i = 0; i < 8; ++i)
            r->bits = r->bits << 8 | *r->bytes++;
        r->held = 64;
    }
    --r->held;
    return r->bits >> r->held & 1;
}

kernel void decode(global const uchar *bytes, global const uint *starts, constant length_of_code *code,
                   constant uchar *letters, global uchar *text) {
    const size_t block = get_global_id(0);
    reader r;
    r.bytes = bytes + starts[block];
    r.bits = 0;
    r.held = 0;
    for (uint i = 0; i < BLOCK; i++) {
        int word = 0, length = 0;
        do {
            word = word << 1 | next_bit(&r);
            ++length;
        } while (word - code[length].first >= code[length].count);
        text[block * BLOCK + i] = letters[code[length].letters + word - code[length].first];
    }
}
