// Vector addition like that of a hthreads thread: each work-item, alone in its work-group, adds a
// part of the vectors, of which it keeps a block on its stack.
#define BLOCK 64
kernel void vector_add(int n, global const double *a, global const double *b,
                       global double *c)
{
    double block[BLOCK];
    int part = n / get_global_size(0);
    int first = get_global_id(0) * part;
    for (int at = first; at < first + part; at += BLOCK) {
        for (int i = 0; i < BLOCK; i++)
            block[i] = a[at + i];
        for (int i = 0; i < BLOCK; i++)
            c[at + i] = block[i] + b[at + i];
    }
}
