/* Counts the solutions of the N queens problem that have given queens in the first two rows. A
 * stack of bit masks of rows replaces recursion. */
kernel void n_queens(global uint *solutions) {
    const uint first = 1u << get_global_id(0), second = 1u << get_global_id(1);
    const uint all = (1u << N) - 1;
    struct {
        uint columns, falling, rising, free;
    } row[N];
    uint found = 0;
    int depth = 2;
    if (second & (first | first << 1 | first >> 1))
        goto done;
    row[2].columns = first | second;
    row[2].falling = first << 2 | second << 1;
    row[2].rising = first >> 2 | second >> 1;
    row[2].free = all & ~(row[2].columns | row[2].falling | row[2].rising);

next:
    while (row[depth].free == 0) {
        if (--depth < 2)
            goto done;
    }
    const uint queen = row[depth].free & -row[depth].free;
    row[depth].free ^= queen;
    if (depth == N - 1) {
        ++found;
        goto next;
    }
    row[depth + 1].columns = row[depth].columns | queen;
    row[depth + 1].falling = (row[depth].falling | queen) << 1;
    row[depth + 1].rising = (row[depth].rising | queen) >> 1;
    ++depth;
    row[depth].free = all & ~(row[depth].columns | row[depth].falling | row[depth].rising);
    goto next;

done:
    solutions[get_global_id(1) * N + get_global_id(0)] = found;
}
