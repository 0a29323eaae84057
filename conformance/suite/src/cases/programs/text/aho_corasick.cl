/* Counts many patterns at once with an automaton. A state has transitions for all letters and
 * a list of the patterns that end there. */
enum { END_OF_LIST = 0xFFFF };

typedef struct {
    ushort next[LETTERS];
    ushort matches;
} state;

kernel void match(global const uchar *text, uint length, global const state *restrict automaton,
                  global const ushort *lists, global uint *counts) {
    const uint first = get_global_id(0) * CHUNK;
    if (first >= length)
        return;
    /* The last letters of the chunk before may begin a pattern that ends here. */
    uint position = first < LONGEST ? 0 : first - LONGEST;
    const uint end = min(first + CHUNK, length);
    ushort now = 0;
    do {
        const uchar letter = text[position] - 'a';
        now = automaton[now].next[letter];
        if (position < first)
            continue;
        for (uint i = automaton[now].matches; lists[i] != END_OF_LIST; i++)
            atomic_inc(counts + lists[i]);
    } while (++position < end);
}
