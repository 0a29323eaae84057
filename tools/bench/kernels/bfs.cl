// A level of a breadth-first search: all nodes that the level before has marked. Edges of a node
// are consecutive.

kernel void visit(global const int *starts, global const int *edges, global uchar *frontier,
                  global uchar *reached, global const uchar *visited, global int *levels, int nodes)
{
    int node = get_global_id(0);
    if (node >= nodes || !frontier[node])
        return;
    frontier[node] = 0;
    for (int edge = starts[node]; edge < starts[node + 1]; edge++) {
        int next = edges[edge];
        if (!visited[next]) {
            levels[next] = levels[node] + 1;
            reached[next] = 1;
        }
    }
}

kernel void advance(global uchar *frontier, global uchar *reached, global uchar *visited,
                    global int *more, int nodes)
{
    int node = get_global_id(0);
    if (node < nodes && reached[node]) {
        frontier[node] = 1;
        visited[node] = 1;
        *more = 1;
        reached[node] = 0;
    }
}
