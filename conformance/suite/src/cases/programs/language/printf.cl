/* A report on the factors of some numbers, printed by one work-item in the order of the lines. */
uint smallest_factor(uint n) {
    for (uint f = 2; f * f <= n; f++)
        if (n % f == 0)
            return f;
    return n;
}

kernel void report(uint first, uint lines) {
    printf("%s|%6s|%-9s|\n", "factors", "number", "root");
    for (uint i = 0; i < lines; i++) {
        uint rest = first + i;
        printf("%c|%6u|%-9.4f|%#x|%+d|", 'a' + i % 26, rest, sqrt((float)rest), rest, -(int)i);
        while (rest > 1) {
            const uint factor = smallest_factor(rest);
            printf(" %u", factor);
            rest /= factor;
        }
        printf("\n");
    }
    const int4 some = (int4)(1, -2, 300, -4000);
    printf("vector %v4hld, %v4hlx\n", some, as_uint4(some));
    printf("%s %d%%\n", "done", 100);
}
