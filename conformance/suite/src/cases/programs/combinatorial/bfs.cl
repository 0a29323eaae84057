/* Breadth-first search, one level per pair of launches. */
typedef struct {
    uint first_edge;
    uint edges;
} node;

kernel void expand(global const node *nodes, global const uint *targets, global uchar *frontier,
                   global uchar *reached, global const uchar *visited, global int *levels,
                   uint count) {
    const uint here = get_global_id(0);
    if (here >= count || !frontier[here])
        return;
    frontier[here] = 0;
    const node from = nodes[here];
    for (uint i = 0; i < from.edges; i++) {
        const uint there = targets[from.first_edge + i];
        if (visited[there])
            continue;
        /* Concurrent writes store the same value. */
        levels[there] = levels[here] + 1;
        reached[there] = 1;
    }
}

kernel void advance(global uchar *frontier, global uchar *reached, global uchar *visited,
                    volatile global uint *found, uint count) {
    const uint here = get_global_id(0);
    if (here < count && reached[here]) {
        frontier[here] = 1;
        visited[here] = 1;
        reached[here] = 0;
        atomic_or(found, 1u);
    }
}
