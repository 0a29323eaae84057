/* Conway's game of life on a torus, 32 cells to a word, with the neighbours added bit by bit. */
typedef struct {
    uint ones, twos, fours;
} sum;

/* Adds one bit; counts beyond seven keep the fours. */
sum add(sum s, uint bit) {
    const uint carry = s.ones & bit;
    const uint carry_again = s.twos & carry;
    s.ones ^= bit;
    s.twos ^= carry;
    s.fours |= carry_again;
    return s;
}

uint3 around(global const uint *row, uint x, uint words) {
    const uint here = row[x];
    const uint left = row[(x + words - 1) % words], right = row[(x + 1) % words];
    /* The neighbour to the left is the next lower bit. */
    return (uint3)(here << 1 | left >> 31, here, here >> 1 | right << 31);
}

kernel void generation(global const uint *from, global uint *to, uint words, uint height) {
    /* Launched in two parts: the second has an offset. */
    const uint x = get_global_id(0), y = get_global_id(1);
    const uint3 above = around(from + (y + height - 1) % height * words, x, words);
    const uint3 here = around(from + y * words, x, words);
    const uint3 below = around(from + (y + 1) % height * words, x, words);
    sum s = {0, 0, 0};
    s = add(s, above.x); s = add(s, above.y); s = add(s, above.z);
    s = add(s, here.x);                       s = add(s, here.z);
    s = add(s, below.x); s = add(s, below.y); s = add(s, below.z);
    to[y * words + x] = s.twos & ~s.fours & (s.ones | here.y);
}

kernel void count_cells(global const uint *cells, volatile global uint *count) {
    atomic_add(count, popcount(cells[get_global_id(0)]));
}
