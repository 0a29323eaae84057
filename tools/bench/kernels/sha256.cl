// SHA-256 (FIPS 180-4) of messages of 64 bytes, one for each work-item.

constant uint K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

uint right(uint x, uint bits)
{
    return rotate(x, 32 - bits);
}

// One block of 16 words.
void compress(uint hash[8], uint w[16])
{
    uint a = hash[0], b = hash[1], c = hash[2], d = hash[3];
    uint e = hash[4], f = hash[5], g = hash[6], h = hash[7];
    for (int round = 0; round < 64; round++) {
        if (round >= 16) {
            uint x = w[(round + 1) & 15], y = w[(round + 14) & 15];
            w[round & 15] += w[(round + 9) & 15] +
                (right(x, 7) ^ right(x, 18) ^ (x >> 3)) +
                (right(y, 17) ^ right(y, 19) ^ (y >> 10));
        }
        uint t1 = h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + bitselect(g, f, e) +
            K[round] + w[round & 15];
        uint t2 = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + bitselect(a, b, a ^ c);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    hash[0] += a;
    hash[1] += b;
    hash[2] += c;
    hash[3] += d;
    hash[4] += e;
    hash[5] += f;
    hash[6] += g;
    hash[7] += h;
}

// The bytes of a word in memory are its most significant first.
uint swapped(uint word)
{
    return as_uint(as_uchar4(word).wzyx);
}

kernel void sha256(global const uint *messages, global uint *digests)
{
    size_t i = get_global_id(0);
    uint hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint w[16];
    for (int k = 0; k < 16; k++)
        w[k] = swapped(messages[i * 16 + k]);
    compress(hash, w);
    // The padding: a bit, zeros, the length of 512 bits.
    for (int k = 0; k < 16; k++)
        w[k] = 0;
    w[0] = 0x80000000;
    w[15] = 512;
    compress(hash, w);
    for (int k = 0; k < 8; k++)
        digests[i * 8 + k] = swapped(hash[k]);
}
