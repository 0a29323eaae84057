/* 0/1 knapsack: one launch per item computes the best value for each capacity. Bits, 32 capacities
 * to a word, record the chosen items for the traceback. */
kernel void consider(global const uint *before, global uint *after, global uint *taken, uint row,
                     uint weight, uint value) {
    const uint capacity = get_global_id(0);
    const uint words = get_global_size(0) / 32;
    const uint without = before[capacity];
    const uint with = capacity < weight ? 0 : before[capacity - weight] + value;
    const bool better = with > without;
    after[capacity] = better ? with : without;
    if (better)
        atomic_or(&taken[row * words + capacity / 32], 1u << capacity % 32);
}

/* Traceback from the full knapsack to the empty one, by a single work-item. */
kernel void choose(global const uint *taken, constant uint *weights, uint things, uint words,
                   global uint *chosen) {
    uint capacity = words * 32 - 1;
    for (uint row = things; row-- > 0;) {
        const bool take = taken[row * words + capacity / 32] >> capacity % 32 & 1;
        chosen[row] = take;
        if (take)
            capacity -= weights[row];
    }
}
