/* The median of 3 x 3 pixels, for sixteen neighbours at once: a sorting network of vectors. */
#define SORT(a, b)                        \
    do {                                  \
        const uchar16 smaller = min(a, b); \
        b = max(a, b);                    \
        a = smaller;                      \
    } while (0)

typedef struct {
    uchar16 left, middle, right;
} three;

/* The pixels left of, at and right of sixteen places of a line with a border of 16. */
three load(global const uchar *line, uint x) {
    const uchar16 before = vload16(0, line + x), here = vload16(0, line + x + 16);
    const uchar16 after = vload16(0, line + x + 32);
    three pixels;
    pixels.left = (uchar16)(before.sf, here.s01234567, here.s89ab, here.scde);
    pixels.middle = here;
    pixels.right = (uchar16)(here.s1234, here.s56789abc, here.sdef, after.s0);
    SORT(pixels.left, pixels.middle);
    SORT(pixels.middle, pixels.right);
    SORT(pixels.left, pixels.middle);
    return pixels;
}

kernel void median(global const uchar *from, uint pitch, global uchar *to) {
    const uint x = get_global_id(0) * 16, y = get_global_id(1);
    three a = load(from + y * pitch, x);
    three b = load(from + (y + 1) * pitch, x);
    three c = load(from + (y + 2) * pitch, x);
    /* The largest of the smallest, the middle of the middle, the smallest of the largest. */
    uchar16 low = max(max(a.left, b.left), c.left);
    const uchar16 high = min(min(a.right, b.right), c.right);
    SORT(a.middle, b.middle);
    SORT(b.middle, c.middle);
    SORT(a.middle, b.middle);
    uchar16 middle = b.middle, top = high;
    SORT(low, middle);
    SORT(middle, top);
    SORT(low, middle);
    vstore16(middle, 0, to + y * get_global_size(0) * 16 + x);
}
