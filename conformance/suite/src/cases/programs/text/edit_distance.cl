/* Levenshtein distance of a pattern to many words, 64 rows of the table at once (Myers). */
kernel void distances(constant uchar *pattern, uint length, global const uchar *text,
                      global const uint2 *words, global uchar *distance) {
    local ulong places[26];
    for (uint letter = get_local_id(0); letter < 26; letter += get_local_size(0)) {
        ulong bits = 0;
        for (uint i = 0; i < length; i++)
            bits |= (ulong)(pattern[i] == 'a' + letter) << i;
        places[letter] = bits;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint2 word = words[get_global_id(0)];
    ulong up = ~0ul, down = 0;
    const ulong last = 1ul << (length - 1);
    int score = length;
    for (uint i = word.s0; i < word.s0 + word.s1; ++i) {
        const ulong same = places[text[i] - 'a'];
        const ulong vertical = same | down;
        const ulong carried = (((same & up) + up) ^ up) | same;
        ulong plus = down | ~(carried | up);
        ulong minus = up & carried;
        score += (plus & last) != 0;
        score -= (minus & last) != 0;
        plus = plus << 1 | 1;
        minus <<= 1;
        up = minus | ~(vertical | plus);
        down = plus & vertical;
    }
    distance[get_global_id(0)] = convert_uchar_sat(score);
}
