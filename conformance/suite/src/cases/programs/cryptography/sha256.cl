/* SHA-256, FIPS 180-4. One message per work-item. */
constant uint k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define ROTATE_RIGHT(x, n) rotate((x), 32u - (n))
#define SIGMA(x, a, b, c) (ROTATE_RIGHT(x, a##u) ^ ROTATE_RIGHT(x, b##u) ^ ROTATE_RIGHT(x, c##u))
#define SCHEDULE(x, a, b, c) (ROTATE_RIGHT(x, a##u) ^ ROTATE_RIGHT(x, b##u) ^ ((x) >> c))

typedef struct {
    uint h[8];
} digest;

uint big_endian(uint word) { return as_uint(as_uchar4(word).wzyx); }

void add_block(digest *state, const uint *block) {
    uint w[16];
    uint a = state->h[0], b = state->h[1], c = state->h[2], d = state->h[3];
    uint e = state->h[4], f = state->h[5], g = state->h[6], h = state->h[7];
    for (int t = 0; t < 64; t++) {
        if (t < 16)
            w[t] = block[t];
        else
            w[t & 15] += SCHEDULE(w[(t + 14) & 15], 17, 19, 10) + w[(t + 9) & 15] +
                         SCHEDULE(w[(t + 1) & 15], 7, 18, 3);
        const uint t1 = h + SIGMA(e, 6, 11, 25) + bitselect(g, f, e) + k[t] + w[t & 15];
        const uint t2 = SIGMA(a, 2, 13, 22) + bitselect(a, b, c ^ a);
        h = g; g = f; f = e; e = d + t1;
        d = c; c = b; b = a; a = t1 + t2;
    }
    state->h[0] += a; state->h[1] += b; state->h[2] += c; state->h[3] += d;
    state->h[4] += e; state->h[5] += f; state->h[6] += g; state->h[7] += h;
}

kernel void sha256(global const uchar *text, global const uint *starts, global digest *digests) {
    const size_t item = get_global_id(0);
    const uint length = starts[item + 1] - starts[item];
    global const uchar *message = text + starts[item];
    digest state = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                     0x1f83d9ab, 0x5be0cd19}};
    union {
        uchar bytes[64];
        uint words[16];
        ulong pairs[8];
    } block;
    /* The message, a bit, zeros, and its length in bits at the end of a block. */
    const uint blocks = (length + 9 + 63) / 64;
    for (uint b = 0; b < blocks; b++) {
        for (int i = 0; i < 8; i++)
            block.pairs[i] = 0;
        for (uint i = 0; i < 64; i++) {
            const uint place = b * 64 + i;
            if (place > length)
                break;
            block.bytes[i] = place < length ? message[place] : 0x80;
        }
        for (int i = 0; i < 16; i++)
            block.words[i] = big_endian(block.words[i]);
        if (b + 1 == blocks)
            block.words[15] = length * 8;
        add_block(&state, block.words);
    }
    for (int i = 0; i < 8; i++)
        state.h[i] = big_endian(state.h[i]);
    digests[item] = state;
}
