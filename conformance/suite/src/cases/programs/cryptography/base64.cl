/* Base64 (RFC 4648), three bytes to four letters per work-item, and back. */
constant char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

kernel void encode(global const uchar *restrict bytes, uint count, global char *restrict text) {
    const uint item = get_global_id(0);
    const uint rest = count - 3 * item;
    uchar3 three;
    if (rest >= 3)
        three = vload3(item, bytes);
    else
        three = (uchar3)(bytes[3 * item], rest > 1 ? bytes[3 * item + 1] : 0, 0);
    const uint bits = upsample(upsample((uchar)0, three.x), upsample(three.y, three.z));
    const uint4 sixes = (uint4)(bits) >> (uint4)(18, 12, 6, 0) & 63u;
    char4 letters = (char4)(alphabet[sixes.x], alphabet[sixes.y], alphabet[sixes.z], alphabet[sixes.w]);
    letters = select(letters, (char4)('='), (char4)(0, 0, -(rest < 2), -(rest < 3)));
    vstore4(letters, item, text);
}

uchar4 values(char4 letters) {
    uchar4 value = as_uchar4(letters - (char4)('A'));
    value = select(value, as_uchar4(letters - (char4)('a') + (char)26), letters >= (char4)('a'));
    value = select(value, as_uchar4(letters - (char4)('0') + (char)52), letters <= (char4)('9'));
    value = select(value, (uchar4)(62), letters == (char4)('+'));
    value = select(value, (uchar4)(63), letters == (char4)('/'));
    return select(value, (uchar4)(0), letters == (char4)('='));
}

/* Writes three bytes for each four letters. */
kernel void decode(global const char *restrict text, global uchar *restrict bytes) {
    const size_t item = get_global_id(0);
    const uchar4 sixes = values(vload4(item, text));
    const uchar3 high = sixes.xyz << (uchar3)(2, 4, 6);
    const uchar3 low = sixes.yzw >> (uchar3)(4, 2, 0);
    vstore3(high | low, item, bytes);
}
