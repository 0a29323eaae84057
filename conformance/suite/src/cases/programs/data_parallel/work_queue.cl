/* Groups take tasks from a common counter until there are none: the longest Collatz sequence that
 * starts in each range of numbers. The results do not depend on which group takes a task. */
typedef struct {
    uint length;
    uint start;
} longest;

uint steps_to_one(ulong n) {
    uint steps = 0;
    for (; n != 1; ++steps)
        n = n & 1 ? 3 * n + 1 : n >> 1;
    return steps;
}

bool take(volatile global uint *next, uint tasks, local uint *task) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        *task = atomic_inc(next);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *task < tasks;
}

kernel void collatz(volatile global uint *next, uint tasks, uint range, global longest *results,
                    global uint *done) {
    local uint task;
    local uint best_length, best_start;
    const uint item = get_local_id(0);
    while (take(next, tasks, &task)) {
        if (item == 0) {
            best_length = 0;
            best_start = UINT_MAX;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        longest mine = {0, 0};
        for (uint n = task * range + item; n < (task + 1) * range; n += get_local_size(0)) {
            const uint length = n ? steps_to_one(n) : 0;
            if (length > mine.length) {
                mine.length = length;
                mine.start = n;
            }
        }
        atomic_max(&best_length, mine.length);
        barrier(CLK_LOCAL_MEM_FENCE);
        /* The first of the longest sequences. */
        if (mine.length == best_length)
            atomic_min(&best_start, mine.start);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0) {
            results[task] = (longest){best_length, best_start};
            atomic_inc(done);
        }
    }
}
