/* Finds the words of LETTERS letters that have given MD5 digests (RFC 1321). */
#define F(b, c, d) bitselect(d, c, b)
#define G(b, c, d) bitselect(c, b, d)
#define H(b, c, d) ((b) ^ (c) ^ (d))
#define I(b, c, d) ((c) ^ ((b) | ~(d)))

#define STEP(f, a, b, c, d, word, sine, turn) \
    a = b + rotate((a) + f(b, c, d) + (word) + (sine), (uint)(turn))

/* Four steps; s points to their constants. */
#define FOUR(f, i, j, t0, t1, t2, t3)                   \
    STEP(f, a, b, c, d, w[(i) & 15], s[0], t0);         \
    STEP(f, d, a, b, c, w[(i + j) & 15], s[1], t1);     \
    STEP(f, c, d, a, b, w[(i + 2 * j) & 15], s[2], t2); \
    STEP(f, b, c, d, a, w[(i + 3 * j) & 15], s[3], t3); \
    s += 4

uint4 md5(const uint *w, constant uint *s) {
    uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
    for (int i = 0; i < 16; i += 4) {
        FOUR(F, i, 1, 7, 12, 17, 22);
    }
    for (int i = 0; i < 16; i += 4) {
        FOUR(G, 5 * i + 1, 5, 5, 9, 14, 20);
    }
    for (int i = 0; i < 16; i += 4) {
        FOUR(H, 3 * i + 5, 3, 4, 11, 16, 23);
    }
    for (int i = 0; i < 16; i += 4) {
        FOUR(I, 7 * i, 7, 6, 10, 15, 21);
    }
    return (uint4)(a, b, c, d) + (uint4)(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
}

kernel void search(constant uint4 *targets, uint targets_count, constant uint *sines,
                   volatile global uint *found, global uint *words) {
    uint number = get_global_id(0);
    union {
        uint words[16];
        uchar bytes[64];
    } message;
    for (int i = 0; i < 16; ++i)
        message.words[i] = 0;
    int letter = 0;
again:
    message.bytes[letter] = 'a' + number % 26;
    number /= 26;
    if (++letter < LETTERS)
        goto again;
    if (number != 0)
        goto out_of_range;
    message.bytes[LETTERS] = 0x80;
    message.words[14] = LETTERS * 8;
    const uint4 digest = md5(message.words, sines);
    for (uint t = 0; t < targets_count; ++t) {
        if (all(digest == targets[t])) {
            /* The first work-item with a match stores its word. */
            if (atomic_cmpxchg(&found[t], 0u, 1u) == 0)
                words[t] = message.words[0];
            goto out_of_range;
        }
    }
out_of_range:
    return;
}
